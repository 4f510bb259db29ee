// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

namespace quadric::widgets {

/// "Box–Behnken", "Central composite", …; "Custom runs" for runs from elsewhere, "No design" for none.
QString designName(std::string_view type);

/// One sentence: what the design is good for.
QString designPurpose(std::string_view type);

/// A column's heading: the name, broken after underscores where it is long, and the unit under it.
QString columnHeading(std::string_view name, std::string_view unit);

/// The text of numbers with "−" instead of "-".
QString withMinusSigns(QString numbers);

/// Range of a factor in its own unit: "8 … 64 images", or the level names.
QString rangeWords(const study::Factor& factor);

/// "Box–Behnken · 3 factors · 15 runs, 3 of them at the center · random order, seed 42".
QString designWords(const study::Study& study);

} // namespace quadric::widgets
