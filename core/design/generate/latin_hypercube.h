// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// A maximin Latin hypercube (Morris & Mitchell 1995): `runs` × `columns`, every column a permutation of 0 …
/// runs − 1. Starts from a random one and exchanges two entries of a column as long as φ_p, the p-norm of the
/// inverse distances, falls; the best of several starts. The same for the same seed. Throws
/// Stopped.
Eigen::MatrixXi maximinLatinHypercube(int runs, int columns, std::uint64_t seed,
                                      const std::stop_token& stop = {}, const Progress& progress = {});

/// Smallest distance between two rows of a Latin hypercube, in steps.
double smallestDistance(const Eigen::MatrixXi& rows);

} // namespace quadric::design
