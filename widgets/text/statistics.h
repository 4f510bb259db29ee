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

enum class Verdict { Good, Fair, Poor };

/// A poor model is called poor: R²pred below 0.5, adequate precision below 4. Good asks for R²pred of 0.8 and
/// no lack of fit at 5 %. Everything else is fair.
Verdict verdictOf(const model::Fit& fit);

/// The verdict in one sentence with the number that decides it.
QString verdictText(const model::Fit& fit);

} // namespace quadric::widgets
