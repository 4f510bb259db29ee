// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::run {

/// What is wrong when the worker says that it measured something else than it was given: kind "bad-output".
/// `claimed`: JSON object of settings as the worker tells them in its provenance; what it leaves out is
/// believed. The built-in workload tells all that it has: a factor that is none of them is "bad-settings".
std::optional<study::Failure> contradiction(const study::Study& study, const study::Run& run,
                                            const std::string& claimed);

} // namespace quadric::run
