// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/fit.h"
#include "core/model/base/model_size.h"
#include "core/model/fit/block_variance.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/reduce.h"
#include "core/model/fit/tables.h"
#include "core/study/response.h"
#include "core/text/numbers.h"

#include <cmath>
#include <stdexcept>

namespace quadric::model {

namespace {

/// σ_b²/σ² before there are terms to estimate it by: both count the same.
constexpr double kFirstRatio = 1.0;

Fit failed(Fit fit, FitStatus status, std::string message)
{
    fit.status = status;
    fit.message = std::move(message);
    return fit;
}

/// Everything of the fit that is known before anything is computed.
Fit describe(const study::Study& study, const study::Response& response, const FitOptions& options)
{
    Fit fit;
    fit.response = response.name;
    fit.unit = response.unit;
    fit.model = options.model;
    fit.transform = options.transform.value_or(study::effectiveTransform(response));
    fit.factors = study.factors;
    fit.confidence = options.confidence;
    return fit;
}

void describeData(const Observations& data, const study::Response& response, Fit& fit)
{
    fit.bounds = study::physicalBounds(response, data.y.minCoeff(), data.y.maxCoeff());
    fit.n = static_cast<int>(data.size());
    fit.smallestObserved = data.y.minCoeff();
    fit.largestObserved = data.y.maxCoeff();
    fit.seenLevels = seenLevels(data, fit.factors);
    fit.reach = codedRanges(data, fit.factors.size());
    fit.isSimulated = data.isSimulated;
}

void takeRegression(const Regression& regression, Fit& fit)
{
    fit.terms = regression.terms;
    fit.columns = regression.columns;
    fit.aliased = regression.aliased;
    fit.parameters = regression.parameters;
    fit.dfResidual = regression.df;
    const std::vector<Eigen::Index> positions = positionsOf(regression);
    fit.beta = regression.solution.beta(positions);
    fit.unscaledCovariance = regression.solution.covariance(positions, positions);
}

void fillTables(const FitData& source, Fit& fit)
{
    const Regression& regression = source.regression;
    const Observations& data = source.observations;
    const PureError pureError = computePureError(data, source.replicateGroups);
    fit.coefficients = makeCoefficients(regression, fit.confidence);
    fit.actualCoefficients = makeActualCoefficients(regression);
    fit.anova = makeAnovaRows(regression, pureError);
    fit.termRows = makeTermRows(regression);
    fit.sequentialRows = makeSequentialRows(regression);
    fit.effects = computeEffects(regression, fit.termRows);
    fit.effectLimit = computeEffectLimit(regression, fit.confidence, fit.effects);
    fit.importance = computeImportance(regression);
    fit.diagnostics = computeDiagnostics(regression, data);
    fit.residualChecks = checkResiduals(regression, data);
    summarize(regression, data, fit);
}

std::string shortageMessage(const Fit& fit, std::size_t coefficients, int missing)
{
    return "The model '" + fit.model + "' of " + fit.response + " has " +
           text::formatCount(coefficients, "coefficient") + ", but only " + text::formatCount(fit.n, "run") +
           (fit.n == 1 ? " has" : " have") + " a result: at least " + text::formatCount(missing, "more run") +
           " or a smaller model is needed.";
}

std::string absenceMessage(const std::string& response, const Observations& data)
{
    std::string message = "No run has a result of " + response + " yet";
    if (!data.failed.empty())
        message += ", " + text::formatCount(data.failed.size(), "run") + " failed";
    return message + ".";
}

/// Solves and fills a fit whose response is transformed and whose terms are known.
Fit fitTerms(Fit fit, Observations data, AutomaticModel choice, const FitOptions& options)
{
    const std::vector<Term>& terms = choice.terms;
    Regression regression = solveRegression(data, fit.factors, terms);
    if (!std::isfinite(regression.sst) || !regression.solution.beta.allFinite()) {
        std::string message = "The values of " + fit.response +
                              " are too large or the settings too far out to be computed with.";
        return failed(std::move(fit), FitStatus::BadModel, std::move(message));
    }
    const int missing = regression.df == 0 ? missingRuns(data, fit.factors, terms) : 0;
    if (missing > 0) {
        std::string message = shortageMessage(fit, columnsOf(terms, fit.factors).size(), missing);
        return failed(std::move(fit), FitStatus::TooFewRuns, std::move(message));
    }
    takeRegression(regression, fit);
    if (!data.blockRatio) {
        fit.blockVariance = estimateBlockVariance(data, regression);
        if (fit.blockVariance && !regression.aliased.empty())
            fit.blockVariance->terms = findTermsBetweenBlocks(data, regression, terms);
    }
    std::vector<int> groups = replicateGroups(data, fit.factors);
    const bool isChosen = options.model == "auto";
    Estimability estimability(data, fit.factors, terms, isChosen, !regression.aliased.empty());
    fit.data = std::make_shared<const FitData>(
        FitData{std::move(data), std::move(regression), std::move(groups), std::move(choice.chosenFrom),
                options, std::make_shared<SelectionCache>(), std::move(estimability)});
    fillTables(*fit.data, fit);
    if (isChosen)
        fit.unseenBends = findUnseenBends(fit);
    fit.status = FitStatus::Ok;
    return fit;
}

/// The terms asked for or chosen; the name of the model and the reason of a choice are noted in `fit`.
AutomaticModel chooseTerms(const Observations& data, const FitOptions& options, Fit& fit)
{
    if (options.model != "auto") {
        std::vector<Term> terms = parseModel(fit.model, fit.factors);
        requireSize(fit.model, countColumns(terms, fit.factors), countBlockColumns(data),
                    static_cast<double>(data.size()));
        return {std::move(terms), {}, {}, {}};
    }
    AutomaticModel chosen = chooseModel(data, fit.factors);
    fit.model = chosen.name;
    fit.choice = chosen.reason;
    return chosen;
}

/// A factor that is constant within each block is told by blocks that are drawn at random. Terms and variance
/// between blocks depend on each other: chosen terms are chosen once more with the variance of the first
/// choice.
AutomaticModel chooseTermsAndBlocks(Observations& data, const FitOptions& options, Fit& fit)
{
    requireSize(nameOf(Order::Mean), 1.0, countBlockColumns(data), static_cast<double>(data.size()));
    if (!hasFactorBetweenBlocks(data, fit.factors))
        return chooseTerms(data, options, fit);
    data.blockRatio = kFirstRatio;
    AutomaticModel choice = chooseTerms(data, options, fit);
    const bool isChosen = options.model == "auto";
    for (int i = 0; i < (isChosen ? 2 : 1); ++i) {
        fit.blockVariance = estimateRandomBlocks(data, fit.factors, choice.terms);
        data.blockRatio = fit.blockVariance ? std::optional(fit.blockVariance->ratio) : std::nullopt;
        if (i == 0 && (isChosen || !fit.blockVariance)) {
            fit.model = options.model;
            choice = chooseTerms(data, options, fit);
        }
        if (!fit.blockVariance)
            break;
    }
    return choice;
}

/// `data` is not empty.
Fit fitObservations(Fit fit, const study::Response& response, Observations data, const FitOptions& options)
{
    describeData(data, response, fit);
    try {
        fit.transform = transformFor(response, options.transform, data.y);
        transformObservations(fit.transform, fit.response, data);
    } catch (const std::domain_error& error) {
        return failed(std::move(fit), FitStatus::BadTransform, error.what());
    }
    AutomaticModel choice = chooseTermsAndBlocks(data, options, fit);
    return fitTerms(std::move(fit), std::move(data), std::move(choice), options);
}

/// A model that the runs can estimate in place of one that they cannot: of those that failed there is no
/// result, and a smaller model is worth more than none.
Fit fitWhatFits(const study::Study& study, const Fit& tooLarge, FitOptions options)
{
    const std::string wanted =
        options.model == "quadratic" ? "quadratic model" : "model '" + options.model + "'";
    options.model = "auto";
    Fit fit = fitResponse(study, tooLarge.response, options);
    if (fit.isOk())
        fit.choice = "The runs are too few for the " + wanted + ". " + fit.choice;
    return fit.isOk() ? fit : tooLarge;
}

} // namespace

Fit fitResponse(const study::Study& study, std::string_view response, const FitOptions& options)
{
    const study::Response* found = study::findResponse(study, response);
    if (found == nullptr)
        return failed({}, FitStatus::BadModel, "The study has no response '" + std::string(response) + "'.");
    Fit fit = describe(study, *found, options);
    if (!(options.confidence > 0 && options.confidence < 1))
        return failed(std::move(fit), FitStatus::BadModel,
                      "The confidence is " + study::toText(options.confidence) +
                          ", expected a number between 0 and 1.");
    try {
        Observations data = collect(study, response);
        if (data.size() == 0)
            return failed(std::move(fit), FitStatus::NoData, absenceMessage(found->name, data));
        return fitObservations(fit, *found, std::move(data), options);
    } catch (const ModelTooLarge& error) {
        return failed(std::move(fit), FitStatus::TooLarge, error.what());
    } catch (const std::invalid_argument& error) {
        return failed(std::move(fit), FitStatus::BadModel, error.what());
    }
}

std::vector<Fit> fitStudy(const study::Study& study, double confidence)
{
    std::vector<Fit> fits;
    for (const study::Response& response : study.responses) {
        FitOptions options;
        options.confidence = confidence;
        const auto chosen = study.model.find(response.name);
        if (chosen != study.model.end())
            options.model = chosen->second;
        fits.push_back(fitResponse(study, response.name, options));
        if (fits.back().status == FitStatus::TooFewRuns && options.model != "auto")
            fits.back() = fitWhatFits(study, fits.back(), options);
    }
    return fits;
}

const AnovaRow* rowOf(const Fit& fit, std::string_view source)
{
    const auto row = std::ranges::find(fit.anova, source, &AnovaRow::source);
    return row == fit.anova.end() ? nullptr : &*row;
}

} // namespace quadric::model
