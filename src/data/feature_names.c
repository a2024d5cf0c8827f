/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of features, one a line. */
#include "data/feature_names.h"

#include <string.h>

#include "base/utf8.h"
#include "data/lines.h"
#include "data/names.h"
#include "data/place.h"
#include "data/word_set.h"

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
            return dcpn_fail(context, DCPN_DATA,
                             "%s: name of %s %lld: found bytes that are not UTF-8; convert the file, with iconv -f "
                             "WINDOWS-1252 -t UTF-8 if Excel wrote it",
                             path, what, (long long)k + 1);
    return DCPN_OK;
}

/* ---- Repetition ---------------------------------------------------------------------------------------------------*/

/* Counts the names that an earlier feature has, too; *example becomes the first of them. Features without a name do not
 * count. */
static dcpn_status count_repeated(const dcpn_dataset *dataset, struct word_set *set, int64_t *repeated,
                                  const char **example)
{
    for (int64_t j = 0; j < dataset->features; j++) {
        int64_t number, known = set->distinct.count;
        if (!*dataset->feature_names[j]) continue;
        DCPN_TRY(dcpn_word_set_add(set, dcpn_word_of(dataset->feature_names[j]), &number));
        if (number < known && ++*repeated == 1) *example = dataset->feature_names[j];
    }
    return DCPN_OK;
}

static dcpn_status mention_repeated(const char *path, const dcpn_dataset *dataset)
{
    struct word_set set = {.context = dataset->context};
    char quote[DCPN_QUOTE_LENGTH];
    const char *example = "";
    int64_t repeated = 0;
    dcpn_status status = count_repeated(dataset, &set, &repeated, &example);
    dcpn_word_set_free(&set);
    if (status == DCPN_OK && repeated)
        dcpn_log(dataset->context, DCPN_LOG_WARNING,
                 "%s: %lld feature%s the name of an earlier one, like %s: their numbers tell them apart", path,
                 (long long)repeated, repeated > 1 ? "s have" : " has",
                 dcpn_quote(example, example + strlen(example), quote));
    return status;
}

dcpn_status dcpn_check_names(const char *path, const dcpn_dataset *dataset)
{
    DCPN_TRY(check_list(dataset->context, path, "feature", dataset->feature_names, dataset->features));
    if (dataset->feature_names) DCPN_TRY(mention_repeated(path, dataset));
    return check_list(dataset->context, path, "class", dataset->label_names, dataset->label_count);
}
