#!/bin/sh
# Installs the build tree $1 into a fresh prefix, moves the prefix, and builds a consumer from it in every way there is.
set -eu
build=$1
source=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/prefix"
prefix=$work/prefix

cd "$work" # the consumers write files

# A file that a program of its own reads, where that is built; a program linked statically finds it by DCPN_LIBEXEC.
file=""
if [ -x "$prefix/libexec/dcpn/dcpn-import" ] && python3 -c "import scipy.io" 2>/dev/null; then
    file=$work/data.mat
    python3 -c "import scipy.io; scipy.io.savemat('$file', {'X': [[1.0, 2.0], [3.0, 4.0]], 'y': [1.0, -1.0]})"
    export DCPN_LIBEXEC="$prefix/libexec/dcpn"
fi

echo "find_package: shared and static"
cmake -G Ninja -S "$source" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" &&
    cmake --build "$work/build" >>"$work/log" || { cat "$work/log"; exit 1; }
"$work/build/consumer_shared" $file
"$work/build/consumer_static" $file

pc=$(dirname "$(find "$prefix" -name dcpn.pc)")
libdir=$(dirname "$pc")
export PKG_CONFIG_PATH="$pc"
echo "pkg-config: shared"
# shellcheck disable=SC2046 # words are wanted
cc "$source/main.c" -o "$work/pc_shared" $(pkg-config --cflags --libs dcpn)
LD_LIBRARY_PATH=$libdir "$work/pc_shared" $file
echo "pkg-config: static"
# shellcheck disable=SC2046
cc -static "$source/main.c" -o "$work/pc_static" $(pkg-config --static --cflags --libs dcpn)
"$work/pc_static" $file

if command -v c++ >/dev/null; then
    echo "C++: shared"
    # shellcheck disable=SC2046
    c++ -std=c++17 "$source/main.cpp" -o "$work/plus" $(pkg-config --cflags --libs dcpn)
    LD_LIBRARY_PATH=$libdir "$work/plus"
fi

echo "the command, its manual page, completions and every header"
"$prefix/bin/dcpn" --version
test -s "$(find "$prefix" -name dcpn.1)"
for completion in bash-completion/completions/dcpn zsh/site-functions/_dcpn fish/vendor_completions.d/dcpn.fish; do
    test -s "$prefix/share/$completion"
done
for header in "$source"/../../include/dcpn/*.h "$source"/../../include/dcpn/*.def; do
    test -f "$prefix/include/dcpn/$(basename "$header")"
done
test ! -e "$prefix/include/dcpn/layout" # structs that programs reach by name alone
