// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::text {

/// A unit in which times of some size are read.
struct TimeUnit {
    const char* name;
    double seconds;
};

/// For times up to this one, in seconds: s, min, h or d.
TimeUnit findTimeUnit(double longest);

} // namespace quadric::text
