// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/time_left_words.h"

#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kLeastMinute = 45, kMinute = 60, kHour = 3600, kDay = 86400; // seconds

} // namespace

double unitOfTimeLeft(double seconds)
{
    if (std::lround(seconds / kMinute) < 90)
        return kMinute;
    return std::lround(seconds / kHour) < 36 ? kHour : kDay;
}

QString remainingText(double seconds, double low, double high)
{
    QString text = remainingText(seconds);
    if (text.isEmpty() || !std::isfinite(high))
        return text;
    const double unit = unitOfTimeLeft(seconds);
    const long least = std::lround(std::max(low, 0.0) / unit), most = std::lround(high / unit);
    if (least >= most || most <= 1)
        return text;
    if (seconds < kLeastMinute)
        return tr("%1 (%2 minutes at most)").arg(text).arg(most);
    return least == 0 ? tr("%1 (%2 at most)").arg(text).arg(most)
                      : tr("%1 (%2 to %3)").arg(text).arg(least).arg(most);
}

} // namespace quadric::widgets
