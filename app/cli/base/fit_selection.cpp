// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/fit_selection.h"

#include "core/model/process/process_choice.h"
#include "core/model/select/boxcox.h"
#include "core/model/select/recommended_models.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

void addFitOptions(Command& command, FitSelection& selection)
{
    command.option("--response", selection.response, Kind::response(), "NAME", "Only this response");
    command.option("--model", selection.model, Kind::model(), "MODEL",
                   "auto, linear, interactions, quadratic, gp (a Gaussian process), "
                   "or terms such as \"A + B + A*B + A^2\"; default: as the "
                   "study says");
    command.option(
        "--transform", selection.transforms,
        Kind::suggested({"none", "log", "sqrt", "inverse", "boxcox", "boxcox:"}), "T",
        "none, log, sqrt, inverse or boxcox:LAMBDA, boxcox for the likeliest power; for one response "
        "name=log, several with commas; default: as the study says, else as the runs recommend");
    command.option("--weights", selection.weights, Kind::suggested({"equal", "spread"}), "W",
                   "equal, or spread: runs count by the precision that their spread shows; default: as the "
                   "study says");
    command.option(
        "--scale", selection.scales,
        Kind::listOf(Kind::assignment(Kind::numericFactor(), Kind::suggested({"log2", "linear"}))),
        "NAME=SCALE",
        "Code a factor on another scale than the study says: name=log2 or name=linear, several with "
        "commas");
    command.flag(
        "--reduce", selection.reduce,
        "Leave out terms while that improves AICc, the balance of fit and size; higher terms keep their "
        "parents");
    command.flag("--recommended-models", selection.usesRecommended,
                 "Use the transforms, factor scales and terms that the runs recommend for all responses "
                 "together");
    command.flag("--include-confirmation", selection.fitsConfirmation,
                 "Fit the models to confirmation runs too");
}

namespace {

constexpr const char* kLikeliestPower = "boxcox";

void applyScaleOption(study::Study& study, const std::string& assignment)
{
    const auto [name, text] = splitAssignment("--scale", assignment);
    requireFactor(study, "--scale", name);
    const std::optional<study::Scale> scale = study::scaleFrom(text);
    if (!scale)
        throw UsageError("--scale " + name + ": " + text::describeUnknown(text, {"log2", "linear"}));
    for (study::Factor& factor : study.factors) {
        if (factor.name != name)
            continue;
        if (!factor.isNumeric())
            throw UsageError("--scale: " + name + " has categories, expected a numeric factor");
        if (*scale == study::Scale::Log2 && factor.low <= 0)
            throw UsageError("--scale: " + name + " begins at " + study::toText(factor.low) +
                             ", expected a factor above 0 for log2");
        factor.scale = *scale;
    }
}

study::Transform readTransform(const std::string& text)
{
    const auto transform = study::transformFrom(text);
    if (!transform)
        throw UsageError("--transform: " + text::describeUnknown(text, {"none", "log", "sqrt", "inverse",
                                                                        "boxcox", "boxcox:LAMBDA"}));
    return *transform;
}

std::optional<study::Weights> weightsOf(const FitSelection& selection)
{
    if (selection.weights.empty())
        return std::nullopt;
    const auto weights = study::weightsFrom(selection.weights);
    if (!weights)
        throw UsageError("--weights: " + text::describeUnknown(selection.weights, {"equal", "spread"}));
    return weights;
}

/// For the model that the selection asks for.
study::Transform likeliestPower(const study::Study& study, const std::string& response,
                                const FitSelection& selection)
{
    const std::vector<model::Fit> fits = model::fitStudy(study, selection.confidence, selection.reduce);
    const model::Fit& fit = *std::ranges::find(fits, response, &model::Fit::response);
    const auto profile = fit.isOk() ? model::boxCox(fit) : std::nullopt;
    if (!profile)
        throw UsageError("--transform boxcox: no power can be found for " + response + " (" +
                         (fit.isOk() ? "expected values above 0 that are not all the same, and more runs "
                                       "than terms"
                                     : fit.message) +
                         ")");
    return {study::TransformKind::BoxCox, profile->lambda};
}

/// Shown by Gaussian processes are the responses of the selection where it asks for them, and none of these
/// where it asks for another model.
study::Study showingProcesses(study::Study study, const FitSelection& selection)
{
    for (const study::Response& response : std::vector(study.responses)) {
        if (selection.response.empty() || response.name == selection.response)
            study = model::withProcessShown(std::move(study), response.name,
                                            selection.model == model::kProcessModel);
    }
    return study;
}

/// "log" for each response of the selection, "name=log" for one.
void applyTransformOption(study::Study& study, const std::string& text, const FitSelection& selection)
{
    const bool isForOne = text.find('=') != std::string::npos;
    const auto [name, wanted] =
        isForOne ? splitAssignment("--transform", text) : std::pair(selection.response, text);
    if (isForOne)
        requireResponse(study, "--transform", name);
    const bool isSearched = wanted == kLikeliestPower;
    const study::Transform known = isSearched ? study::Transform() : readTransform(wanted);
    for (const study::Response& response : std::vector(study.responses)) {
        if (!name.empty() && response.name != name)
            continue;
        study = model::withTransform(study, response.name,
                                     isSearched ? likeliestPower(study, response.name, selection) : known);
    }
}

} // namespace

study::Study withSelection(study::Study study, const FitSelection& selection)
{
    if (!selection.response.empty())
        requireResponse(study, "--response", selection.response);
    if (!(selection.confidence > 0.0 && selection.confidence < 1.0))
        throw UsageError("--confidence: " + study::toText(selection.confidence) +
                         ", expected a value between 0 and 1");
    const std::optional<study::Weights> weights = weightsOf(selection);
    for (const std::string& list : selection.scales) {
        for (const std::string& assignment : split(list, ','))
            applyScaleOption(study, assignment);
    }
    for (study::Run& run : study.runs) {
        if (selection.fitsConfirmation && run.kind == study::RunKind::Confirmation)
            run.kind = study::RunKind::Augment;
    }
    for (study::Response& response : study.responses) {
        if (!selection.response.empty() && response.name != selection.response)
            continue;
        response.weights = weights.value_or(response.weights);
        if (!selection.model.empty() && selection.model != model::kProcessModel)
            study.model[response.name] = selection.model;
    }
    if (!selection.model.empty())
        study = showingProcesses(std::move(study), selection);
    for (const std::string& list : selection.transforms) {
        for (const std::string& transform : split(list, ','))
            applyTransformOption(study, transform, selection);
    }
    if (selection.usesRecommended)
        study = model::withRecommendedModels(study, model::recommendTogether(model::fitByDefault(
                                                        study, selection.confidence, selection.reduce)));
    return study;
}

std::vector<model::Fit> fitsOf(const study::Study& study, const FitSelection& selection)
{
    if (study.responses.empty())
        throw WorkError("the study has no responses, expected at least one to fit a model to");
    std::vector<model::Fit> fits = optimize::fitForGoals(study, selection.confidence, selection.reduce);
    std::erase_if(fits, [&selection](const model::Fit& fit) {
        return !selection.response.empty() && fit.response != selection.response;
    });
    for (const model::Fit& fit : fits) {
        if (fit.status == model::FitStatus::BadModel)
            throw UsageError((selection.model.empty() ? "model of " : "--model for ") + fit.response + ": " +
                             fit.message);
    }
    return fits;
}

std::vector<model::Fit> decidingFitsOf(const study::Study& study, const std::vector<model::Fit>& fits,
                                       const FitSelection& selection)
{
    std::vector<model::Fit> deciding = optimize::withShownProcesses(study, fits);
    if (selection.model != model::kProcessModel)
        return deciding;
    for (model::Fit& fit : deciding) {
        if (!fit.predictor)
            fit = model::fitOf(model::fitProcessCached(study, fit.response), study);
    }
    if (std::ranges::none_of(deciding, &model::Fit::isOk))
        throw WorkError("no response has a usable Gaussian process");
    return deciding;
}

std::vector<model::Process> processesOf(const study::Study& study, const FitSelection& selection)
{
    std::vector<model::Process> processes;
    for (const study::Response& response : study.responses) {
        if (!selection.response.empty() && response.name != selection.response)
            continue;
        processes.push_back(*model::fitProcessCached(study, response.name));
        if (!processes.back().isOk())
            std::cerr << "quadric: no model for " << processes.back().response << ": "
                      << processes.back().message << '\n';
    }
    if (std::ranges::none_of(processes, &model::Process::isOk))
        throw WorkError("no response has a usable Gaussian process");
    return processes;
}

std::vector<model::Process> processesBehind(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::vector<model::Process> processes;
    for (const model::Fit& fit : fits) {
        if (fit.predictor)
            processes.push_back(*model::fitProcessCached(study, fit.response));
    }
    return processes;
}

void reportUnusable(const std::vector<model::Fit>& fits)
{
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            std::cerr << "quadric: no model for " << fit.response << ": " << fit.message << '\n';
    }
}

} // namespace quadric::app
