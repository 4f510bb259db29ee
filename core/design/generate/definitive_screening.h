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

} // namespace quadric::design
