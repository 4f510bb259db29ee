// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/distributions.h"
#include "core/model/tables.h"
#include "core/model/thresholds.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

std::string runsAtStart(const std::vector<int>& runs)
{
    std::string text = text::formatRuns(runs);
    text[0] = 'R';
    return text;
}

std::string verb(const std::vector<int>& runs, const char* one, const char* several)
{
    return runs.size() == 1 ? one : several;
}

void warnOfData(const Observations& data, const std::string& response, std::vector<Warning>& warnings)
{
    if (data.isSimulated)
        warnings.push_back({"simulated", "The results are simulated, not measured."});
    if (!data.failed.empty())
        warnings.push_back({"failed-runs-left-out", runsAtStart(data.failed) + " failed and " +
                                                        verb(data.failed, "is", "are") +
                                                        " left out of the fit."});
    if (!data.excluded.empty())
        warnings.push_back(
            {"excluded-runs-left-out",
             runsAtStart(data.excluded) + verb(data.excluded, " is", " are") + " excluded by hand."});
    if (!data.confirmation.empty())
        warnings.push_back({"confirmation-runs-left-out",
                            runsAtStart(data.confirmation) +
                                verb(data.confirmation, " confirms", " confirm") + " the prediction and " +
                                verb(data.confirmation, "stays", "stay") + " out of the fit."});
    if (!data.missing.empty())
        warnings.push_back({"missing-results", runsAtStart(data.missing) +
                                                   verb(data.missing, " has", " have") +
                                                   " no usable result of " + response + "."});
}

void warnOfModel(const Regression& regression, std::vector<Warning>& warnings)
{
    if (!regression.aliased.empty())
        warnings.push_back(
            {"aliased-terms", "The runs cannot tell these terms from others, so they are left out: " +
                                  text::formatList(regression.aliased) + "."});
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
    const AnovaRow* lack = rowOf(fit, "Lack of fit");
    if (lack != nullptr && lack->p && *lack->p < kSignificance)
        warnings.push_back({"lack-of-fit", "The model misses the runs by more than repeated runs differ (" +
                                               text::formatPClause(*lack->p) +
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
        warnings.push_back({"poor-prediction",
                            "R² is " + text::formatBriefly(*fit.r2) + ", but for runs left out it is only " +
                                text::formatBriefly(*fit.r2Predicted) +
                                ": the model describes these runs better than it predicts new ones."});
}

void warnOfCollinearity(const Fit& fit, std::vector<Warning>& warnings)
{
    std::vector<std::string> names;
    for (const Coefficient& row : fit.coefficients) {
        if (row.vif && *row.vif > kLargestVif)
            names.push_back(row.term);
    }
    if (!names.empty())
        warnings.push_back({"collinear-terms",
                            "These terms change together in the runs, so their coefficients are uncertain "
                            "(variance inflation above 10): " +
                                text::formatList(names) + "."});
}

/// Runs and orders of execution that do not fit the assumptions.
void warnOfResiduals(const Fit& fit, std::vector<Warning>& warnings)
{
    std::vector<int> outliers;
    const double limit = fit.dfResidual > 1 ? tLimit(kSignificance / fit.n, fit.dfResidual - 1) : 0.0;
    for (const Diagnostic& d : fit.diagnostics) {
        if (limit > 0 && d.externallyStudentized && std::abs(*d.externallyStudentized) > limit)
            outliers.push_back(d.run);
    }
    if (!outliers.empty())
        warnings.push_back({"outliers", runsAtStart(outliers) + verb(outliers, " lies", " lie") +
                                            " farther from the model than chance allows."});
    const std::optional<double> p = fit.residualChecks.driftP;
    if (p && *p < kSignificance)
        warnings.push_back({"drift", "The results drift with the order in which the runs were made (" +
                                         text::formatPClause(*p) + ")."});
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
    warnOfCollinearity(fit, warnings);
    warnOfResiduals(fit, warnings);
    return warnings;
}

} // namespace quadric::model
