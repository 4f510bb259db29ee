// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/fit_selection.h"

#include "core/model/select/boxcox.h"
#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

void addFitOptions(Command& command, FitSelection& selection)
{
    command.option("--response", selection.response, Kind::response(), "NAME", "Only this response");
}

void addHandChoiceOptions(Command& command, HandChoice& choice)
{
    command.option("--model", choice.model, Kind::model(), "MODEL",
                   "auto, linear, interactions, quadratic, or terms such as \"A + B + A*B + A^2\"");
    command.option(
        "--transform", choice.transforms,
        Kind::suggested({"none", "log", "sqrt", "inverse", "boxcox", "boxcox:"}), "T",
        "none, log, sqrt, inverse or boxcox:LAMBDA, boxcox for the likeliest power; for one response "
        "name=log, several with commas");
    command.option("--scale", choice.scales,
                   Kind::listOf(Kind::assignment(Kind::numericFactor(), Kind::suggested({"log2", "linear"}))),
                   "NAME=SCALE", "Scale of a factor: name=log2 or name=linear, several with commas");
    command.flag("--keep", choice.keeps, "Make the chosen model that of the study, for every other command");
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

study::Transform likeliestPower(const study::Study& study, const std::string& response)
{
    const std::vector<model::Fit> fits = model::fitStudy(study);
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
                                     isSearched ? likeliestPower(study, response.name) : known);
    }
}

} // namespace

study::Study withSelection(const study::Study& study, const FitSelection& selection)
{
    if (!selection.response.empty())
        requireResponse(study, "--response", selection.response);
    if (!(selection.confidence > 0.0 && selection.confidence < 1.0))
        throw UsageError("--confidence: " + study::toText(selection.confidence) +
                         ", expected a value between 0 and 1");
    return model::withChosenModels(study);
}

study::Study readAnalyzedStudy(const std::string& path, const FitSelection& selection)
{
    return withSelection(readStudy(path), selection);
}

study::Study withHandChoice(study::Study study, const HandChoice& choice, const FitSelection& selection)
{
    for (const std::string& list : choice.scales) {
        for (const std::string& assignment : split(list, ','))
            applyScaleOption(study, assignment);
    }
    for (const study::Response& response : study.responses) {
        if (!choice.model.empty() && (selection.response.empty() || response.name == selection.response))
            study.model[response.name] = choice.model;
    }
    for (const std::string& list : choice.transforms) {
        for (const std::string& transform : split(list, ','))
            applyTransformOption(study, transform, selection);
    }
    return study;
}

std::vector<model::Fit> fitsOf(const study::Study& study, const FitSelection& selection)
{
    if (study.responses.empty())
        throw WorkError("the study has no responses, expected at least one to fit a model to");
    std::vector<model::Fit> fits = optimize::fitForGoals(study, selection.confidence);
    std::erase_if(fits, [&selection](const model::Fit& fit) {
        return !selection.response.empty() && fit.response != selection.response;
    });
    for (const model::Fit& fit : fits) {
        if (fit.status == model::FitStatus::BadModel)
            throw UsageError("model of " + fit.response + ": " + fit.message);
    }
    return fits;
}

void reportUnusable(const std::vector<model::Fit>& fits)
{
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            std::cerr << "quadric: no model for " << fit.response << ": " << fit.message << '\n';
    }
}

} // namespace quadric::app
