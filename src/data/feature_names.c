/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of features, one a line. */
#include "data/feature_names.h"

#include <string.h>

#include "base/utf8.h"
#include "data/lines.h"
#include "data/names.h"

static const char *trim_end(const char *text, const char *end)
{
    while (end > text && (end[-1] == ' ' || end[-1] == '\t')) end--;
    return end;
}

/* Blank lines stand for nothing at the end of the file only: elsewhere they would shift all names behind them. */
static dcpn_status read_lines(struct line_reader *lines, struct word_list *list)
{
    struct line_reader blank = {.number = 0};
    for (;;) {
        int more;
        DCPN_TRY(dcpn_lines_next(lines, &more));
        if (!more) return DCPN_OK;
        const char *text = dcpn_skip_blanks(lines->text, lines->end), *end = trim_end(text, lines->end);
        if (text == end && !blank.number) blank = *lines;
        if (text == end) continue;
        if (blank.number)
            return dcpn_lines_refuse(&blank, blank.text, "found a blank line, expected the name of a feature");
        DCPN_TRY(dcpn_words_append(lines->content.context, list, text, end));
    }
}

static dcpn_status copy_names(const struct line_reader *lines, const struct word_list *list, char ***names,
                              int64_t *count)
{
    dcpn_context *context = lines->content.context;
    if (list->count == 0)
        return dcpn_fail(context, DCPN_DATA, "%s: found no names, expected one a line", lines->content.name);
    *names = dcpn_names_copy(context, list->words, list->count, 0);
    *count = list->count;
    return *names ? DCPN_OK : DCPN_MEMORY;
}

dcpn_status dcpn_feature_names_read(dcpn_context *context, const char *path, char ***names, int64_t *count)
{
    struct line_reader lines;
    struct word_list list = {0};
    *names = NULL;
    DCPN_TRY(dcpn_lines_open(context, path, &lines));
    dcpn_status status = read_lines(&lines, &list);
    if (status == DCPN_OK) status = copy_names(&lines, &list, names, count);
    dcpn_free(context, list.words);
    dcpn_lines_close(&lines);
    return status;
}

/* ---- UTF-8 --------------------------------------------------------------------------------------------------------*/

static int is_utf8(const char *text)
{
    for (int length; *text; text += length)
        if ((length = dcpn_utf8_length(text)) == 0) return 0;
    return 1;
}

static dcpn_status check_list(dcpn_context *context, const char *path, const char *what, char **names, int64_t count)
{
    for (int64_t k = 0; names && k < count; k++)
        if (!is_utf8(names[k]))
            return dcpn_fail(
                context, DCPN_DATA,
                "%s: name of %s %lld: found bytes that are not UTF-8; convert the file with iconv -t UTF-8", path, what,
                (long long)k + 1);
    return DCPN_OK;
}

dcpn_status dcpn_check_names(const char *path, const dcpn_dataset *dataset)
{
    DCPN_TRY(check_list(dataset->context, path, "feature", dataset->feature_names, dataset->features));
    return check_list(dataset->context, path, "class", dataset->label_names, dataset->label_count);
}
