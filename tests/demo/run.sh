#!/bin/sh
# usage: run.sh DCPN
# The README's first command, with a program that is built already: it ends well, its table says that MCP keeps fewer
# features than the lasso, fewer that do not matter, and is right as often, and no option is warned of.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! DCPN=$1 DEMO_FOLDER=$folder "$root/script/demo" >"$folder/out" 2>"$folder/err"; then
    cat "$folder/err"
    exit 1
fi
if grep 'warning: --' "$folder/err"; then exit 1; fi
awk '$1 == "lasso" { kept = $2; noise = $4; right = $5 } $1 == "MCP" { found = $2; wrong = $4; good = $5 }
    END { exit !(found > 0 && found < kept / 2 && wrong < noise / 2 && good > right - 1) }' "$folder/out" ||
    { cat "$folder/out"; exit 1; }
