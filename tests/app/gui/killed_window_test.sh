#!/usr/bin/env bash
# A user starts the experiment in the real window, the window is killed in the middle, and a new window attaches to the running
# experiment: every run is measured once and none is lost. Needs Xvfb, openbox, xdotool and xauth.
# Usage: killed_window_test.sh QUADRIC EXAMPLE-STUDY DESKTOP-ENTRY [FOLDER FOR SCREENSHOTS]
set -euo pipefail
quadric=$1
example=$2
entry=$3
pictures=${4:-}

if [ -z "${INSIDE_XVFB:-}" ]; then
    INSIDE_XVFB=yes exec xvfb-run -a -s "-noreset -screen 0 1360x860x24" "$0" "$@"
fi

# shellcheck source=tests/app/gui/real_window.sh
. "$(dirname "$0")/real_window.sh"
window_pid=
trap 'kill -9 $window_pid 2>/dev/null || true; rm -rf "$folder"' EXIT
study=$folder/study.quadric
sed 's/"max_seconds": *[0-9.]*/"max_seconds": 1.5/' "$example" >"$study"

picture() {
    [ -z "$pictures" ] || { mkdir -p "$pictures" && import -window root "$pictures/$1.png"; }
}

done_runs() { "$quadric" status "$study" --json | grep -o '"done": *[0-9]*' | head -1 | grep -o '[0-9]*$'; }
has_done() { [ "$(done_runs)" -ge "$1" ]; }
is_over() { has_done 15 && [ ! -e "$study-journal" ]; }

open_window() {
    "$quadric" "$study" 2>"$folder/window.log" &
    window_pid=$!
    wait_for 60 "the window" xdotool search --onlyvisible --pid $window_pid --name .
    window=$(xdotool search --onlyvisible --pid $window_pid --name . | head -1)
    wait_for 20 "the active window" xdotool windowactivate --sync "$window"
}

wait_for 30 "the window manager" start_window_manager
open_window
class=$(sed -n 's/^StartupWMClass=//p' "$entry")
wait_for 20 "a window of class $class, as the menu entry says" xdotool search --onlyvisible --pid $window_pid --class "^$class\$"
xdotool key --clearmodifiers ctrl+2
sleep 0.5
xdotool key --clearmodifiers alt+a   # Start
wait_for 60 "the third run" has_done 3
picture before-the-kill
kill -9 $window_pid
before=$(done_runs)
wait_for 60 "the runner to go on without the window" has_done $((before + 2))

open_window
sleep 1
picture after-the-kill
wait_for 200 "all runs" is_over
sleep 1
picture finished
baselines=$(grep '"event":"run-started"' "$study-events" | grep '"kind":"baseline"' | grep -o '"run":{"id":[0-9]*' | sort -u | wc -l || true)
[ "$("$quadric" info "$study" --json | grep -c '"source": *"measured"')" -eq $((15 + baselines)) ] ||
    fail "expected 15 measured runs and $baselines baselines"
# What was disturbed may be measured again, until the machine is simply in use. Nothing else is started twice.
events() { grep "\"event\":\"$1\"" "$study-events" | grep "$2" | grep -o '"run":{"id":[0-9]*' | sort || true; }
[ "$(events run-started . | uniq | wc -l)" -eq $((15 + baselines)) ] || fail "expected each run to be started"
disturbed=$(events run-done '"disturbed":true' | uniq)
again=$(events run-started . | uniq -d)
[ -z "$(comm -23 <(echo "$again") <(echo "$disturbed"))" ] || fail "started twice, but not disturbed: $again"
echo "The window was killed after $before runs; all 15 runs and $baselines baselines were measured."
