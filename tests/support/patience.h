// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

namespace quadric {

/// The longest wait for something that has to happen, in milliseconds. Waits end with the event: only a test
/// that fails waits for so long. Qt then waits twice as long once more, to say what would have been enough.
inline constexpr int kPatienceMs = 90'000;

/// The longest wait for a whole experiment, of which each run starts programs.
inline constexpr int kExperimentMs = 280'000;

} // namespace quadric

// Qt gives up after five seconds, which a busy or slow machine needs for other things.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, quadric::kPatienceMs)
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT(expr, message, quadric::kPatienceMs)
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, quadric::kPatienceMs)
