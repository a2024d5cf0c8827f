/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn man: the manual page dcpn(1), made from the tables that the command itself works with. */
#include "command.h"
#include "help.h"

#include <string.h>

static const struct cli_option options_of_man[] = {DCPN_CLI_END};

enum { TEXT_SIZE = 600 };

/* roff reads a backslash as an escape, a hyphen as a typographic one, and a . or ' that starts a line as a request. */
static void print_escaped(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (const char *c = text; *c; c++) {
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else
            putchar(*c);
    }
}

static void print_line(const char *text)
{
    print_escaped(text);
    putchar('\n');
}

static void begin_item(void)
{
    fputs(".TP\n\\fB", stdout);
}

static void end_item(const char *argument, const char *text)
{
    fputs("\\fR", stdout);
    if (argument) {
        fputs(" \\fI", stdout);
        print_escaped(argument);
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_line(text);
}

static void print_option(const struct cli_option *option)
{
    char name[80], text[TEXT_SIZE];
    if (!option->help) return;
    if (option->letter)
        snprintf(name, sizeof name, "-%c, --%s", option->letter, option->name);
    else
        snprintf(name, sizeof name, "--%s", option->name);
    dcpn_cli_option_text(option, text, sizeof text);
    begin_item();
    print_escaped(name);
    end_item(option->argument, text);
}

static void print_setting(const dcpn_setting *setting)
{
    char name[160], text[TEXT_SIZE];
    int is_flag = setting->kind == DCPN_KIND_FLAG;
    if (is_flag)
        snprintf(name, sizeof name, "--%s, --no-%s", setting->option, setting->option);
    else
        snprintf(name, sizeof name, "--%s", setting->option);
    dcpn_cli_setting_text(setting, text, sizeof text);
    begin_item();
    print_escaped(name);
    end_item(is_flag ? NULL : dcpn_cli_setting_argument(setting), text);
}

static void print_settings(void)
{
    const char *group = "";
    for (size_t i = 0; i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        if (strcmp(group, setting->group) != 0) {
            group = setting->group;
            fputs(".PP\n", stdout);
            print_line(group);
        }
        print_setting(setting);
    }
}

static void print_examples(const struct cli_command *command)
{
    fputs(".PP\nExamples:\n.PP\n.nf\n", stdout);
    for (int i = 0; i < 3; i++) {
        fputs("    ", stdout);
        print_line(command->examples[i]);
    }
    fputs(".fi\n", stdout);
}

static void print_command(const struct cli_command *command)
{
    printf(".SS dcpn %s ", command->name);
    print_line(command->arguments);
    print_escaped(command->summary);
    fputs(".\n", stdout);
    if (command->details) print_line(command->details);
    for (const struct cli_option *option = command->options; option->name; option++) print_option(option);
    if (command->settings_note) {
        fputs(".PP\n", stdout);
        print_line(command->settings_note);
    } else if (command->takes_settings) {
        print_settings();
    }
    print_examples(command);
}

static void print_exit_code(int code, const char *meaning)
{
    printf(".TP\n\\fB%d\\fR\n", code);
    print_line(meaning);
}

/* Prints the exit codes in ascending order: those of the library, with those of the command between them. */
static void print_exit_codes(void)
{
    fputs(".SH EXIT STATUS\n", stdout);
    for (int code = 0; code <= DCPN_CLI_INTERRUPTED; code++) {
        if (code == DCPN_CLI_NOT_CONVERGED)
            print_exit_code(code,
                            "--strict: a run did not converge; cv, fit --select: --max-time left no time to choose");
        if (code == DCPN_CLI_INTERRUPTED)
            print_exit_code(code, "interrupted; fit and path save what they have, compare prints it, cv has nothing to "
                                  "choose from yet; --resume goes on from a checkpoint");
        for (int status = DCPN_OK; status <= DCPN_MEMORY; status++)
            if (dcpn_status_exit_code((dcpn_status)status) == code)
                print_exit_code(code, dcpn_status_meaning((dcpn_status)status));
    }
}

static int man(struct cli *cli, int argc, char **argv)
{
    int code = dcpn_cli_parse(cli, argc, argv, NULL, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    printf(".TH DCPN 1 \"\" \"dcpn %s\" \"User Commands\"\n", dcpn_version());
    fputs(".SH NAME\ndcpn \\- sparse learning with non\\-convex losses and penalties\n"
          ".SH SYNOPSIS\n.B dcpn\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n.SH DESCRIPTION\n",
          stdout);
    fputs("Fits sparse models by the DC proximal Newton algorithm. Results go to standard output, talk to standard\n"
          "error. A file named \\- is standard input or output; \\-\\- ends the options.\n.SH COMMANDS\n",
          stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) print_command(dcpn_cli_command_at(i));
    fputs(".SH OPTIONS OF EVERY COMMAND\n", stdout);
    for (const struct cli_option *option = dcpn_cli_common_options; option->name; option++) print_option(option);
    print_exit_codes();
    return 0;
}

const struct cli_command dcpn_cli_man = {
    .name = "man",
    .arguments = "",
    .summary = "Prints the manual page in roff",
    .examples = {"dcpn man | man -l -", "dcpn man > dcpn.1", "dcpn man | groff -man -T utf8 | less"},
    .options = options_of_man,
    .fewest = 0,
    .most = 0,
    .run = man,
};
