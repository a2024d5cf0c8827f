#!/bin/sh
# Follows docs/howto/add_a_loss.md and add_a_penalty.md in a copy of the sources, and asks the result: the parts are
# listed, fits with them converge, and the conformance tests accept them.
set -eu
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/dcpn"
for part in CMakeLists.txt LICENSE cmake include src cli plot import tests tools docs experiments; do cp -R "$source/$part" "$work/dcpn/"; done
for howto in "$work"/dcpn/docs/howto/add_a_*.md; do python3 "$source/tests/howto/follow.py" "$howto" "$work/dcpn"; done

quietly() { # shows what a command said only if it fails
    "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
}

suite=problems_combinations
for test in "$work"/dcpn/tests/conformance/test_*.c; do
    subject=${test##*/test_}
    suite="$suite conformance_${subject%.c}"
done
quietly cmake -G Ninja -S "$work/dcpn" -B "$work/build" -DCMAKE_BUILD_TYPE=Debug -DDCPN_BUILD_EXAMPLES=OFF -DDCPN_BUILD_PYTHON=OFF -DDCPN_BUILD_R=OFF \
    -DDCPN_WERROR=ON
# shellcheck disable=SC2086 # words are wanted
quietly cmake --build "$work/build" --target dcpn_command $suite

dcpn=$work/build/dcpn
echo "dcpn list"
"$dcpn" list losses | grep log-cosh
"$dcpn" list penalties | grep sqrt
"$dcpn" fit --help-all | tr -s ' \n' ' ' | grep -q 'log, sqrt: its scale'

echo "fits"
"$dcpn" generate toy --features 30 --relevant 5 --rows 200 -o "$work/toy.svm"
fit() {
    "$dcpn" fit "$work/toy.svm" --strict --json "$@" | grep -o '"outcome": "converged"'
}
fit --loss log-cosh --penalty l1 --lambda 4
fit --loss log-cosh --penalty sqrt --lambda 4
fit --loss logistic --penalty sqrt --lambda 4 --metric lbfgs

echo "conformance, and every combination"
quietly ctest --test-dir "$work/build" -R '^(conformance|problems[.]combinations)' --no-tests=error --output-on-failure
