// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/tables.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

/// With fewer residual degrees of freedom than this the error is hardly known.
constexpr int kFewResidualDf = 3;
/// How far R² may lie above the predicted R².
constexpr double kLargestR2Gap = 0.2;
constexpr double kSignificance = 0.05;
/// Longest list of runs or terms that is written out.
constexpr std::size_t kLongestList = 12;

template <typename Items, typename ToText> std::string listOf(const Items& items, ToText toText)
{
    std::string text;
    for (std::size_t i = 0; i < items.size() && i < kLongestList; ++i)
        text += (i == 0 ? "" : ", ") + toText(items[i]);
    return items.size() > kLongestList ? text + ", … (" + std::to_string(items.size()) + " in all)" : text;
}

std::string runList(const std::vector<int>& runs)
{
    return (runs.size() == 1 ? "Run " : "Runs ") + listOf(runs, [](int id) { return std::to_string(id); });
}

std::string verb(const std::vector<int>& runs, const char* one, const char* several)
{
    return runs.size() == 1 ? one : several;
}

std::string shortNumber(double value)
{
    return study::toText(std::round(value * 1000) / 1000);
}

std::string shortProbability(double p)
{
    return p < 0.001 ? "p < 0.001" : "p = " + shortNumber(p);
}

void warnOfData(const Observations& data, const std::string& response, std::vector<Warning>& warnings)
{
    if (data.isSimulated)
        warnings.push_back({"simulated", "The results are simulated, not measured."});
    if (!data.failed.empty())
        warnings.push_back({"failed-runs-left-out", runList(data.failed) + " failed and " +
                                                        verb(data.failed, "is", "are") +
                                                        " left out of the fit."});
    if (!data.excluded.empty())
        warnings.push_back(
            {"excluded-runs-left-out",
             runList(data.excluded) + verb(data.excluded, " is", " are") + " excluded by hand."});
    if (!data.missing.empty())
        warnings.push_back({"missing-results", runList(data.missing) + verb(data.missing, " has", " have") +
                                                   " no usable result of " + response + "."});
}

void warnOfModel(const Regression& regression, std::vector<Warning>& warnings)
{
    if (!regression.aliased.empty())
        warnings.push_back(
            {"aliased-terms", "The runs cannot tell these terms from others, so they are left out: " +
                                  listOf(regression.aliased, [](const std::string& s) { return s; }) + "."});
    if (regression.sst <= 0)
        warnings.push_back(
            {"constant-response", "The response is the same in every run: there is nothing to explain."});
    else if (regression.df > 0 && regression.sse <= 0)
        warnings.push_back({"no-residual-error",
                            "The model reproduces every run exactly, so no error can be estimated; "
                            "results that come from a formula or are copied look like this."});
    if (regression.df == 0)
        warnings.push_back({"few-residual-df",
                            "The model has as many coefficients as there are runs, so it fits them "
                            "exactly and nothing is left to estimate the error."});
    else if (regression.df < kFewResidualDf)
        warnings.push_back(
            {"few-residual-df", "Only " + std::to_string(regression.df) +
                                    (regression.df == 1 ? " degree" : " degrees") +
                                    " of freedom left for the error: intervals are wide and uncertain."});
}

void warnOfError(const PureError& pureError, const Fit& fit, std::vector<Warning>& warnings)
{
    if (pureError.isZero())
        warnings.push_back({"zero-pure-error",
                            "All repeated runs have exactly the same result, so the pure error is zero "
                            "and lack of fit cannot be tested. Measured results differ: look whether "
                            "they were copied or made with the same random seed."});
    const auto isLackOfFit = [](const AnovaRow& row) { return row.source == "Lack of fit"; };
    const auto lack = std::find_if(fit.anova.begin(), fit.anova.end(), isLackOfFit);
    if (lack != fit.anova.end() && lack->p && *lack->p < kSignificance)
        warnings.push_back({"lack-of-fit", "The model misses the runs by more than repeated runs differ (" +
                                               shortProbability(*lack->p) +
                                               "): a higher order or a transform may be needed."});
}

void warnOfPrediction(const Fit& fit, std::vector<Warning>& warnings)
{
    if (!fit.r2)
        return;
    if (!fit.press && fit.dfResidual > 0)
        warnings.push_back({"press-undefined",
                            "At least one run alone decides a coefficient (leverage 1), so the "
                            "predicted R² is not defined."});
    if (fit.r2Predicted && (*fit.r2Predicted < 0 || *fit.r2 - *fit.r2Predicted > kLargestR2Gap))
        warnings.push_back(
            {"poor-prediction", "R² is " + shortNumber(*fit.r2) + ", but for runs left out it is only " +
                                    shortNumber(*fit.r2Predicted) +
                                    ": the model describes these runs better than it predicts new ones."});
}

} // namespace

std::vector<Warning> warningsOf(const Regression& regression, const Observations& data,
                                const PureError& pureError, const Fit& fit)
{
    std::vector<Warning> warnings;
    warnOfData(data, fit.response, warnings);
    warnOfModel(regression, warnings);
    if (regression.sst > 0)
        warnOfError(pureError, fit, warnings);
    warnOfPrediction(fit, warnings);
    return warnings;
}

} // namespace quadric::model
