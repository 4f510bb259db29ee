// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit.h"

#include <QString>

#include <vector>

namespace quadric::widgets {

/// One number that judges a model, as it is shown, and what it means in one plain sentence.
struct Statistic {
    QString name;
    QString value; ///< "–" where it is not defined
    QString tooltip;
};

/// R² family, sigma, lack of fit, adequate precision, number of runs and of coefficients.
std::vector<Statistic> statisticsOf(const model::Fit& fit);

/// A p value with its sign: "p = 0.032", "p < 0.0001".
QString pText(double p);

/// "no transform", "logarithm", "power 0.3".
QString transformText(const study::Transform& transform);

} // namespace quadric::widgets
