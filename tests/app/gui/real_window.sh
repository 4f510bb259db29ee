# shellcheck shell=bash
# What the tests of the real window under Xvfb share, to be sourced: $folder is theirs alone, and the home of their user.

folder=$(mktemp -d)
export HOME=$folder XDG_CONFIG_HOME=$folder/config XDG_RUNTIME_DIR=$folder/runtime QT_QPA_PLATFORM=xcb
mkdir -m 700 "$folder/runtime"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds.
wait_for() {
    local deadline=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $deadline ] || fail "waited in vain for $what"
        sleep 0.2
    done
}

# The display may still be the one of an earlier test that is ending. A server that starts anew when its last client leaves refuses the
# next one, so that it is run with -noreset.
start_window_manager() {
    xdotool getdisplaygeometry && { openbox & } && sleep 0.5 && kill -0 $!
}
