// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/outcome_model.h"

#include "core/model/base/term.h"
#include "core/model/feasibility/firth_logistic.h"
#include "core/model/feasibility/probit_process.h"

#include <cmath>
#include <numbers>

namespace quadric::model {

namespace {

Eigen::VectorXd outcomesAsNumbers(const RunOutcomes& outcomes)
{
    Eigen::VectorXd y(std::ssize(outcomes.hasRun));
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        y[static_cast<Eigen::Index>(i)] = outcomes.hasRun[i] ? 1.0 : 0.0;
    return y;
}

/// Rows of the model matrix and outcomes without one of them.
std::optional<FirthLogistic> fitWithout(Eigen::Index left, const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    std::vector<Eigen::Index> others;
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        if (i != left)
            others.push_back(i);
    }
    return fitFirth(x(others, Eigen::all), y(others));
}

Eigen::VectorXd leftOutBy(const Eigen::MatrixXd& x, const Eigen::VectorXd& y)
{
    Eigen::VectorXd left = Eigen::VectorXd::Constant(y.size(), 0.5);
    for (Eigen::Index i = 0; i < y.size(); ++i) {
        if (const std::optional<FirthLogistic> model = fitWithout(i, x, y))
            left[i] = model->probabilityAt(x.row(i).transpose());
    }
    return left;
}

} // namespace

std::optional<OutcomeModel> logisticModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::vector<study::Factor>& factors = study.factors;
    const std::vector<Column> columns = columnsOf(termsOf(Order::Linear, factors), factors);
    Eigen::MatrixXd x(outcomes.points.rows(), std::ssize(columns));
    for (Eigen::Index i = 0; i < x.rows(); ++i)
        x.row(i) = rowAt(columns, study::CodedPoint(outcomes.points.row(i).transpose()), factors).transpose();
    const Eigen::VectorXd y = outcomesAsNumbers(outcomes);
    const std::optional<FirthLogistic> model = fitFirth(x, y);
    if (!model)
        return std::nullopt;
    const auto at = [columns, factors, model = *model](const Eigen::VectorXd& point) {
        const Eigen::VectorXd row = rowAt(columns, study::CodedPoint(point), factors);
        const double half = kNormalLimit * model.errorAt(row);
        return RunProbability{model.probabilityAt(row), logisticOf(model.logOddsAt(row) - half),
                              logisticOf(model.logOddsAt(row) + half)};
    };
    return OutcomeModel{.method = FeasibilityMethod::Logistic, .at = at, .leftOut = leftOutBy(x, y)};
}

std::optional<OutcomeModel> processModel(const study::Study& study, const RunOutcomes& outcomes)
{
    const std::optional<ProbitProcess> process =
        ProbitProcess::fit(study.factors, outcomes.points, outcomes.hasRun);
    if (!process)
        return std::nullopt;
    const auto at = [process = *process](const Eigen::VectorXd& x) {
        const LatentValue latent = process.at(x);
        const double half = kNormalLimit * std::sqrt(latent.variance);
        return RunProbability{latent.probability(), LatentValue{latent.mean - half, 0.0}.probability(),
                              LatentValue{latent.mean + half, 0.0}.probability()};
    };
    return OutcomeModel{.method = FeasibilityMethod::Process, .at = at, .leftOut = process->leftOut()};
}

} // namespace quadric::model
