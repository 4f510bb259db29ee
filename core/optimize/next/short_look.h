// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"

namespace quadric::optimize {

/// What a follow-up has to reach to be worth a full measurement, where one response alone is to be maximized
/// or minimized, without a limit: the value that one more run at the best setting so far, by prediction and
/// among those that were measured in full, falls short of in one of 1000 cases (end of its one-sided
/// prediction interval). Empty for other goals and without a usable process.
std::optional<study::ShortLook> findShortLookBar(const study::Study& study,
                                                 const std::vector<model::Process>& processes);

} // namespace quadric::optimize
