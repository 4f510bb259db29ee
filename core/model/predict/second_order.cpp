// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/second_order.h"

namespace quadric::model {

namespace {

/// Value of the categorical part of a column.
double categoricalPart(Column column, const study::CodedPoint& at, const std::vector<study::Factor>& factors)
{
    for (std::size_t i = 0; i < factors.size(); ++i) {
        if (factors[i].isNumeric())
            column.term.powers[i] = 0;
    }
    return valueAt(column, at, factors);
}

/// The numeric factors of a column, each as often as its power says, as indices into `factors`.
std::vector<Eigen::Index> numericParts(const Column& column, const std::vector<std::size_t>& factors)
{
    std::vector<Eigen::Index> parts;
    for (std::size_t i = 0; i < factors.size(); ++i)
        parts.insert(parts.end(), static_cast<std::size_t>(column.term.powers[factors[i]]),
                     static_cast<Eigen::Index>(i));
    return parts;
}

} // namespace

SecondOrder secondOrderOf(const Fit& fit, const study::CodedPoint& at)
{
    SecondOrder model;
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        if (fit.factors[i].isNumeric())
            model.factors.push_back(i);
    }
    const Eigen::Index k = std::ssize(model.factors);
    model.b = Eigen::VectorXd::Zero(k);
    model.B = Eigen::MatrixXd::Zero(k, k);
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
        const std::vector<Eigen::Index> parts = numericParts(fit.columns[j], model.factors);
        const double value =
            fit.beta[static_cast<Eigen::Index>(j)] * categoricalPart(fit.columns[j], at, fit.factors);
        if (parts.empty())
            model.constant += value;
        if (parts.size() == 1)
            model.b[parts[0]] += value;
        if (parts.size() == 2) {
            model.B(parts[0], parts[1]) += value / 2;
            model.B(parts[1], parts[0]) += value / 2;
        }
        model.isSecondOrder = model.isSecondOrder && parts.size() <= 2;
    }
    return model;
}

bool isFalling(const study::Transform& transform)
{
    return transform.kind == study::TransformKind::Inverse;
}

} // namespace quadric::model
