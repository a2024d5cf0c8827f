/* SPDX-License-Identifier: BSD-3-Clause */
/* Settings: defaults, texts and ranges, all from settings.def. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/number.h"
#include "dcpn/solver.h"

static const dcpn_setting table[] = {
#define ROW(FIELD, OPTION, KIND, DEFAULT_TEXT, CHOICES, LOW, HIGH, HELP)                                               \
    {DCPN_GROUP, OPTION, KIND, DEFAULT_TEXT, CHOICES, LOW, HIGH, HELP, offsetof(dcpn_settings, FIELD)},
#define DCPN_REAL(FIELD, OPTION, DEFAULT, LOW, HIGH, HELP)                                                             \
    ROW(FIELD, OPTION, DCPN_KIND_REAL, #DEFAULT, NULL, LOW, HIGH, HELP)
#define DCPN_COUNT(FIELD, OPTION, DEFAULT, LOW, HIGH, HELP)                                                            \
    ROW(FIELD, OPTION, DCPN_KIND_COUNT, #DEFAULT, NULL, LOW, HIGH, HELP)
#define DCPN_FLAG(FIELD, OPTION, DEFAULT, HELP) ROW(FIELD, OPTION, DCPN_KIND_FLAG, #DEFAULT, NULL, 0, 1, HELP)
#define DCPN_CHOICE(FIELD, OPTION, DEFAULT, CHOICES, HELP)                                                             \
    ROW(FIELD, OPTION, DCPN_KIND_CHOICE, DEFAULT, CHOICES, 0, 0, HELP)
#include "dcpn/settings.def"
#undef ROW
#undef DCPN_REAL
#undef DCPN_COUNT
#undef DCPN_FLAG
#undef DCPN_CHOICE
};

size_t dcpn_setting_count(void)
{
    return sizeof table / sizeof *table;
}

const dcpn_setting *dcpn_setting_at(size_t index)
{
    return index < dcpn_setting_count() ? &table[index] : NULL;
}

dcpn_settings dcpn_settings_default(void)
{
    return (dcpn_settings){
#define DCPN_REAL(FIELD, OPTION, DEFAULT, LOW, HIGH, HELP) .FIELD = DEFAULT,
#define DCPN_COUNT DCPN_REAL
#define DCPN_FLAG(FIELD, OPTION, DEFAULT, HELP) .FIELD = DEFAULT,
#define DCPN_CHOICE(FIELD, OPTION, DEFAULT, CHOICES, HELP) .FIELD = DEFAULT,
#include "dcpn/settings.def"
#undef DCPN_REAL
#undef DCPN_COUNT
#undef DCPN_FLAG
#undef DCPN_CHOICE
    };
}

dcpn_settings dcpn_settings_for_paths(void)
{
    dcpn_settings settings = dcpn_settings_default();
    settings.intercept = settings.standardize = 1;
    settings.scale = "mean";
    return settings;
}

static void *field_of(dcpn_settings *settings, const dcpn_setting *setting)
{
    return (char *)settings + setting->offset;
}

static const void *const_field_of(const dcpn_settings *settings, const dcpn_setting *setting)
{
    return (const char *)settings + setting->offset;
}

static int in_range(const dcpn_setting *setting, double value)
{
    return value >= setting->low && value <= setting->high;
}

/* Is word one of the words separated by |? */
static int is_listed(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *start = words; start; start = strchr(start, '|')) {
        if (*start == '|') start++;
        if (length && strncmp(start, word, length) == 0 && (start[length] == '|' || !start[length])) return 1;
    }
    return 0;
}

static int is_choice(const dcpn_setting *setting, const char *word)
{
    dcpn_part part;
    if (strcmp(word, setting->default_text) == 0) return 1;
    if (setting->choices[0] != '@') return is_listed(setting->choices, word);
    for (size_t i = 0; dcpn_part_at(setting->choices + 1, i, &part); i++)
        if (strcmp(part.name, word) == 0) return 1;
    return 0;
}

/* "squared, logistic or huber", cut where the buffer ends */
static void name_choices(const dcpn_setting *setting, char *text, size_t size)
{
    dcpn_part part;
    size_t used = (size_t)snprintf(text, size, "%s", setting->default_text);
    if (setting->choices[0] != '@') {
        snprintf(text, size, "%s", setting->choices);
        return;
    }
    for (size_t i = 0; dcpn_part_at(setting->choices + 1, i, &part) && used < size; i++)
        if (strcmp(part.name, setting->default_text) != 0)
            used += (size_t)snprintf(text + used, size - used, "|%s", part.name);
}

static dcpn_status refuse(dcpn_context *context, const dcpn_setting *setting, const char *found)
{
    char names[256];
    switch (setting->kind) {
    case DCPN_KIND_CHOICE:
        name_choices(setting, names, sizeof names);
        return dcpn_fail(context, DCPN_USAGE, "--%s: found '%s', expected %s", setting->option, found, names);
    case DCPN_KIND_FLAG:
        return dcpn_fail(context, DCPN_USAGE, "--%s: found '%s', expected 0 or 1", setting->option, found);
    case DCPN_KIND_COUNT:
        return dcpn_fail(context, DCPN_USAGE, "--%s: found '%s', expected a whole number from %.0f to %.0f",
                         setting->option, found, setting->low, setting->high);
    default:
        return dcpn_fail(context, DCPN_USAGE, "--%s: found '%s', expected a number from %g to %g", setting->option,
                         found, setting->low, setting->high);
    }
}

static const dcpn_setting *find_setting(const char *option)
{
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        if (strcmp(table[i].option, option) == 0) return &table[i];
    return NULL;
}

dcpn_status dcpn_settings_set(dcpn_context *context, dcpn_settings *settings, const char *option, const char *text)
{
    DCPN_NEED(context, context, settings, option, text);
    const dcpn_setting *setting = find_setting(option);
    if (!setting) return dcpn_fail(context, DCPN_USAGE, "there is no setting called '%s'", option);
    const char *end = text + strlen(text);
    void *field = field_of(settings, setting);
    double real;
    int64_t count;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        if (dcpn_parse_double(text, end, &real) != end || !in_range(setting, real)) break;
        *(double *)field = real;
        return DCPN_OK;
    case DCPN_KIND_COUNT:
        if (dcpn_parse_integer(text, end, &count) != end || !in_range(setting, (double)count)) break;
        *(int64_t *)field = count;
        return DCPN_OK;
    case DCPN_KIND_FLAG:
        if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) break;
        *(int *)field = text[0] == '1';
        return DCPN_OK;
    case DCPN_KIND_CHOICE:
        if (!is_choice(setting, text)) break;
        *(const char **)field = text;
        return DCPN_OK;
    }
    return refuse(context, setting, text);
}

/* Choices must be texts that last: those of the registries do. */
static const char *lasting_text(const dcpn_setting *setting, const char *word)
{
    dcpn_part part;
    for (size_t i = 0; setting->choices && setting->choices[0] == '@' && dcpn_part_at(setting->choices + 1, i, &part);
         i++)
        if (strcmp(part.name, word) == 0) return part.name;
    return word;
}

/* "--option value" and "--flag", one after another. */
static dcpn_status set_words(dcpn_context *context, dcpn_settings *settings, char *words)
{
    char *rest = words;
    for (char *option = strtok_r(words, " ", &rest); option;) {
        char *value = strtok_r(NULL, " ", &rest), *next = value;
        const dcpn_setting *setting = find_setting(option + 2);
        if (!setting) return dcpn_fail(context, DCPN_USAGE, "there is no setting called '%s'", option + 2);
        if (setting->kind == DCPN_KIND_FLAG)
            *(int *)field_of(settings, setting) = 1;
        else
            DCPN_TRY(dcpn_settings_set(context, settings, setting->option, lasting_text(setting, value ? value : "")));
        if (setting->kind != DCPN_KIND_FLAG) next = strtok_r(NULL, " ", &rest);
        option = next;
    }
    return DCPN_OK;
}

dcpn_status dcpn_settings_preset(dcpn_context *context, dcpn_settings *settings, const char *name)
{
    dcpn_part preset;
    DCPN_NEED(context, context, settings, name);
    for (size_t i = 0; dcpn_part_at("preset", i, &preset); i++) {
        if (strcmp(preset.name, name) != 0) continue;
        char *words = dcpn_copy_text(context, preset.formula);
        if (!words) return DCPN_MEMORY;
        dcpn_status status = set_words(context, settings, words);
        dcpn_free(context, words);
        return status;
    }
    return dcpn_fail(context, DCPN_USAGE, "there is no preset called '%s'; see 'dcpn list presets'", name);
}

static dcpn_status refuse_number(dcpn_context *context, const dcpn_setting *setting, double number)
{
    char found[DCPN_NUMBER_LENGTH];
    dcpn_format_double(found, number);
    return refuse(context, setting, found);
}

static dcpn_status check_field(dcpn_context *context, const dcpn_setting *setting, const void *field)
{
    double number;
    const char *word;
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        number = *(const double *)field;
        break;
    case DCPN_KIND_COUNT:
        number = (double)*(const int64_t *)field;
        break;
    case DCPN_KIND_FLAG:
        number = *(const int *)field;
        break;
    default:
        word = *(const char *const *)field;
        if (!word) return refuse(context, setting, "(nothing)");
        return is_choice(setting, word) ? DCPN_OK : refuse(context, setting, word);
    }
    return in_range(setting, number) ? DCPN_OK : refuse_number(context, setting, number);
}

dcpn_status dcpn_settings_check(dcpn_context *context, const dcpn_settings *settings)
{
    DCPN_NEED(context, context, settings);
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        DCPN_TRY(check_field(context, &table[i], const_field_of(settings, &table[i])));
    return DCPN_OK;
}
