// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/view.h"

namespace quadric::widgets {

/// Views of the fitted response over two factors. Each shows the message of a fit without a model.
View* makeSurfaceView();
View* makeContourView();

} // namespace quadric::widgets
