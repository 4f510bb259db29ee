// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// What is different in `after`, for a status line: "1 factor and 2 runs were added, 1 run was measured, the
/// description was changed". Empty where there is nothing to say; how pages are arranged is not.
std::string changesInWords(const Study& before, const Study& after);

} // namespace quadric::study
