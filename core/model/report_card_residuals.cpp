// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/distributions.h"
#include "core/model/predict.h"
#include "core/model/recommendation.h"
#include "core/model/report_card_items.h"
#include "core/text/numbers.h"

#include <cmath>

namespace quadric::model {

namespace {

constexpr double kLargestCook = 1.0;
constexpr std::size_t kMostCornerFactors = 12;

/// How many corners of the region are extrapolations, and how many there are.
std::pair<int, int> extrapolatedCorners(const Fit& fit)
{
    std::vector<std::size_t> numeric;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            numeric.push_back(i);
    }
    if (numeric.empty() || numeric.size() > kMostCornerFactors)
        return {0, 0};
    const int corners = 1 << numeric.size();
    int extrapolated = 0;
    study::CodedPoint point(Eigen::VectorXd::Zero(std::ssize(fit.factors)));
    for (int corner = 0; corner < corners; ++corner) {
        for (std::size_t i = 0; i < numeric.size(); ++i)
            point[static_cast<Eigen::Index>(numeric[i])] = ((corner >> i) & 1) != 0 ? 1.0 : -1.0;
        extrapolated += predict(fit, point).isExtrapolation ? 1 : 0;
    }
    return {extrapolated, corners};
}

} // namespace

void addOutliers(const Fit& fit, Card& card)
{
    std::vector<int> outliers, influential;
    const double n = fit.n;
    const double limit = fit.dfResidual > 1 ? tLimit(kSuspicious / n, fit.dfResidual - 1) : 0.0;
    bool isJudged = false;
    for (const Diagnostic& d : fit.diagnostics) {
        isJudged = isJudged || d.externallyStudentized;
        if (d.externallyStudentized && limit > 0 && std::abs(*d.externallyStudentized) > limit)
            outliers.push_back(d.run);
        if (d.cooksDistance && *d.cooksDistance > kLargestCook)
            influential.push_back(d.run);
    }
    if (!isJudged)
        return;
    card.push_back({"Outliers", outliers.empty() ? Verdict::Green : Verdict::Red,
                    outliers.empty()
                        ? "No run lies farther from the model than chance allows."
                        : "Farther from the model than chance allows: " + text::formatRuns(outliers) + ".",
                    outliers.empty() ? "" : "Look at their logs; repeat them before anything is left out."});
    if (!influential.empty())
        card.push_back({"Influence", Verdict::Amber,
                        "The model would change much without " + text::formatRuns(influential) +
                            " (Cook's distance above 1).",
                        "Repeat what decides so much alone."});
}

void addDrift(const Fit& fit, Card& card)
{
    if (!fit.residualChecks.driftP)
        return;
    const double p = *fit.residualChecks.driftP;
    card.push_back({"Drift", verdictOf(p),
                    p < kSuspicious ? "The results drift with the order in which the runs were made (" +
                                          text::formatPClause(p) + ")."
                                    : "No drift over the order of the runs (" + text::formatPClause(p) + ").",
                    p < kSuspicious
                        ? "Look for what warmed up, filled up or was shared meanwhile; run again in random "
                          "order or in blocks."
                        : ""});
}

void addNormality(const Fit& fit, Card& card)
{
    if (!fit.residualChecks.normalityP)
        return;
    const double p = *fit.residualChecks.normalityP;
    card.push_back({"Normal residuals", p < kCertain ? Verdict::Amber : Verdict::Green,
                    p < kCertain ? "The residuals are not normal (" + text::formatPClause(p) +
                                       "): probabilities and intervals are rough."
                                 : "The residuals look normal (" + text::formatPClause(p) + ").",
                    p < kCertain ? "Try a transform; look at the outermost runs first." : ""});
}

void addScales(const Fit& fit, Card& card)
{
    if (!fit.r2)
        return;
    const Recommendation recommendation = recommendScales(fit);
    if (recommendation.isRecommended)
        card.push_back({"Scales", Verdict::Amber, "Other scales describe these runs clearly better.",
                        recommendation.message});
    else if (!recommendation.candidates.empty())
        card.push_back({"Scales", Verdict::Green, recommendation.message, ""});
}

void addExtrapolation(const Fit& fit, Card& card)
{
    const auto [extrapolated, corners] = extrapolatedCorners(fit);
    if (corners == 0)
        return;
    card.push_back({"Extrapolation", extrapolated == 0 ? Verdict::Green : Verdict::Amber,
                    extrapolated == 0
                        ? "The runs support predictions in the whole region."
                        : "In " + std::to_string(extrapolated) + " of " + std::to_string(corners) +
                              " corners of the region no run is near: predictions there are extrapolations.",
                    extrapolated == 0 ? "" : "Confirm a setting there by a run before relying on it."});
}

} // namespace quadric::model
