#!/usr/bin/env bash
# What a screen reader is told of the real window, over AT-SPI: the profiler is an image with a description, its lines are sliders with
# names and values. Needs Xvfb, xauth, openbox, xdotool, dbus-run-session, gdbus and at-spi2-core.
# Usage: screen_reader_test.sh QUADRIC EXAMPLE-STUDY
# shellcheck disable=SC2086 # an object is a name and a path, two words
set -euo pipefail
quadric=$1
example=$2

if [ -z "${INSIDE_XVFB:-}" ]; then
    INSIDE_XVFB=yes exec xvfb-run -a -s "-noreset -screen 0 1360x860x24" dbus-run-session -- "$0" "$@"
fi

# shellcheck source=tests/app/gui/real_window.sh
. "$(dirname "$0")/real_window.sh"
window_pid=
trap 'kill $window_pid 2>/dev/null || true; rm -rf "$folder"' EXIT
export QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
cp "$example" "$folder/study.quadric"

find_bus() { bus=$(gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus --method org.a11y.Bus.GetAddress | cut -d"'" -f2) && [ -n "$bus" ]; }

# ask NAME PATH METHOD ARGUMENT...
ask() {
    local name=$1 path=$2 method=$3
    shift 3
    gdbus call --address "$bus" --dest "$name" --object-path "$path" --method "$method" "$@" 2>/dev/null
}

property() { ask "$1" "$2" org.freedesktop.DBus.Properties.Get "$3" "$4"; }

# The children of an object, "NAME PATH" a line.
children() { ask "$1" "$2" org.a11y.atspi.Accessible.GetChildren | grep -oE "'[^']+', (objectpath )?'[^']+'" | sed "s/objectpath //; s/', '/ /; s/'//g"; }

# The first object below this one with the name.
find_below() {
    local child
    while read -r child; do
        if [[ $(property $child org.a11y.atspi.Accessible Name) == "(<'$3'>,)" ]]; then
            echo "$child"
            return 0
        fi
        find_below $child "$3" && return 0
    done < <(children "$1" "$2")
    return 1
}

wait_for 20 "the bus of AT-SPI" find_bus
find_bus
wait_for 30 "the window manager" start_window_manager
"$quadric" "$folder/study.quadric" &
window_pid=$!
wait_for 60 "the window" xdotool search --onlyvisible --pid $window_pid --name .
wait_for 20 "the active window" xdotool windowactivate --sync "$(xdotool search --onlyvisible --pid $window_pid --name . | head -1)"
xdotool key --clearmodifiers ctrl+4
has_program() { program=$(children org.a11y.atspi.Registry /org/a11y/atspi/accessible/root | head -1) && [ -n "$program" ]; }
wait_for 20 "the program on the bus" has_program
has_program
has_profiler() { profiler=$(find_below $program "Prediction profiler"); }
wait_for 60 "the profiler" has_profiler
has_profiler
description=$(property $profiler org.a11y.atspi.Accessible Description)
[[ $description == *"Every response along every factor"* ]] || fail "the profiler is described as $description"
sliders=0
while read -r line; do
    role=$(ask $line org.a11y.atspi.Accessible.GetRoleName)
    name=$(property $line org.a11y.atspi.Accessible Name)
    value=$(property $line org.a11y.atspi.Value CurrentValue)
    echo "$role $name $value"
    [[ $role == "('slider',)" && $name != "(<''>,)" && $value =~ [0-9] ]] && sliders=$((sliders + 1))
done < <(children $profiler)
[ $sliders -ge 3 ] || fail "$sliders lines of the profiler are sliders, expected one for each of 3 factors"
echo "$sliders sliders, each with name and value"
