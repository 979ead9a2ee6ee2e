#!/usr/bin/env bash
# Builds the fuzz targets of the crates and runs one of them, or all one after the other, with
# options of libFuzzer:
#   crates/fuzz.sh all -max_total_time=5
#   crates/fuzz.sh patterns -runs=10000000
# Stable Rust and a C++ compiler are enough. Findings are in the crate's fuzz/artifacts/TARGET/.
set -euo pipefail
here=$(dirname "$0")
# The targets of each crate are a workspace of their own; all are built in one place.
built=$(realpath -m "${CARGO_TARGET_DIR:-$here/../target}/fuzz")
cd "$here"
wanted=${1:?a target or all} && shift

# Coverage as libFuzzer wants it, with flags that stable Rust knows. (cargo-fuzz, which needs
# nightly Rust, sets its own.) The platform is named so that build scripts and macros do without.
platform=$(rustc -vV | sed -n 's/^host: //p')
export RUSTFLAGS="--cfg fuzzing -Cpasses=sancov-module \
    -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
    -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares"

run() { # CRATE TARGET OPTIONS...
    local crate=$1 target=$2 dictionary length && shift 2
    case $target in
        containers | warc_head | arc_head) dictionary=warc length=4096 ;;
        units) dictionary=warc length=2048 ;;
        http_*) dictionary=http length=1024 ;;
        page_*) dictionary=html length=1024 ;;
        robots_*) dictionary=robots length=512 ;;
        *) dictionary=robots length=96 ;;
    esac
    echo "== $crate $target"
    (
        cd "$crate/fuzz"
        mkdir -p "corpus/$target" "artifacts/$target"
        "$built/$platform/release/$target" \
            -max_len=$length -dict="dictionaries/$dictionary.dict" \
            -artifact_prefix="artifacts/$target/" -rss_limit_mb=2048 -timeout=20 \
            -print_final_stats=1 "$@" "corpus/$target" "seeds/$target" 2>&1 |
            grep -E 'ERROR|panicked|assert|left:|right:|Test unit|executed_units|peak_rss'
    )
}

is_known=
for crate in page-directives robots-dialects warc-recovery; do
    targets=$(cd $crate/fuzz/fuzz_targets && ls *.rs | sed 's/\.rs$//')
    [ "$wanted" = all ] || targets=$(grep -x "$wanted" <<<"$targets") || continue
    is_known=1
    # Not --locked: the lock file follows when the crate's dependencies change.
    (cd $crate/fuzz && cargo build --release --target "$platform" --target-dir "$built")
    for target in $targets; do
        run $crate "$target" "$@"
    done
done
[ -n "$is_known" ] || { echo "no fuzz target is called $wanted" >&2 && exit 2; }
