// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/trained_model.h"

#include "core/model/fit/regression.h"
#include "core/model/fit/transform.h"
#include "core/model/predict/predict.h"
#include "core/model/process/process.h"
#include "core/plan/opinion/learner.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace quadric::plan {

namespace {

Learner learnerOf(Rival rival)
{
    switch (rival) {
    case Rival::Lasso:
        return trainLasso;
    case Rival::Forest:
        return trainForest;
    case Rival::Perceptron:
        return trainPerceptron;
    default:
        return trainNeighbors;
    }
}

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

} // namespace

OpinionData::OpinionData(const study::Study& study, const model::Fit& fit)
    : m_study(study)
    , m_fit(fit)
    , m_rows(fit.data->observations.runs)
    , m_groups(fit.data->replicateGroups)
    , m_points(fit.data->observations.points)
    , m_values(fit.data->observations.z)
{
    const Eigen::VectorXd& y = fit.data->observations.y;
    m_observed.assign(y.begin(), y.end());
}

/// Only the runs of these rows: copies and confirmations, which no model is fitted to, stay out, too.
study::Study OpinionData::studyWith(const std::vector<Eigen::Index>& rows) const
{
    study::Study part = m_study;
    part.factors = m_fit.factors; // on the scales of the fit, which may have been recommended
    part.runs.clear();
    for (const Eigen::Index row : rows)
        part.runs.push_back(*study::findRun(m_study, m_rows[static_cast<std::size_t>(row)]));
    return part;
}

/// Coded numeric factors, and of each level of a categorical factor whether it is that one.
Eigen::VectorXd OpinionData::featuresAt(const study::CodedPoint& point) const
{
    std::vector<double> features;
    for (std::size_t i = 0; i < m_fit.factors.size(); ++i) {
        const double value = point[static_cast<Eigen::Index>(i)];
        if (m_fit.factors[i].isNumeric())
            features.push_back(value);
        else
            for (std::size_t level = 0; level < m_fit.factors[i].categories.size(); ++level)
                features.push_back(value == static_cast<double>(level) ? 1.0 : 0.0);
    }
    return Eigen::Map<Eigen::VectorXd>(features.data(), std::ssize(features));
}

PointPredictor OpinionData::train(Rival rival, const std::vector<Eigen::Index>& rows) const
{
    if (rival == Rival::Polynomial)
        return trainPolynomial(studyWith(rows), m_fit);
    if (rival == Rival::Process)
        return trainProcess(studyWith(rows), m_fit);
    LearningData data;
    data.features.resize(std::ssize(rows), featuresAt(m_points.front()).size());
    data.values = m_values(rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto row = static_cast<std::size_t>(rows[i]);
        data.features.row(static_cast<Eigen::Index>(i)) = featuresAt(m_points[row]).transpose();
        data.groups.push_back(m_groups[row]);
    }
    return [this, predict = learnerOf(rival)(data)](const study::CodedPoint& point) {
        const double z = predict(featuresAt(point));
        return model::isInvertible(m_fit.transform, z) ? model::invertTransform(m_fit.transform, z)
                                                       : std::numeric_limits<double>::infinity();
    };
}

} // namespace quadric::plan
