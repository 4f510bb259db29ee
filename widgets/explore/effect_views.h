// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/view.h"

namespace quadric::widgets {

/// Views of what the factors do. Each shows the message of a fit without a model.
View* makeParetoView();
View* makeMainEffectsView();
View* makeInteractionView();
View* makePerturbationView();
View* makeHalfNormalView();
View* makeCubeView();

} // namespace quadric::widgets
