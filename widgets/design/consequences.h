// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"

#include <QString>

namespace quadric::widgets {

/// What a change of the runs does to a design: "D-efficiency from 46 % to 44 %, mean prediction variance from
/// 0.35 to 0.41 σ². No longer true: orthogonal." Says so when nothing of it changes.
QString consequenceWords(const design::Evaluation& before, const design::Evaluation& after);

} // namespace quadric::widgets
