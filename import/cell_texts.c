/* SPDX-License-Identifier: BSD-3-Clause */
/* The texts of a MATLAB cell array on their way to labels. */
#include "cell_texts.h"

#include "data/labels.h"

dcpn_status cell_texts_open(dcpn_context *context, int64_t capacity, struct cell_texts *texts)
{
    *texts = (struct cell_texts){.context = context, .text = {.context = context}, .capacity = capacity};
    texts->ends = dcpn_allocate(context, (size_t)capacity, sizeof *texts->ends);
    return texts->ends ? DCPN_OK : DCPN_MEMORY;
}

static void end_cell(struct cell_texts *texts)
{
    if (texts->count < texts->capacity) texts->ends[texts->count++] = (int64_t)texts->text.length;
}

/* A character as UTF-8; zeros, with which texts are filled up, are left out. */
static void append_character(struct text *text, unsigned code)
{
    char bytes[5] = "";
    int length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (int k = length; k-- > 1; code >>= 6) bytes[k] = (char)(0x80 | (code & 0x3F));
    bytes[0] = (char)(marks[length] | code);
    dcpn_text_append(text, bytes);
}

void cell_texts_add_utf16(struct cell_texts *texts, const uint16_t *units, int64_t count)
{
    for (int64_t k = 0; k < count; k++) {
        unsigned code = units[k];
        if (code >= 0xD800 && code < 0xDC00 && k + 1 < count && units[k + 1] >= 0xDC00 && units[k + 1] < 0xE000)
            code = 0x10000 + ((code - 0xD800) << 10) + (units[++k] - 0xDC00u);
        append_character(&texts->text, code);
    }
    end_cell(texts);
}

void cell_texts_add_bytes(struct cell_texts *texts, const char *bytes, int64_t count)
{
    for (int64_t k = 0; k < count; k++) dcpn_text_append(&texts->text, (char[]){bytes[k], '\0'});
    end_cell(texts);
}

dcpn_status cell_texts_labels(struct cell_texts *texts, const char *name, const dcpn_read_options *options,
                              dcpn_dataset *dataset)
{
    const struct content by_row = {.context = texts->context, .name = name};
    struct word *words = dcpn_allocate(texts->context, (size_t)texts->count, sizeof *words);
    if (!words || texts->text.status != DCPN_OK) {
        dcpn_free(texts->context, words);
        return DCPN_MEMORY;
    }
    for (int64_t i = 0; i < texts->count; i++) {
        int64_t start = i ? texts->ends[i - 1] : 0;
        words[i] = (struct word){texts->text.start ? texts->text.start + start : "", texts->ends[i] - start};
    }
    dcpn_status status = dcpn_labels_from_words(&by_row, words, LABELS_PLAIN, options, dataset);
    dcpn_free(texts->context, words);
    return status;
}

void cell_texts_close(struct cell_texts *texts)
{
    dcpn_free(texts->context, texts->text.start);
    dcpn_free(texts->context, texts->ends);
}
