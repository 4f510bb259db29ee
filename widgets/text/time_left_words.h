// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace quadric::widgets {

/// Seconds of the unit in which a time that is left is told: a minute, an hour or a day.
double unitOfTimeLeft(double seconds);

/// remainingText() with an interval: "about 12 minutes left (10 to 16)"; without it where both ends read the
/// same.
QString remainingText(double seconds, double low, double high);

} // namespace quadric::widgets
