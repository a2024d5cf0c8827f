/* SPDX-License-Identifier: BSD-3-Clause */
/* Help: every line comes from the tables of commands, options and settings. */
#include "help.h"
#include "reading.h"

#include <stdarg.h>
#include <string.h>

enum { SCREEN = 80, HELP_COLUMN = 27, TEXT_SIZE = 600 };

static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

/* Prints text from column `at` on, broken at spaces so that lines stay on the screen and start at `indent`. */
static void print_wrapped(const char *text, int at, int indent)
{
    const char *rest = text;
    while (*rest) {
        int length = (int)strcspn(rest, " ");
        if (at > indent && at + 1 + length > SCREEN) {
            printf("\n%*s", indent, "");
            at = indent;
        } else if (rest != text) {
            putchar(' ');
            at++;
        }
        printf("%.*s", length, rest);
        at += length;
        rest += length;
        rest += strspn(rest, " ");
    }
    putchar('\n');
}

static void print_row(const char *left, const char *text)
{
    int used = printf("  %s", left);
    if (used + 2 > HELP_COLUMN) {
        putchar('\n');
        used = 0;
    }
    printf("%*s", HELP_COLUMN - used, "");
    print_wrapped(text, HELP_COLUMN, HELP_COLUMN);
}

const char *dcpn_cli_setting_argument(const dcpn_setting *setting)
{
    switch (setting->kind) {
    case DCPN_KIND_REAL:
        return "NUMBER";
    case DCPN_KIND_COUNT:
        return "N";
    case DCPN_KIND_CHOICE:
        return "NAME";
    case DCPN_KIND_FLAG:
        break;
    }
    return "";
}

static const char *setting_default(const dcpn_setting *setting)
{
    if (setting->kind == DCPN_KIND_FLAG) return strcmp(setting->default_text, "0") == 0 ? "off" : "on";
    if (setting->kind == DCPN_KIND_REAL && strcmp(setting->default_text, "1e300") == 0) return "no limit";
    return setting->default_text;
}

/* The words of a choice; a registry is spelt out, behind a default that is no part of it ("auto"). */
static void append_choices(const dcpn_setting *setting, char *text, size_t size)
{
    if (setting->choices[0] != '@') {
        append(text, size, "; %s", setting->choices);
        return;
    }
    const char *kind = setting->choices + 1;
    int has_default = 0;
    dcpn_part part;
    for (size_t i = 0; dcpn_part_at(kind, i, &part); i++) has_default |= strcmp(part.name, setting->default_text) == 0;
    append(text, size, "; %s", has_default ? "" : setting->default_text);
    for (size_t i = 0; dcpn_part_at(kind, i, &part); i++)
        append(text, size, "%s%s", i > 0 || !has_default ? "|" : "", part.name);
}

/* 1e300 stands for infinity, and 1e-300 for the smallest number above 0. */
static void append_range(const dcpn_setting *setting, char *text, size_t size)
{
    if (setting->high < 1e300)
        append(text, size, "; from %.10g to %.13g", setting->low, setting->high);
    else if (setting->low > 0.0 && setting->low <= 1e-300)
        append(text, size, "; above 0");
    else
        append(text, size, "; at least %.10g", setting->low);
}

void dcpn_cli_setting_text(const dcpn_setting *setting, char *text, size_t size)
{
    snprintf(text, size, "%s", setting->help);
    if (setting->kind == DCPN_KIND_CHOICE) append_choices(setting, text, size);
    if (setting->kind == DCPN_KIND_REAL || setting->kind == DCPN_KIND_COUNT) append_range(setting, text, size);
    append(text, size, " [%s]", setting_default(setting));
}

void dcpn_cli_option_text(const struct cli_option *option, char *text, size_t size)
{
    const char *shown = option->default_help ? option->default_help : option->default_text;
    snprintf(text, size, "%s", option->help);
    if (option->choices) append(text, size, ": %s", option->choices);
    if (shown) append(text, size, " [%s]", shown);
}

static void print_option(const struct cli_option *option)
{
    char left[80] = "", text[TEXT_SIZE];
    if (!option->help) return;
    if (option->letter) append(left, sizeof left, "-%c, ", option->letter);
    append(left, sizeof left, "--%s%s%s", option->name, option->argument ? " " : "",
           option->argument ? option->argument : "");
    dcpn_cli_option_text(option, text, sizeof text);
    print_row(left, text);
}

static void print_setting(const dcpn_setting *setting)
{
    char left[80] = "", text[TEXT_SIZE];
    if (setting->kind == DCPN_KIND_FLAG)
        append(left, sizeof left, "--[no-]%s", setting->option);
    else
        append(left, sizeof left, "--%s %s", setting->option, dcpn_cli_setting_argument(setting));
    dcpn_cli_setting_text(setting, text, sizeof text);
    print_row(left, text);
}

static int starts_group(size_t index)
{
    return index == 0 || strcmp(dcpn_setting_at(index)->group, dcpn_setting_at(index - 1)->group) != 0;
}

static void print_settings(void)
{
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        if (starts_group(i)) printf("\n%s\n", dcpn_setting_at(i)->group);
        print_setting(dcpn_setting_at(i));
    }
}

/* The names and defaults of a group that starts at index, on two or three lines. */
static size_t print_group_in_short(size_t index)
{
    char line[TEXT_SIZE * 2] = "";
    printf("\n%s\n  ", dcpn_setting_at(index)->group);
    do {
        const dcpn_setting *setting = dcpn_setting_at(index++);
        if (setting->kind == DCPN_KIND_FLAG)
            append(line, sizeof line, "--%s ", setting->option);
        else
            append(line, sizeof line, "--%s=%s ", setting->option, setting->default_text);
    } while (index < dcpn_setting_count() && !starts_group(index));
    print_wrapped(line, 2, 2);
    return index;
}

/* ---- Options about the data ---- */

static int is_about_data(const struct cli_option *option)
{
    char word[40];
    snprintf(word, sizeof word, "|%s|", option->name);
    return strstr(DCPN_CLI_DATA_OPTIONS, word) != NULL;
}

static void print_data_options_in_short(const struct cli_command *command)
{
    char line[TEXT_SIZE] = "";
    for (const struct cli_option *option = command->options; option->name; option++)
        if (is_about_data(option))
            append(line, sizeof line, "--%s%s%s ", option->name, option->argument ? "=" : "",
                   option->argument ? option->argument : "");
    printf("\nThe data\n  ");
    print_wrapped(line, 2, 2);
}

static void print_settings_in_short(const struct cli_command *command)
{
    if (command->settings_note) {
        putchar('\n');
        print_wrapped(command->settings_note, 0, 0);
        return;
    }
    for (size_t i = 0; i < dcpn_setting_count();) i = print_group_in_short(i);
    printf("\nThese and more are explained by 'dcpn %s --help-all', names by 'dcpn list'.\n", command->name);
}

static void print_examples(const struct cli_command *command)
{
    printf("\nExamples\n");
    for (int i = 0; i < 3; i++) printf("  %s\n", command->examples[i]);
}

/* Does fit have the same option, with the same meaning? */
static int is_known_from_fit(const struct cli_option *option)
{
    for (const struct cli_option *known = dcpn_cli_find_command("fit")->options; known->name; known++)
        if (option->help && strcmp(known->name, option->name) == 0 && strcmp(known->help, option->help) == 0) return 1;
    return 0;
}

int dcpn_cli_help_command(const struct cli_command *command, int all)
{
    printf("dcpn %s %s\n", command->name, command->arguments);
    printf("%s.\n", command->summary);
    if (command->details) print_wrapped(command->details, 0, 0);
    printf("\nOptions\n");
    int in_short = command->takes_settings && !all;
    for (const struct cli_option *option = command->options; option->name; option++)
        if (!in_short ||
            !(option->advanced || is_about_data(option) || (command->is_like_fit && is_known_from_fit(option))))
            print_option(option);
    print_row("-h, --help", "this text; options of every command: 'dcpn --help'");
    if (command->takes_settings && all) print_settings();
    if (in_short) print_data_options_in_short(command);
    if (in_short) print_settings_in_short(command);
    print_examples(command);
    return 0;
}

int dcpn_cli_help_overview(void)
{
    printf("dcpn COMMAND [OPTIONS] [ARGUMENTS]\n"
           "Fits sparse models with non-convex losses and penalties (DC proximal Newton).\n\nCommands\n");
    for (size_t i = 0; dcpn_cli_command_at(i); i++)
        print_row(dcpn_cli_command_at(i)->name, dcpn_cli_command_at(i)->summary);
    print_row("help COMMAND", "the help of a command; also 'dcpn COMMAND --help'");
    printf("\nOptions\n");
    print_row("-h, --help", "this text");
    print_row("--version", "the version of the library");
    printf("\nOptions of every command\n");
    for (const struct cli_option *option = dcpn_cli_common_options; option->name; option++) print_option(option);
    printf("\nExamples\n"
           "  dcpn cv patients.csv --report page.html\n"
           "  dcpn fit train.svm -o model.json --penalty capped-l1 --lambda 2\n"
           "  dcpn predict model.json train.svm -o predictions.txt\n");
    return 0;
}
