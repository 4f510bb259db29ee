// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::design {

/// What a design is judged for when nobody says otherwise: the model that an optimal design was made for;
/// else the largest of "quadratic", "interactions" and "linear" of which the runs tell all terms apart with
/// an error left, without an error where none leaves one, and "linear" where they tell none apart. Throws
/// DesignError as evaluate() does.
std::string largestModel(const study::Study& study);

} // namespace quadric::design
