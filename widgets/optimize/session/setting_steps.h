// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/session/optimize_session.h"

#include <QPointF>

namespace quadric::widgets {

/// The settings with one factor moved to the legal value nearest to `actual` (categorical factors: the level
/// with this index).
study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual);

/// The settings with a numeric factor moved by this share of its range, to a legal value; at least to the
/// next one.
study::Settings withStep(const study::Study& study, study::Settings settings, std::size_t factor,
                         double share);

/// Where the setting that is looked at stands over two numeric factors, actual values.
QPointF placeOf(const Answer& answer, std::size_t x, std::size_t y);

/// What the other factors are held at there, as pictures say it.
QString heldBeside(const Answer& answer, std::size_t x, std::size_t y);

/// The setting that was asked for, `factor` moved; where the study wants settings near the runs only and the
/// answer shows one, the last of those on the way to it.
study::Settings keptNearRuns(const Answer& answer, std::size_t factor, const study::Settings& moved);

} // namespace quadric::widgets
