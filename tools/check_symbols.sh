#!/bin/sh
# usage: check_symbols.sh LIBDCPN.a LIBDCPN.so INCLUDE_DIR
# Every global symbol of the static library starts with dcpn_, and the shared library exports exactly the functions that
# the public headers declare, each with a version.
set -eu
archive=$1 shared=$2 headers=$3
export LC_ALL=C
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
result=0

nm -g --defined-only "$archive" | awk 'NF == 3 && $3 !~ /^dcpn_/ { print $3 }' >"$work/foreign"
if [ -s "$work/foreign" ]; then
    echo "global symbols without the prefix dcpn_:"
    cat "$work/foreign"
    result=1
fi

cat "$headers"/*.h | tr '\n' ' ' | grep -o 'DCPN_API [^(;]*(' | grep -o 'dcpn_[a-z0-9_]*($' | tr -d '(' |
    sort >"$work/declared"
nm -D --defined-only "$shared" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort >"$work/exported"
nm -D --defined-only "$shared" | awk '$2 != "A" && $3 !~ /@@DCPN_/ { print $3 }' >"$work/unversioned"
if [ -s "$work/unversioned" ]; then
    echo "exported symbols without a version (cmake/exports.map):"
    cat "$work/unversioned"
    result=1
fi
test -s "$work/declared"
if ! diff "$work/declared" "$work/exported" >"$work/difference"; then
    echo "declared (<) and exported (>) functions differ:"
    cat "$work/difference"
    result=1
fi
exit $result
