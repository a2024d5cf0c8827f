/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings that the library keeps: a block that begins with the settings, and the texts that were chosen. */
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/number.h"
#include "dcpn/handles.h"
#include "settings/settings_text.h"

struct held_settings {
    dcpn_settings settings; /* first: the caller has a pointer to it */
    dcpn_context *context;
    char *texts[]; /* one for each row of the table; NULL: it is the default's */
};

static struct held_settings *held(dcpn_settings *settings)
{
    return (struct held_settings *)(void *)settings;
}

dcpn_status dcpn_settings_new(dcpn_context *context, int for_paths, dcpn_settings **settings)
{
    DCPN_NEED(context, context, settings);
    size_t texts = dcpn_setting_count() * sizeof(char *);
    *settings = NULL;
    struct held_settings *made = dcpn_allocate(context, 1, sizeof *made + texts);
    if (!made) return DCPN_MEMORY;
    memset(made, 0, sizeof *made + texts);
    made->settings = for_paths ? dcpn_settings_for_paths() : dcpn_settings_default();
    made->context = context;
    *settings = &made->settings;
    return DCPN_OK;
}

void dcpn_settings_free(dcpn_settings *settings)
{
    if (!settings) return;
    dcpn_context *context = held(settings)->context;
    for (size_t k = 0; k < dcpn_setting_count(); k++) dcpn_free(context, held(settings)->texts[k]);
    dcpn_free(context, settings);
}

static int find(const char *option, size_t *row)
{
    for (*row = 0; *row < dcpn_setting_count(); ++*row)
        if (strcmp(dcpn_setting_at(*row)->option, option) == 0) return 1;
    return 0;
}

static dcpn_status refuse_kind(dcpn_context *context, const dcpn_setting *setting, const char *found)
{
    static const char *const kinds[] = {"a number", "a whole number", "0 or 1", "a word"};
    return dcpn_fail(context, DCPN_USAGE, "--%s: found %s, expected %s", setting->option, found, kinds[setting->kind]);
}

/* Ranges and words are those of a text that says the same. */
static dcpn_status set_text(dcpn_settings *settings, const char *option, const char *text)
{
    return dcpn_settings_set(held(settings)->context, settings, option, text);
}

static dcpn_status set_number(dcpn_settings *settings, const char *option, const char *text, int is_whole)
{
    dcpn_context *context = held(settings)->context;
    size_t row;
    if (!find(option, &row)) return dcpn_fail(context, DCPN_USAGE, "there is no setting called '%s'", option);
    const dcpn_setting *setting = dcpn_setting_at(row);
    if (setting->kind == DCPN_KIND_CHOICE || (setting->kind != DCPN_KIND_REAL && !is_whole))
        return refuse_kind(context, setting, text);
    return set_text(settings, option, text);
}

dcpn_status dcpn_settings_set_real(dcpn_settings *settings, const char *option, double value)
{
    char text[DCPN_NUMBER_LENGTH];
    DCPN_NEED(NULL, settings);
    DCPN_NEED(held(settings)->context, option);
    (void)dcpn_format_double(text, value);
    return set_number(settings, option, text, 0);
}

dcpn_status dcpn_settings_set_count(dcpn_settings *settings, const char *option, int64_t value)
{
    char text[32];
    DCPN_NEED(NULL, settings);
    DCPN_NEED(held(settings)->context, option);
    snprintf(text, sizeof text, "%lld", (long long)value);
    return set_number(settings, option, text, 1);
}

dcpn_status dcpn_settings_set_choice(dcpn_settings *settings, const char *option, const char *word)
{
    size_t row;
    DCPN_NEED(NULL, settings);
    dcpn_context *context = held(settings)->context;
    DCPN_NEED(context, option, word);
    if (!find(option, &row)) return dcpn_fail(context, DCPN_USAGE, "there is no setting called '%s'", option);
    if (dcpn_setting_at(row)->kind != DCPN_KIND_CHOICE) return refuse_kind(context, dcpn_setting_at(row), word);
    char *copy = dcpn_copy_text(context, word), **text = &held(settings)->texts[row];
    if (!copy) return DCPN_MEMORY;
    dcpn_status status = set_text(settings, option, copy);
    dcpn_free(context, status == DCPN_OK ? *text : copy);
    if (status == DCPN_OK) *text = copy;
    return status;
}

dcpn_status dcpn_settings_set_text(dcpn_settings *settings, const char *option, const char *text)
{
    size_t row;
    DCPN_NEED(NULL, settings);
    DCPN_NEED(held(settings)->context, option, text);
    if (find(option, &row) && dcpn_setting_at(row)->kind == DCPN_KIND_CHOICE)
        return dcpn_settings_set_choice(settings, option, text);
    return set_text(settings, option, text);
}

/* Sets one word, "lambda=0.5", and finds the next; NULL: it was the last. */
static dcpn_status set_word(dcpn_settings *settings, const char **words)
{
    enum { LONGEST = 200 };
    char copy[LONGEST];
    size_t length = strcspn(*words, " ");
    if (length >= LONGEST)
        return dcpn_fail(held(settings)->context, DCPN_USAGE, "found '%.40s...', expected setting=value", *words);
    memcpy(copy, *words, length);
    copy[length] = '\0';
    *words += length + strspn(*words + length, " ");
    char *value = strchr(copy, '=');
    if (!value) return dcpn_fail(held(settings)->context, DCPN_USAGE, "found '%s', expected setting=value", copy);
    *value++ = '\0';
    return dcpn_settings_set_text(settings, copy, value);
}

dcpn_status dcpn_settings_set_all(dcpn_settings *settings, const char *words)
{
    DCPN_NEED(NULL, settings);
    DCPN_NEED(held(settings)->context, words);
    words += strspn(words, " ");
    while (*words) DCPN_TRY(set_word(settings, &words));
    return DCPN_OK;
}

int dcpn_settings_get(const dcpn_settings *settings, const char *option, dcpn_value *value)
{
    size_t row;
    if (!settings || !option || !value || !find(option, &row)) return 0;
    const dcpn_setting *setting = dcpn_setting_at(row);
    const void *field = (const char *)settings + setting->offset;
    *value = (dcpn_value){.kind = setting->kind};
    switch (setting->kind) {
    case DCPN_KIND_REAL: value->real = *(const double *)field; return 1;
    case DCPN_KIND_COUNT: value->count = *(const int64_t *)field; break;
    case DCPN_KIND_FLAG: value->count = *(const int *)field; break;
    case DCPN_KIND_CHOICE: value->text = *(const char *const *)field; return 1;
    }
    value->real = (double)value->count;
    return 1;
}
