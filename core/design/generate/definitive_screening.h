// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// Jones & Nachtsheim 2011: the rows of a conference matrix, each followed by its mirror image, without the
/// center run: 2m × factors entries −1, 0, +1. `order` is that of the matrix, at least `factors`. Throws
/// DesignError when there is no matrix of this order.
Eigen::MatrixXd definitiveScreening(int factors, int order);

/// Orders of the conference matrices that there are, ascending: 4, 6, 8 … 50 with gaps.
std::vector<int> conferenceOrders();

/// A definitive screening design, the factors that have a middle level at three levels. Factors of two
/// levels (categorical ones, and numeric ones without a value in the middle) have their zeros replaced by one
/// sign in the run and the other in its mirror image, chosen for the largest determinant of the main effects;
/// the center runs then come in pairs that mirror these factors (DSD-augment of Jones & Nachtsheim 2013).
/// `runs` asks for a larger matrix of which some columns stay empty. Blocks hold whole pairs. A Generator of
/// core/design/base/design_type.h.
std::vector<DesignPoint> definitiveScreeningOf(const study::Study& study, const std::stop_token& stop,
                                               const Progress& progress);

} // namespace quadric::design
