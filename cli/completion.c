/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn completion: what a shell needs to complete commands, options and the words that options take, from the same
 * tables as the parser and the help. */
#include "command.h"

#include <string.h>

static const struct cli_option options_of_completion[] = {DCPN_CLI_END};

/* ---- The words ---- */

/* The kinds of values that options take: one of some words, a file or folder, something else, or nothing. */
enum value_kind { NO_VALUE, WORDS, FILES, OTHER };

struct word {
    char name[64]; /* without the dashes */
    char letter;
    const char *help;
    enum value_kind kind;
    const char *choices;  /* separated by | */
    const char *registry; /* or the kind of a registry, and the default, which need not be in it */
    const char *default_text;
};

static int is_file(const char *argument)
{
    static const char *const files[] = {"FILE", "MODEL", "PAGE", "FOLDER", "PREFIX", "DATA", "TRACE"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strcmp(argument, files[i]) == 0) return 1;
    return 0;
}

static struct word word_of_option(const struct cli_option *option)
{
    struct word word = {.letter = option->letter, .help = option->help, .choices = option->choices};
    snprintf(word.name, sizeof word.name, "%s", option->name);
    word.kind = !option->argument ? NO_VALUE : option->choices ? WORDS : is_file(option->argument) ? FILES : OTHER;
    return word;
}

static struct word word_of_setting(const dcpn_setting *setting, int is_denied)
{
    struct word word = {.help = setting->help, .default_text = setting->default_text};
    snprintf(word.name, sizeof word.name, "%s%s", is_denied ? "no-" : "", setting->option);
    word.kind = setting->kind == DCPN_KIND_FLAG ? NO_VALUE : setting->kind == DCPN_KIND_CHOICE ? WORDS : OTHER;
    if (word.kind == WORDS && setting->choices[0] == '@')
        word.registry = setting->choices + 1;
    else
        word.choices = setting->choices;
    return word;
}

static const dcpn_setting *setting_of(const struct cli_option *option)
{
    for (size_t i = 0; i < dcpn_setting_count(); i++)
        if (strcmp(dcpn_setting_at(i)->option, option->name) == 0) return dcpn_setting_at(i);
    return NULL;
}

static const struct cli_option *own_option(const struct cli_command *command, const dcpn_setting *setting)
{
    for (const struct cli_option *option = command->options; option->name; option++)
        if (strcmp(option->name, setting->option) == 0) return option;
    return NULL;
}

/* An option that has the name of a setting takes its words too (--penalty of cv). */
static void visit_options(const struct cli_command *command,
                          void (*say)(const struct cli_command *, const struct word *))
{
    for (const struct cli_option *option = command->options; option->name; option++) {
        const dcpn_setting *setting = setting_of(option);
        struct word word = word_of_option(option);
        if (!option->help) continue;
        if (setting && setting->kind == DCPN_KIND_CHOICE && word.kind == OTHER) {
            word = word_of_setting(setting, 0);
            word.help = option->help;
        }
        say(command, &word);
    }
}

/* Calls say for every option of the command: its own, then the settings, flags also with no-. */
static void visit(const struct cli_command *command, void (*say)(const struct cli_command *, const struct word *))
{
    const struct word help = {.name = "help", .letter = 'h', .help = "the help of the command"};
    visit_options(command, say);
    for (size_t i = 0; command->takes_settings && i < dcpn_setting_count(); i++) {
        const dcpn_setting *setting = dcpn_setting_at(i);
        if (own_option(command, setting)) continue;
        for (int is_denied = 0; is_denied <= (setting->kind == DCPN_KIND_FLAG); is_denied++) {
            struct word word = word_of_setting(setting, is_denied);
            say(command, &word);
        }
    }
    say(command, &help);
}

/* The words that a value may be, with a blank between them. */
static void print_choices(const struct word *word)
{
    dcpn_part part;
    int has_default = 0;
    for (size_t i = 0; word->registry && dcpn_part_at(word->registry, i, &part); i++) {
        printf("%s%s", i ? " " : "", part.name);
        has_default |= strcmp(part.name, word->default_text) == 0;
    }
    if (word->registry && !has_default) printf(" %s", word->default_text);
    for (const char *c = word->choices ? word->choices : ""; *c; c++) putchar(*c == '|' ? ' ' : *c);
}

/* Text for single quotes of a shell. */
static void print_quoted(const char *text, const char *quote)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputs(quote, stdout);
        else
            putchar(*c);
    }
}

/* ---- bash ---- */

static void say_bash_word(const struct cli_command *command, const struct word *word)
{
    (void)command;
    printf(" --%s", word->name);
    if (word->letter) printf(" -%c", word->letter);
}

static void say_bash_value(const struct cli_command *command, const struct word *word)
{
    if (word->kind == NO_VALUE) return;
    printf("    '%s --%s'", command->name, word->name);
    if (word->letter) printf(" | '%s -%c'", command->name, word->letter);
    fputs(") ", stdout);
    if (word->kind == WORDS) {
        fputs("words='", stdout);
        print_choices(word);
        fputs("' ;;\n", stdout);
    } else {
        printf("files=%d ;;\n", word->kind == FILES);
    }
}

/* Prints the branch of a command: its options if the word begins with a dash, else the words that its arguments may
 * be. */
static void print_bash_command(const struct cli_command *command)
{
    printf("        '%s -')\n            words='", command->name);
    visit(command, say_bash_word);
    fputs("'\n            ;;\n", stdout);
    if (command->words) printf("        '%s ') words='%s' files=0 ;;\n", command->name, command->words);
}

static void print_bash(void)
{
    fputs("# bash completion of dcpn; made by 'dcpn completion bash'\n_dcpn()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    local words= files=1 dash=\n    COMPREPLY=()\n"
          "    [ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
          "    [ \"$word\" = = ] && word=\n"
          "    [ \"${word#-}\" = \"$word\" ] || dash=- files=0\n"
          "    [ \"$COMP_CWORD\" = 1 ] && command= before=\n"
          "    case \"$command $before\" in\n    ' ') files=0 words='",
          stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) printf("%s ", dcpn_cli_command_at(i)->name);
    fputs("help --help --version' ;;\n", stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) visit(dcpn_cli_command_at(i), say_bash_value);
    fputs("    *)\n        case \"$command $dash\" in\n", stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) print_bash_command(dcpn_cli_command_at(i));
    fputs("        esac\n        ;;\n    esac\n"
          "    if [ -n \"$words\" ]; then\n        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    elif [ \"$files\" = 1 ]; then\n        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n    fi\n"
          "}\ncomplete -o filenames -F _dcpn dcpn\n",
          stdout);
}

/* ---- zsh ---- */

/* Square brackets and colons have a meaning in a specification. */
static void print_zsh_text(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("[]:\\", *c)) putchar('\\');
        if (*c == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*c);
    }
}

static void print_zsh_value(const struct word *word)
{
    if (word->kind == NO_VALUE) return;
    fputs(":value:", stdout);
    if (word->kind == FILES) fputs("_files", stdout);
    if (word->kind != WORDS) return;
    putchar('(');
    print_choices(word);
    putchar(')');
}

static void say_zsh(const struct cli_command *command, const struct word *word)
{
    (void)command;
    printf("        '--%s%s[", word->name, word->kind == NO_VALUE ? "" : "=");
    print_zsh_text(word->help);
    putchar(']');
    print_zsh_value(word);
    fputs("' \\\n", stdout);
    if (!word->letter) return;
    printf("        '-%c[", word->letter);
    print_zsh_text(word->help);
    putchar(']');
    print_zsh_value(word);
    fputs("' \\\n", stdout);
}

static void print_zsh(void)
{
    fputs("#compdef dcpn\n# zsh completion of dcpn; made by 'dcpn completion zsh'\n_dcpn() {\n    local -a commands\n"
          "    commands=(\n",
          stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) {
        printf("        '%s:", dcpn_cli_command_at(i)->name);
        print_zsh_text(dcpn_cli_command_at(i)->summary);
        fputs("'\n", stdout);
    }
    fputs("        'help:the help of a command'\n    )\n    if (( CURRENT == 2 )); then\n"
          "        _describe command commands\n        return\n    fi\n    local command=$words[2]\n"
          "    shift words\n    (( CURRENT-- ))\n    case $command in\n",
          stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) {
        const struct cli_command *command = dcpn_cli_command_at(i);
        printf("    %s)\n        _arguments -s \\\n", command->name);
        visit(command, say_zsh);
        printf("        '*:argument:%s%s%s'\n        ;;\n", command->words ? "(" : "_files",
               command->words ? command->words : "", command->words ? ")" : "");
    }
    fputs("    help) _describe command commands ;;\n    esac\n}\n_dcpn \"$@\"\n", stdout);
}

/* ---- fish ---- */

static void say_fish(const struct cli_command *command, const struct word *word)
{
    printf("complete -c dcpn -n '__fish_seen_subcommand_from %s' -l %s", command->name, word->name);
    if (word->letter) printf(" -s %c", word->letter);
    if (word->kind == WORDS) {
        fputs(" -x -a '", stdout);
        print_choices(word);
        putchar('\'');
    } else if (word->kind != NO_VALUE) {
        fputs(word->kind == FILES ? " -r -F" : " -x", stdout);
    }
    fputs(" -d '", stdout);
    print_quoted(word->help, "\\'");
    fputs("'\n", stdout);
}

static void print_fish(void)
{
    fputs("# fish completion of dcpn; made by 'dcpn completion fish'\n", stdout);
    for (size_t i = 0; dcpn_cli_command_at(i); i++) {
        const struct cli_command *command = dcpn_cli_command_at(i);
        printf("complete -c dcpn -f -n __fish_use_subcommand -a %s -d '", command->name);
        print_quoted(command->summary, "\\'");
        fputs("'\n", stdout);
    }
    for (size_t i = 0; dcpn_cli_command_at(i); i++) {
        const struct cli_command *command = dcpn_cli_command_at(i);
        if (command->words)
            printf("complete -c dcpn -f -n '__fish_seen_subcommand_from %s' -a '%s'\n", command->name, command->words);
        visit(command, say_fish);
    }
}

/* ---- The command ---- */

static int completion(struct cli *cli, int argc, char **argv)
{
    int code = dcpn_cli_parse(cli, argc, argv, NULL, NULL);
    if (code != DCPN_CLI_GO_ON) return code;
    const char *shell = cli->arguments[0];
    if (strcmp(shell, "bash") == 0)
        print_bash();
    else if (strcmp(shell, "zsh") == 0)
        print_zsh();
    else if (strcmp(shell, "fish") == 0)
        print_fish();
    else
        return dcpn_cli_fail(cli, DCPN_USAGE, "found the shell '%s', expected bash, zsh or fish", shell);
    return 0;
}

const struct cli_command dcpn_cli_completion = {
    .name = "completion",
    .arguments = "bash|zsh|fish",
    .summary = "Prints the completion for a shell",
    .details = "An installed dcpn has it already.",
    .examples = {"source <(dcpn completion bash)", "dcpn completion zsh > ~/.zfunc/_dcpn",
                 "dcpn completion fish > ~/.config/fish/completions/dcpn.fish"},
    .options = options_of_completion,
    .words = "bash zsh fish",
    .fewest = 1,
    .most = 1,
    .run = completion,
};
