// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Eigen/Core>

namespace quadric::design {

/// Paley's matrix of order q + 1 for an odd prime power q below 50 (Paley 1933): zeros on the diagonal, ±1
/// elsewhere, C C' = q I. Symmetric for q ≡ 1, skew for q ≡ 3 (mod 4). Empty where q is no such number.
Eigen::MatrixXd paleyMatrix(int q);

/// A conference matrix of this even order, 4 to 50: zeros on the diagonal, ±1 elsewhere, C C' = (order − 1)
/// I. Paley's, or a skew one doubled. Empty where none is known to this program or none exists (22, 34).
Eigen::MatrixXd conferenceMatrix(int order);

} // namespace quadric::design
