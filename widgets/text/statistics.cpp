// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/statistics.h"

#include "widgets/base/theme.h"
#include "widgets/text/cell_text.h"
#include "widgets/text/translate.h"

#include <algorithm>
#include <optional>

namespace quadric::widgets {

namespace {

QString share(const std::optional<double>& value)
{
    return value ? QString::number(*value, 'f', *value > 0.9995 && *value < 1 ? 4 : 3) : nothingText();
}

QString lackOfFitText(const model::Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Lack of fit");
    if (row == nullptr || !row->p)
        return tr("not testable");
    return pText(*row->p);
}

QString sigmaText(const model::Fit& fit)
{
    if (fit.dfResidual <= 0)
        return nothingText();
    const bool isTransformed = fit.transform.kind != study::TransformKind::None;
    const QString unit = fit.unit.empty() || isTransformed
                             ? QString()
                             : QStringLiteral(" ") + QString::fromStdString(fit.unit);
    return formatNumber(fit.sigma) + unit;
}

} // namespace

QString pText(double p)
{
    const QString number = formatP(p);
    const bool hasSign = number.startsWith(QLatin1Char('<')) || number.startsWith(QLatin1Char('>'));
    return (hasSign ? QStringLiteral("p ") : QStringLiteral("p = ")) + number;
}

QString transformText(const study::Transform& transform)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return tr("no transform");
    case study::TransformKind::Log:
        return tr("logarithm");
    case study::TransformKind::Sqrt:
        return tr("square root");
    case study::TransformKind::Inverse:
        return tr("inverse");
    case study::TransformKind::BoxCox:
        break;
    }
    return tr("power %1").arg(formatNumber(transform.lambda));
}

std::vector<Statistic> statisticsOf(const model::Fit& fit)
{
    return {
        {tr("R²"), share(fit.r2), tr("Share of the variation between the runs that the model explains.")},
        {tr("R² adjusted"), share(fit.r2Adjusted),
         tr("R² charged for every coefficient, so that useless terms do not pay.")},
        {tr("R² predicted"), share(fit.r2Predicted),
         tr("Share explained when each run is predicted from the others (PRESS): how well new runs will be "
            "met.")},
        {tr("Sigma"), sigmaText(fit),
         tr("Residual standard deviation: the scatter of single runs around the model.")},
        {tr("Lack of fit"), lackOfFitText(fit),
         tr("Small p: the model misses more than the repeated runs scatter by themselves.")},
        {tr("Adequate precision"), numberCell(fit.adequatePrecision),
         tr("Range of the predictions over their average error; above 4 the model can steer a search.")},
        {tr("Runs"), QString::number(fit.n), tr("Finished runs that the model was fitted to.")},
        {tr("Coefficients"), QString::number(fit.parameters),
         tr("Numbers estimated from the runs; the rest of the runs is left to judge the error.")},
    };
}

} // namespace quadric::widgets
