// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/optimize/views/answer_view.h"

namespace quadric::widgets {

class SurfaceView;

/// What a surface of the answer is of: a response by its index, or the overall desirability.
using SurfaceSubject = std::optional<std::size_t>;

/// Shows the surface over two factors around the setting that is looked at, which is marked, with so many
/// nodes along each axis; or why there is none.
void showSurface(SurfaceView& surface, const Answer& answer, const SurfaceSubject& subject,
                 const AxisChoice& axes, int points);

} // namespace quadric::widgets
