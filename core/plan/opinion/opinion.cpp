// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/opinion.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/observations.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/predict.h"
#include "core/model/process/process.h"
#include "core/plan/opinion/learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr int kFewestSettings = 6;
constexpr int kMostParts = 20;

/// Predicts the response, in its own unit, at a coded point.
using PointPredictor = std::function<double(const study::CodedPoint&)>;

/// Trains on the runs of a study in place of those that the whole fit is of.
using Trainer = PointPredictor (*)(const study::Study& study, const model::Fit& whole);

PointPredictor trainPolynomial(const study::Study& study, const model::Fit& whole)
{
    model::FitOptions options = whole.data->options;
    options.transform = whole.transform; // which may have been recommended, not asked for
    auto fit = std::make_shared<model::Fit>(model::fitResponse(study, whole.response, options));
    if (!fit->isOk())
        throw std::runtime_error(fit->message);
    return [fit](const study::CodedPoint& point) { return model::predictMean(*fit, point); };
}

PointPredictor trainProcess(const study::Study& study, const model::Fit& whole)
{
    auto process = std::make_shared<model::Process>(
        model::fitProcess(study, whole.response, {.starts = 1, .transform = whole.transform}));
    if (!process->isOk())
        throw std::runtime_error(process->message);
    return [process](const study::CodedPoint& point) { return process->predictMean(point); };
}

/// Coded numeric factors, and of each level of a categorical factor whether it is that one.
Eigen::VectorXd featuresAt(const std::vector<study::Factor>& factors, const study::CodedPoint& point)
{
    std::vector<double> features;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double value = point[static_cast<Eigen::Index>(i)];
        if (factors[i].isNumeric())
            features.push_back(value);
        else
            for (std::size_t level = 0; level < factors[i].categories.size(); ++level)
                features.push_back(value == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::VectorXd>(features.data(), std::ssize(features));
}

template <Predictor (*learn)(const LearningData&)>
PointPredictor trainLearner(const study::Study& study, const model::Fit& whole)
{
    model::Observations seen = model::collect(study, whole.response);
    model::transformObservations(whole.transform, whole.response, seen);
    LearningData data{{}, seen.z};
    data.features.resize(seen.size(), featuresAt(whole.factors, seen.points.front()).size());
    for (Eigen::Index row = 0; row < seen.size(); ++row)
        data.features.row(row) =
            featuresAt(whole.factors, seen.points[static_cast<std::size_t>(row)]).transpose();
    return [predict = learn(data), factors = whole.factors,
            transform = whole.transform](const study::CodedPoint& point) {
        const double z = predict(featuresAt(factors, point));
        return model::isInvertible(transform, z) ? model::invertTransform(transform, z)
                                                 : std::numeric_limits<double>::infinity();
    };
}

struct Rival {
    const char* name;
    Trainer train;
};
constexpr std::array kRivals{Rival{"polynomial", trainPolynomial}, Rival{"Gaussian process", trainProcess},
                             Rival{"lasso", trainLearner<trainLasso>},
                             Rival{"random forest", trainLearner<trainForest>},
                             Rival{"perceptron", trainLearner<trainPerceptron>}};

/// Per row the part of its setting, by chance, the same for all models and on every machine.
std::vector<int> partsOf(std::vector<int> settingOfRow, int settings, int parts)
{
    std::vector<int> places(static_cast<std::size_t>(settings));
    std::iota(places.begin(), places.end(), 0);
    model::RandomBits random(1);
    model::shuffle(places, random);
    for (int& setting : settingOfRow)
        setting = places[static_cast<std::size_t>(setting)] % parts;
    return settingOfRow;
}

/// What a model says of each run, trained without the runs of the same part.
Eigen::VectorXd predictLeftOut(const Rival& rival, const study::Study& study, const model::Fit& fit,
                               const std::vector<int>& partOfRow, const std::stop_token& stop)
{
    Eigen::VectorXd predicted = Eigen::VectorXd::Zero(std::ssize(partOfRow));
    const int parts = *std::ranges::max_element(partOfRow) + 1;
    for (int part = 0; part < parts && !stop.stop_requested(); ++part) {
        study::Study others = study;  // copies and confirmations, which no model is fitted to, stay out, too
        others.factors = fit.factors; // on the scales of the fit, which may have been recommended
        others.runs.clear();
        for (std::size_t row = 0; row < partOfRow.size(); ++row)
            if (partOfRow[row] != part)
                others.runs.push_back(*study::findRun(study, fit.data->observations.runs[row]));
        const PointPredictor predict = rival.train(others, fit);
        for (std::size_t row = 0; row < partOfRow.size(); ++row)
            if (partOfRow[row] == part)
                predicted[static_cast<Eigen::Index>(row)] = predict(fit.data->observations.points[row]);
    }
    if (!predicted.allFinite())
        throw std::runtime_error("A prediction is not finite.");
    return predicted;
}

RivalScore scoreOf(const Rival& rival, const Eigen::VectorXd& observed, const Eigen::VectorXd& predicted)
{
    const Eigen::ArrayXd errors = (observed - predicted).array();
    const double total = (observed.array() - observed.mean()).square().sum();
    return {.model = rival.name,
            .mae = errors.abs().mean(),
            .rmse = std::sqrt(errors.square().mean()),
            .r2 = total > 0.0 ? 1.0 - errors.square().sum() / total : 0.0};
}

} // namespace

Opinion secondOpinion(const study::Study& study, const model::Fit& fit, const std::stop_token& stop)
{
    Opinion opinion{.response = fit.response, .unit = fit.unit};
    if (!fit.isOk() || fit.data == nullptr) {
        opinion.message = fit.message.empty() ? "There is no model to compare with." : fit.message;
        return opinion;
    }
    const std::vector<int>& settingOfRow = fit.data->replicateGroups;
    opinion.runs = static_cast<int>(settingOfRow.size());
    opinion.settings = *std::ranges::max_element(settingOfRow) + 1;
    opinion.parts = std::min(kMostParts, opinion.settings);
    if (opinion.settings < kFewestSettings) {
        opinion.message = "Runs at " + std::to_string(kFewestSettings) +
                          " or more different settings are needed, found " +
                          std::to_string(opinion.settings) + ".";
        return opinion;
    }
    const std::vector<int> parts = partsOf(settingOfRow, opinion.settings, opinion.parts);
    for (const Rival& rival : kRivals) {
        try {
            opinion.scores.push_back(
                scoreOf(rival, fit.data->observations.y, predictLeftOut(rival, study, fit, parts, stop)));
        } catch (const std::exception& error) {
            opinion.scores.push_back({.model = rival.name, .message = error.what()});
        }
    }
    return opinion;
}

} // namespace quadric::plan
