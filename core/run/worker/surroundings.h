// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"

namespace quadric::run {

/// Notes what decides how a worker runs beside its command: the kernel, and of the environment what
/// keepHarmless() leaves.
void noteSurroundings(const Launch& launch, study::Provenance& provenance);

/// Of the variables those whose names are on a list of settings of libraries, launchers and Slurm, and whose
/// values hold nothing that looks like a secret (core/text/secrets.h).
void keepHarmless(std::map<std::string, std::string>& environment);

} // namespace quadric::run
