// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

namespace quadric::model {

enum class Verdict { Green, Amber, Red };

/// One line of the report card of a fit, in words for someone who is not a statistician.
struct ReportCardItem {
    std::string topic; ///< "Enough runs", "Curvature", …
    Verdict verdict = Verdict::Green;
    std::string sentence; ///< what was found
    std::string whatToDo; ///< empty where nothing needs to be done
};

/// Enough runs, failed runs, fit, prediction, curvature, lack of fit, repeated runs, outliers, influence,
/// drift, normality, scales, extrapolation, source of the results: one line each, in this order, where the
/// fit can say something about it. A fit that is not Ok gives one red line.
std::vector<ReportCardItem> reportCard(const Fit& fit);

/// "green", "amber", "red".
std::string_view nameOf(Verdict verdict);

/// The worst verdict of the card.
Verdict overall(const std::vector<ReportCardItem>& card);

} // namespace quadric::model
