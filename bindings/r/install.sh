#!/bin/sh
# usage: install.sh R LIBRARY FOLDER: installs the package, and shows what R said of it only if that fails.
"$1" CMD INSTALL --no-test-load --library="$2" "$3" >"$3.log" 2>&1 || {
    cat "$3.log" >&2
    exit 1
}
