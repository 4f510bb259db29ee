// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/variance_components.h"
#include "core/model/select/weight_advice.h"
#include "core/report/catalogue/variation_sentences.h"
#include "core/report/findings/fit_parts.h"
#include "core/text/numbers.h"

#include <cmath>

namespace quadric::report {

namespace {

constexpr int kGainDecimals = 1;

/// A standard deviation on the model's scale: of a logarithm it is a share of the value.
std::string formatSd(const model::Fit& fit, double variance)
{
    const double sd = std::sqrt(variance);
    if (fit.transform.kind == study::TransformKind::Log)
        return text::formatPercent(sd);
    const bool hasUnit = !fit.unit.empty() && fit.transform.kind == study::TransformKind::None;
    return text::formatBriefly(sd) + (hasUnit ? " " + fit.unit : "");
}

std::string formatRatio(double ratio)
{
    return text::formatBriefly(ratio, ratio < 10 ? 2 : 3);
}

const Entry& entryOf(const model::VarianceComponents& components)
{
    const double inside = components.insideRuns.value_or(0.0),
                 blocks = components.betweenBlocks.value_or(0.0);
    if (inside > components.betweenRuns && inside > blocks)
        return catalogue::kRunLonger;
    return blocks > components.betweenRuns ? catalogue::kMoreBlocks : catalogue::kRunMoreOften;
}

} // namespace

void addWeights(const model::Fit& fit, Findings& findings)
{
    if (!fit.weightsProblem.empty()) {
        findings.push_back(makeFinding(catalogue::kUnusedWeights, {{"problem", fit.weightsProblem}}));
        return;
    }
    const std::optional<model::WeightAdvice> advice = model::adviseWeights(fit);
    if (!advice)
        return;
    const std::string gain = text::formatDecimals(std::abs(advice->gain), kGainDecimals);
    if (advice->isUsed)
        findings.push_back(advice->isHarmful()
                               ? makeFinding(catalogue::kWeightsLose, {{"gain", gain}})
                               : makeFinding(catalogue::kWeighted,
                                             {{"ratio", formatRatio(advice->heaviest / advice->lightest)}}));
    else if (advice->isRecommended)
        findings.push_back(makeFinding(
            catalogue::kOtherWeights,
            {{"ratio", formatRatio(advice->largestError / advice->smallestError)}, {"gain", gain}}));
}

void addBlocks(const model::Fit& fit, Findings& findings)
{
    if (fit.blockVariance && !fit.blockVariance->terms.empty())
        findings.push_back(makeFinding(catalogue::kUnseenBlockTerms,
                                       {{"terms", text::formatList(fit.blockVariance->terms)}}));
}

std::optional<Finding> varianceFinding(const model::Fit& fit)
{
    const std::optional<model::VarianceComponents> components = model::varianceComponentsOf(fit);
    if (!components || (!components->insideRuns && !components->betweenBlocks))
        return std::nullopt;
    std::vector<std::string> parts;
    const auto add = [&](std::string_view pattern, double variance) {
        parts.push_back(fill(pattern, {{"sd", formatSd(fit, variance)}}));
    };
    if (components->insideRuns)
        add(catalogue::kInsideRuns, *components->insideRuns);
    add(components->insideRuns ? catalogue::kBetweenRuns : catalogue::kInsideAndBetweenRuns,
        components->betweenRuns);
    if (components->betweenBlocks)
        add(catalogue::kBetweenBlocks, *components->betweenBlocks);
    return makeFinding(entryOf(*components),
                       {{"response", fit.response}, {"parts", text::formatList(parts)}});
}

} // namespace quadric::report
