// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/pareto_data.h"

#include "widgets/base/theme.h"
#include "widgets/text/statistics.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ParetoChart", text);
}

QString percentText(double confidence)
{
    return formatNumber(100.0 * confidence) + QStringLiteral(" %");
}

std::vector<ParetoLimit> limitsOf(const model::Fit& fit)
{
    const model::EffectLimit& limit = fit.effectLimit;
    const auto text = [](const char* name, double value) {
        return QString::fromLatin1(name) + formatNumber(value);
    };
    std::vector<ParetoLimit> lines;
    if (limit.method == "t") {
        lines.push_back({limit.value, QStringLiteral("t ") + QString::number(limit.value, 'f', 2) +
                                          QStringLiteral(" (") + percentText(fit.confidence) +
                                          QLatin1Char(')')});
        if (limit.bonferroni)
            lines.push_back({*limit.bonferroni,
                             QStringLiteral("Bonferroni ") + QString::number(*limit.bonferroni, 'f', 2)});
    } else if (limit.method == "lenth") {
        lines.push_back({limit.value, text("ME ", limit.value)});
        if (limit.sme)
            lines.push_back({*limit.sme, text("SME ", *limit.sme)});
    }
    return lines;
}

QString axisTitleOf(const model::Fit& fit, bool isStandardized)
{
    if (isStandardized)
        return QStringLiteral("standardised effect |t|");
    if (fit.transform.kind != study::TransformKind::None)
        return QStringLiteral("|effect| on the transformed scale");
    return nameWithUnit("|effect|", fit.unit);
}

/// The effect in words, with the verdict of the line it is held against.
QString tipOf(const model::Fit& fit, const model::Effect& effect, bool isBeyondLimit)
{
    const bool isTransformed = fit.transform.kind != study::TransformKind::None;
    const std::string unit = isTransformed ? " (transformed scale)" : fit.unit.empty() ? "" : " " + fit.unit;
    QStringList lines{termText(effect.term)};
    lines << tr("effect %1%2").arg(formatNumber(effect.effect), QString::fromStdString(unit));
    if (effect.standardized)
        lines << QStringLiteral("|t| = %1").arg(*effect.standardized, 0, 'f', 2);
    if (effect.p)
        lines << pText(*effect.p);
    if (!fit.effectLimit.method.empty())
        lines << (isBeyondLimit ? tr("more than chance explains") : tr("no more than chance can explain"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

ParetoData paretoOf(const model::Fit& fit)
{
    ParetoData chart;
    const bool isStandardized = fit.effectLimit.method == "t";
    chart.axisTitle = axisTitleOf(fit, isStandardized);
    chart.limits = limitsOf(fit);
    const double limit = chart.limits.empty() ? INFINITY : chart.limits.front().value;
    for (const model::Effect& effect : fit.effects) {
        const double length =
            isStandardized ? std::abs(effect.standardized.value_or(0.0)) : std::abs(effect.effect);
        if (std::isfinite(length))
            chart.bars.push_back({termText(effect.term), length, effect.effect<0.0, length> limit,
                                  tipOf(fit, effect, length > limit)});
    }
    std::ranges::stable_sort(chart.bars, std::ranges::greater{}, &ParetoBar::length);
    return chart;
}

TextTable effectTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Effects");
    table.columns = {
        {tr("Term"), {}, false},
        {tr("Effect"), tr("Change of the response from the low to the high level."), true},
        {QStringLiteral("|t|"), tr("Effect over its standard error."), true},
        {QStringLiteral("p"), tr("How often chance alone would give an effect this large."), true}};
    for (const model::Effect& each : fit.effects)
        table.rows.push_back({termText(each.term), formatNumber(each.effect),
                              each.standardized ? formatNumber(*each.standardized) : QString(),
                              each.p ? formatP(*each.p) : QString()});
    return table;
}

} // namespace quadric::widgets
