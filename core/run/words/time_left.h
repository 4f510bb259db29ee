// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::run {

/// How long something still takes: about `seconds`, from `low` to `high` in nine of ten cases.
struct TimeLeft {
    double seconds = 0.0, low = 0.0, high = 0.0;
    bool operator==(const TimeLeft&) const = default;

    /// It may well be off by more than a fifth: the interval is worth telling.
    bool isUncertain() const { return high > 1.2 * seconds || low < 0.8 * seconds; }
};

} // namespace quadric::run
