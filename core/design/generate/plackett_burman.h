// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <Eigen/Core>

namespace quadric::design {

/// A conference matrix of this even order, 4 to 50: zeros on the diagonal, ±1 elsewhere, C C' = (order − 1)
/// I. Paley's, or a skew one doubled. Empty where none is known to this program or none exists (22, 34).
Eigen::MatrixXd conferenceMatrix(int order);

/// The run counts of plackettBurman(): 8, 12, 16 … 48.
std::vector<int> plackettBurmanRuns();

/// Plackett & Burman 1946: `runs` × (runs − 1) signs with orthogonal columns. Cyclic shifts of their first
/// row and a row of minus; 28 from Paley's matrix of 27 and 40 from two designs of 20, as they have no such
/// row. Throws DesignError for other numbers.
Eigen::MatrixXd plackettBurman(int runs);

} // namespace quadric::design
