same() { # two models, but for the command that made them
    grep -v '^  "command"' "$1" > 1.same
    grep -v '^  "command"' "$2" > 2.same
    cmp 1.same 2.same
}
