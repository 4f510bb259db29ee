// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"
#include "core/run/worker/placement.h"

namespace quadric::run {

/// The record of a run that is being started: `run` with what is known about the attempt beforehand.
study::Run startedRecord(study::Run run, const Launch& launch, const Placement& placement,
                         const std::filesystem::path& document);

} // namespace quadric::run
