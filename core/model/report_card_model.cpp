// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/curvature.h"
#include "core/model/report_card_items.h"
#include "core/model/thresholds.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::model {

namespace {

constexpr double kGoodR2Predicted = 0.5;

bool hasWarning(const Fit& fit, std::string_view code)
{
    return std::ranges::find(fit.warnings, code, &Warning::code) != fit.warnings.end();
}

std::string messageOf(const Fit& fit, std::string_view code)
{
    const auto warning = std::ranges::find(fit.warnings, code, &Warning::code);
    return warning == fit.warnings.end() ? std::string() : warning->message;
}

bool hasSquares(const Fit& fit)
{
    return std::ranges::any_of(fit.terms, [](const Term& term) {
        return std::ranges::any_of(term.powers, [](int power) { return power > 1; });
    });
}

} // namespace

Verdict verdictOf(double p)
{
    return p < kCertain ? Verdict::Red : (p < kSuspicious ? Verdict::Amber : Verdict::Green);
}

void addRuns(const Fit& fit, Card& card)
{
    const auto df = static_cast<std::size_t>(fit.dfResidual);
    const std::string counts =
        text::formatCount(fit.n, "run") + " for " + text::formatCount(fit.parameters, "coefficient");
    if (df == 0)
        card.push_back({"Enough runs", Verdict::Red,
                        counts + " leave nothing to estimate the error: no intervals and no tests.",
                        "Repeat the centre run, add runs, or choose a smaller model."});
    else
        card.push_back({"Enough runs", fit.dfResidual < kFewResidualDf ? Verdict::Amber : Verdict::Green,
                        counts + " leave " + text::formatCount(df, "degree") + " of freedom for the error.",
                        fit.dfResidual < kFewResidualDf
                            ? "Intervals are wide with so few: add runs or choose a smaller model."
                            : ""});
}

void addLeftOut(const Fit& fit, Card& card)
{
    std::string sentence;
    for (const std::string_view code :
         {"failed-runs-left-out", "excluded-runs-left-out", "missing-results"}) {
        const std::string message = messageOf(fit, code);
        sentence += (sentence.empty() || message.empty() ? "" : " ") + message;
    }
    if (!sentence.empty())
        card.push_back({"Runs left out", Verdict::Amber, sentence,
                        "Look why they are missing: runs that fail at one end of a factor say something "
                        "about that end."});
}

void addTerms(const Fit& fit, Card& card)
{
    if (!fit.aliased.empty())
        card.push_back(
            {"Terms told apart", Verdict::Amber,
             "The runs cannot tell these terms from others: " + text::formatList(fit.aliased) + ".",
             "Add runs that separate them (augment the design), or read each as the sum of both."});
    std::vector<std::string> names;
    for (const Coefficient& row : fit.coefficients) {
        if (row.vif && *row.vif > kLargestVif)
            names.push_back(row.term);
    }
    if (!names.empty())
        card.push_back({"Factors varied independently", Verdict::Amber,
                        "These terms changed together in the runs, so their coefficients are uncertain: " +
                            text::formatList(names) + ".",
                        "Predict only near the runs, or add runs that change one without the other."});
}

void addFit(const Fit& fit, Card& card)
{
    if (!fit.r2) {
        card.push_back({"Fit", Verdict::Red,
                        "The response is the same in every run: there is nothing to explain.",
                        "Look whether the response is really measured, or vary the factors more."});
        return;
    }
    const AnovaRow* model = rowOf(fit, "Model");
    if (model == nullptr || !model->p) {
        if (hasWarning(fit, "no-residual-error"))
            card.push_back({"Fit", Verdict::Amber, messageOf(fit, "no-residual-error"),
                            "Look where the results come from."});
        return;
    }
    const bool isExplained = *model->p < kSuspicious;
    card.push_back(
        {"Fit", isExplained ? Verdict::Green : Verdict::Red,
         isExplained
             ? "The model explains " + text::formatPercent(*fit.r2) + " of the variation (" +
                   text::formatPClause(*model->p) + ")."
             : "The factors explain no more than chance would (" + text::formatPClause(*model->p) + ").",
         isExplained ? ""
                     : "Vary the factors over a wider range, repeat runs, or look for what else changed."});
}

void addPrediction(const Fit& fit, Card& card)
{
    if (!fit.r2 || !fit.r2Predicted)
        return;
    const double predicted = *fit.r2Predicted;
    const bool isOff = *fit.r2 - predicted > kLargestR2Gap;
    const std::string sentence = predicted < 0
                                     ? "Runs left out are predicted worse than by their mean."
                                     : "For runs left out the model explains " +
                                           text::formatPercent(predicted) + " of the variation" +
                                           (isOff ? ", much less than for those it was fitted to." : ".");
    const Verdict verdict = predicted < 0                           ? Verdict::Red
                            : isOff || predicted < kGoodR2Predicted ? Verdict::Amber
                                                                    : Verdict::Green;
    card.push_back({"Prediction", verdict, sentence,
                    verdict == Verdict::Green ? "" : "Choose a smaller model (automatic), or add runs."});
}

void addCurvature(const Fit& fit, Card& card)
{
    if (hasSquares(fit)) {
        const AnovaRow* quadratic = rowOf(fit, "Quadratic");
        if (quadratic == nullptr || !quadratic->p)
            return;
        const bool isCurved = *quadratic->p < kSuspicious;
        card.push_back({"Curvature", Verdict::Green,
                        isCurved ? "The response bends, and the model follows it (" +
                                       text::formatPClause(*quadratic->p) + ")."
                                 : "No curvature can be seen (" + text::formatPClause(*quadratic->p) + ").",
                        isCurved ? "" : "The squares could be left out."});
        return;
    }
    const std::optional<CurvatureTest> test = curvatureTest(fit);
    if (!test || !test->p)
        return;
    const bool isCurved = *test->p < kSuspicious;
    card.push_back({"Curvature", verdictOf(*test->p),
                    isCurved ? "The centre runs differ from what straight lines give there (" +
                                   text::formatPClause(*test->p) + "): the response bends."
                             : "The centre runs lie where straight lines put them (" +
                                   text::formatPClause(*test->p) + ").",
                    isCurved ? "Add axial runs, so that a quadratic model can follow the bend." : ""});
}

void addLackOfFit(const Fit& fit, Card& card)
{
    if (!fit.r2 || fit.dfResidual == 0)
        return;
    const AnovaRow* pure = rowOf(fit, "Pure error");
    const AnovaRow* lack = rowOf(fit, "Lack of fit");
    if (pure == nullptr)
        card.push_back({"Lack of fit", Verdict::Amber,
                        "No setting was repeated, so it cannot be tested whether the model misses something.",
                        "Repeat the centre run a few times."});
    else if (pure->ss <= 0)
        card.push_back({"Repeated runs", Verdict::Red, messageOf(fit, "zero-pure-error"),
                        "Measure the repeated runs again, each on its own and with its own random seed."});
    else if (lack != nullptr && lack->p)
        card.push_back({"Lack of fit", verdictOf(*lack->p),
                        *lack->p < kSuspicious
                            ? "The model misses the runs by more than repeated runs differ (" +
                                  text::formatPClause(*lack->p) + ")."
                            : "The model misses nothing that repeated runs would show (" +
                                  text::formatPClause(*lack->p) + ").",
                        *lack->p < kSuspicious
                            ? "Try a higher order, another transform, or look at runs with large residuals."
                            : ""});
}

} // namespace quadric::model
