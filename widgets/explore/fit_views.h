// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/view.h"

namespace quadric::widgets {

/// Views that ask whether the model can be believed. Each shows the message of a fit without a model.
View* makePredictedView();
View* makeResidualView();
View* makeRunOrderView();
View* makeBoxCoxView();
View* makeCoefficientView();
View* makeAnovaView();
View* makeSummaryView();
View* makeReportCardView();

} // namespace quadric::widgets
