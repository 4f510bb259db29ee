// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// Terms outside a model that add to the estimate of one of its terms.
struct TermAliases {
    std::vector<Term>
        whole;       ///< with a weight of at least 0.95 (with either sign): the estimate is the sum of both
    int partial = 0; ///< how many with a smaller weight, at least 0.1
};

/// Per term of the fit: the main effects, two-factor interactions and squares outside the model that the runs
/// cannot estimate beside it, by the alias matrix (X'X)⁻¹X'Z (Box & Wilson 1951). Empty lists where the runs
/// can estimate all of them: leaving a term out was then a choice.
std::vector<TermAliases> findTermAliases(const Fit& fit);

} // namespace quadric::model
