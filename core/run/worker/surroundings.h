// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/recipe.h"

namespace quadric::run {

/// Notes what decides how a worker runs beside its command: the kernel, and the environment with those
/// variables that libraries of training and clusters read. Names that may hold a secret (token, key, password
/// …) and values with a user's name and password in an address are left out.
void noteSurroundings(const Launch& launch, study::Provenance& provenance);

} // namespace quadric::run
