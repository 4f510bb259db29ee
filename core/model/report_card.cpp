// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/report_card.h"
#include "core/model/report_card_items.h"

#include <algorithm>

namespace quadric::model {

std::vector<ReportCardItem> reportCard(const Fit& fit)
{
    if (!fit.isOk())
        return {{"Model", Verdict::Red, fit.message,
                 fit.status == FitStatus::BadTransform ? "Choose another transform for this response."
                                                       : "Make more runs or choose a smaller model."}};
    Card card;
    addRuns(fit, card);
    addLeftOut(fit, card);
    addTerms(fit, card);
    addFit(fit, card);
    addPrediction(fit, card);
    addCurvature(fit, card);
    addLackOfFit(fit, card);
    addOutliers(fit, card);
    addDrift(fit, card);
    addNormality(fit, card);
    addScales(fit, card);
    addExtrapolation(fit, card);
    if (fit.isSimulated)
        card.push_back({"Source", Verdict::Amber, "The results are simulated, not measured.",
                        "Confirm on real hardware before deciding."});
    return card;
}

std::string_view nameOf(Verdict verdict)
{
    if (verdict == Verdict::Green)
        return "green";
    return verdict == Verdict::Amber ? "amber" : "red";
}

Verdict overall(const std::vector<ReportCardItem>& card)
{
    Verdict worst = Verdict::Green;
    for (const ReportCardItem& item : card)
        worst = std::max(worst, item.verdict);
    return worst;
}

} // namespace quadric::model
