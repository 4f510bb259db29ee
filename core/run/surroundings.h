// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe.h"

namespace quadric::run {

/// What decides how a worker runs beside its command, as entries of a provenance: `kernel`, and `environment`
/// with those variables that libraries of training and clusters read. Names that may hold a secret (token,
/// key, password …) and values with a user's name and password in an address are left out.
study::UnknownKeys surroundingsOf(const Launch& launch);

} // namespace quadric::run
