#!/usr/bin/env bash
# Installs the build into a folder and looks at what a desktop, a shell and man(1) would find there; each tool that is not installed is
# named and left out. Usage: installed_files_test.sh CMAKE BUILD-FOLDER
set -euo pipefail
prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$1" --install "$2" --prefix "$prefix" >/dev/null
share=$prefix/share
id=org.quadric.Quadric
failures=0

fail() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# has_tool NAME: whether it is installed.
has_tool() { command -v "$1" >/dev/null || { echo "$1 is not installed, its checks are left out"; return 1; }; }

# clean WHAT COMMAND...: the command ends well and has nothing to say.
clean() {
    local what=$1 said
    shift
    said=$("$@" 2>&1) && [ -z "$said" ] || fail "$what: $said"
}

# formatted PAGE: only the warnings.
formatted() { LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$1" 2>&1 >/dev/null; }

for file in applications/$id.desktop metainfo/$id.metainfo.xml mime/packages/$id.xml thumbnailers/$id.thumbnailer \
    icons/hicolor/{scalable/apps/$id.svg,16x16/apps/$id.png,512x512/apps/$id.png,48x48/mimetypes/application-x-quadric-study.png} \
    bash-completion/completions/quadric zsh/vendor-completions/_quadric fish/vendor_completions.d/quadric.fish doc/quadric/LICENSE; do
    [ -s "$share/$file" ] || fail "share/$file is not installed"
done

version=$("$prefix/bin/quadric" --version)
for program in "$prefix"/bin/*; do
    name=$(basename "$program")
    [ "$("$program" --version)" = "$name ${version#quadric }" ] || fail "$name --version says $("$program" --version)"
    page=$share/man/man1/$name.1
    [ -s "$page" ] || fail "$name has no man page"
    manual=$(sed 's/\\-/-/g' "$page")
    for option in $("$program" --help | grep -o -- '--[a-z][a-z-]*' | sort -u); do
        [[ $manual == *"$option"* ]] || fail "the man page of $name does not know $option"
    done
    ! has_tool man || clean "man page of $name" formatted "$page"
done
grep -q "version=\"${version#quadric }\"" "$share/metainfo/$id.metainfo.xml" || fail "the metainfo is not about $version"

! has_tool desktop-file-validate || clean "menu entry" desktop-file-validate "$share/applications/$id.desktop"
if has_tool appstreamcli; then
    # As it is once the repository is published: with a homepage and screenshots.
    appstreamcli validate --no-net "$2/resources/published/$id.metainfo.xml" || fail "the metainfo is not valid"
fi
if has_tool update-mime-database; then
    clean "MIME type" env XDG_DATA_DIRS="$share" update-mime-database "$share/mime"
    grep -q 'application/x-quadric-study+json:\*.quadric' "$share/mime/globs" || fail "*.quadric has no type"
fi

# The programs find each other in any prefix.
study=$prefix/study.quadric
"$prefix/bin/quadric" new "$study" --template cpu-ranks >/dev/null
env -i HOME="$prefix" "$prefix/bin/quadric" run "$study" --test --json >"$prefix/trial" 2>&1 || fail "run --test: $(cat "$prefix/trial")"

[ $failures -eq 0 ]
