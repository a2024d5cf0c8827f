#!/bin/sh
# usage: run.sh DCPN
# The README's first command, with a program that is built already: it ends well, prints both rows of its table with
# numbers in them, capped-l1 with fewer features than the lasso, and gives the program no option that it warns of.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

if ! DCPN=$1 DEMO_FOLDER=$folder "$root/script/demo" >"$folder/out" 2>"$folder/err"; then
    cat "$folder/err"
    exit 1
fi
if grep 'warning: --' "$folder/err"; then exit 1; fi
awk '$1 == "l1" && $3 > 90 { lasso = $5 } $1 == "capped-l1" && $3 > 90 { capped = $5 }
    END { exit !(capped > 0 && capped < lasso) }' "$folder/out" || { cat "$folder/out"; exit 1; }
