/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of a table that hold categories: copies of the list of them, each in one block of memory. */
#include "data/categories.h"

#include <string.h>

/* Texts follow the pointers, which follow the categories. */
struct block {
    char **pointers;
    char *texts;
};

static char *put_text(struct block *block, const char *text)
{
    char *copy = strcpy(block->texts, text);
    block->texts += strlen(text) + 1;
    return copy;
}

dcpn_category *dcpn_categories_copy(dcpn_context *context, const dcpn_category *categories, int64_t count)
{
    size_t levels = 0, bytes = 0;
    for (int64_t c = 0; c < count; c++) {
        levels += (size_t)categories[c].count;
        bytes += strlen(categories[c].column) + 1;
        for (int64_t k = 0; k < categories[c].count; k++) bytes += strlen(categories[c].levels[k]) + 1;
    }
    bytes += (size_t)count * sizeof *categories + levels * sizeof(char *);
    dcpn_category *copies = count > 0 ? dcpn_allocate(context, bytes, 1) : NULL;
    if (!copies) return NULL;
    struct block block = {.pointers = (char **)(copies + count)};
    block.texts = (char *)(block.pointers + levels);
    for (int64_t c = 0; c < count; c++) {
        copies[c] = (dcpn_category){put_text(&block, categories[c].column), block.pointers, categories[c].count};
        for (int64_t k = 0; k < categories[c].count; k++) *block.pointers++ = put_text(&block, categories[c].levels[k]);
    }
    return copies;
}

/* Compares like memcmp: the result is below, at or above 0. */
static int compare(struct word word, const char *text)
{
    for (int64_t k = 0; k < word.length; k++, text++) {
        if (word.start[k] == '"' && k + 1 < word.length && word.start[k + 1] == '"') k++;
        int difference = (unsigned char)word.start[k] - (unsigned char)*text;
        if (difference || !*text) return difference ? difference : 1;
    }
    return *text ? -1 : 0;
}

int64_t dcpn_category_find(const dcpn_category *category, struct word word)
{
    int64_t low = 0, high = category->count;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        int order = compare(word, category->levels[middle]);
        if (order == 0) return middle;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return -1;
}

char *dcpn_category_feature(dcpn_context *context, const dcpn_category *category, int64_t level)
{
    size_t length = strlen(category->column), rest = strlen(category->levels[level]);
    char *name = dcpn_allocate(context, length + rest + 2, 1);
    if (!name) return NULL;
    memcpy(name, category->column, length);
    name[length] = '=';
    memcpy(name + length + 1, category->levels[level], rest + 1);
    return name;
}
