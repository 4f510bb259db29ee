// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <vector>

class QComboBox;

namespace quadric::widgets {

/// Offers the numeric factors as the axes of a plot, each with its index in the study as data; the first two
/// are chosen. The choice is kept where both offer these factors already.
void fillAxisChoosers(QComboBox& first, QComboBox& second, const std::vector<study::Factor>& factors);

} // namespace quadric::widgets
