// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_parts.h"

#include "widgets/base/theme.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kHalfLevel = 0.3; ///< half the width of a categorical level's bar

/// A stretch of a curve that is all inside the data or all extrapolated: points first to last.
struct Stretch {
    std::size_t first = 0, last = 0;
    bool isExtrapolation = false;
};

std::vector<Stretch> stretchesOf(const model::EffectCurve& curve)
{
    std::vector<Stretch> stretches;
    const auto isGuess = [&](std::size_t i) {
        return i < curve.isExtrapolation.size() && curve.isExtrapolation[i];
    };
    for (std::size_t i = 0; i + 1 < curve.actual.size(); ++i) {
        const bool guess = isGuess(i) || isGuess(i + 1);
        if (!stretches.empty() && stretches.back().isExtrapolation == guess)
            stretches.back().last = i + 1;
        else
            stretches.push_back({i, i + 1, guess});
    }
    return stretches;
}

bool hasBand(const model::EffectCurve& curve)
{
    return curve.low.size() == curve.mean.size() && curve.high.size() == curve.mean.size();
}

void addStretch(Panel& panel, const model::EffectCurve& curve, const Stretch& stretch, int category)
{
    const auto part = [&stretch](const std::vector<double>& values) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(stretch.first);
        return std::vector<double>(begin, values.begin() + static_cast<std::ptrdiff_t>(stretch.last) + 1);
    };
    const std::vector<double> x = part(curve.actual);
    if (hasBand(curve))
        panel.bands.push_back({x, part(curve.low), part(curve.high), stretch.isExtrapolation, category});
    const LineRole role = stretch.isExtrapolation ? LineRole::Extrapolation : LineRole::Fit;
    panel.lines.push_back({x, part(curve.mean), role, category, {}});
}

void addLevel(Panel& panel, const model::EffectCurve& curve, std::size_t level, int category)
{
    const double at = curve.actual[level];
    const std::vector<double> x{at - kHalfLevel, at + kHalfLevel};
    const auto flat = [](double value) { return std::vector<double>{value, value}; };
    const bool isGuess = level < curve.isExtrapolation.size() && curve.isExtrapolation[level];
    if (hasBand(curve))
        panel.bands.push_back({x, flat(curve.low[level]), flat(curve.high[level]), isGuess, category});
    panel.lines.push_back(
        {x, flat(curve.mean[level]), isGuess ? LineRole::Extrapolation : LineRole::Fit, category, {}});
}

/// A curve does not say whether its factor has whole values alone; the levels of its runs do.
bool isCounted(const model::EffectCurve& curve)
{
    return !curve.adjustedAt.empty() &&
           std::ranges::all_of(curve.adjustedAt, [](double level) { return level == std::round(level); });
}

/// The place of one more row; the axis is made as long as it then is.
double nextRow(Panel& panel)
{
    constexpr double kEdge = 0.6; // of a row, beyond the middle of the first and the last one
    const double row = -static_cast<double>(panel.y.ticks.size() + panel.headings.size());
    panel.y.isCategory = true;
    panel.y.scale = {row - kEdge, kEdge, false};
    return row;
}

} // namespace

PanelAxis factorAxis(const model::EffectCurve& curve)
{
    PanelAxis axis;
    axis.title = nameWithUnit(curve.factor, curve.unit);
    if (curve.categories.empty()) {
        std::vector<double> values = curve.actual;
        values.insert(values.end(), curve.adjustedAt.begin(), curve.adjustedAt.end());
        axis.scale = scaleOver(values, curve.isLog2, 0.04);
        if (isCounted(curve))
            axis.ticks = wholeTicks(axis.scale);
        return axis;
    }
    axis.isCategory = true;
    axis.scale = {-0.5, static_cast<double>(curve.categories.size()) - 0.5, false};
    for (std::size_t i = 0; i < curve.categories.size(); ++i)
        axis.ticks.push_back({static_cast<double>(i), nameText(curve.categories[i])});
    return axis;
}

AxisScale responseScale(const std::vector<model::EffectCurve>& curves)
{
    std::vector<double> values;
    for (const model::EffectCurve& curve : curves)
        for (const auto* part : {&curve.mean, &curve.low, &curve.high, &curve.adjustedMean})
            values.insert(values.end(), part->begin(), part->end());
    return scaleOver(values, false, 0.05);
}

void addCurve(Panel& panel, const model::EffectCurve& curve, int category)
{
    if (curve.categories.empty()) {
        for (const Stretch& stretch : stretchesOf(curve))
            addStretch(panel, curve, stretch, category);
        return;
    }
    for (std::size_t level = 0; level < curve.actual.size(); ++level)
        addLevel(panel, curve, level, category);
}

void addExtrapolationEntry(std::vector<LegendEntry>& legend, const std::vector<model::EffectCurve>& curves)
{
    const auto isGuess = [](const model::EffectCurve& curve) {
        return std::ranges::find(curve.isExtrapolation, true) != curve.isExtrapolation.end();
    };
    if (std::ranges::any_of(curves, isGuess))
        legend.push_back({.sample = LegendEntry::Sample::Line,
                          .text = tr("extrapolated"),
                          .line = LineRole::Extrapolation});
}

std::vector<TextColumn> curveColumns()
{
    return {{tr("Value"), {}, true},
            {tr("Fitted"), tr("What the model predicts there."), true},
            {tr("95 % low"), tr("Lower end of the 95 % interval of the mean."), true},
            {tr("95 % high"), tr("Upper end of the 95 % interval of the mean."), true}};
}

void addRows(TextTable& table, const model::EffectCurve& curve, const QStringList& lead)
{
    for (std::size_t i = 0; i < curve.actual.size(); ++i) {
        QStringList row = lead;
        row << (i < curve.categories.size() ? nameText(curve.categories[i]) : formatNumber(curve.actual[i]));
        row << formatNumber(curve.mean[i]);
        row << (hasBand(curve) ? formatNumber(curve.low[i]) : QString());
        row << (hasBand(curve) ? formatNumber(curve.high[i]) : QString());
        table.rows.push_back(row);
    }
}

void addRow(Panel& panel, const QString& name, PanelBar bar)
{
    constexpr double kHalfBar = 0.31; // of a row
    const double row = nextRow(panel);
    bar.low = row - kHalfBar;
    bar.high = row + kHalfBar;
    panel.y.ticks.push_back({row, name});
    panel.bars.push_back(std::move(bar));
}

void addHeading(Panel& panel, const QString& name)
{
    panel.headings.push_back({nextRow(panel), name});
}

PanelLine straightLine(double x0, double y0, double x1, double y1, LineRole role, const QString& label)
{
    return {{x0, x1}, {y0, y1}, role, -1, label};
}

QString runTip(int run, const QStringList& lines)
{
    return (QStringList{tr("Run %1").arg(run)} + lines).join(QLatin1Char('\n'));
}

QString namedValue(const QString& name, double value, const std::string& unit)
{
    const QString end = unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(unit);
    return name + QLatin1Char(' ') + formatNumber(value) + end;
}

QString adjustedTip(const model::EffectCurve& curve, std::size_t level)
{
    const int runs = level < curve.adjustedRuns.size() ? curve.adjustedRuns[level] : 0;
    const QString shown = namedValue(tr("adjusted:"), curve.adjustedMean[level], curve.responseUnit);
    return formatCount(runs, "run") + QStringLiteral(", ") + shown;
}

bool isUsable(const model::EffectCurve& curve)
{
    return !curve.actual.empty() && curve.actual.size() == curve.mean.size();
}

QString modelScaleName(const model::Fit& fit)
{
    const QString name = nameText(fit.response);
    switch (fit.transform.kind) {
    case study::TransformKind::None:
        return nameWithUnit(fit.response, fit.unit);
    case study::TransformKind::Log:
        return tr("log of %1").arg(name);
    case study::TransformKind::Sqrt:
        return tr("square root of %1").arg(name);
    case study::TransformKind::Inverse:
        return tr("inverse of %1").arg(name);
    case study::TransformKind::Logit:
        return tr("logit of %1").arg(name);
    case study::TransformKind::BoxCox:
        break;
    }
    return tr("%1 to the power %2").arg(name, formatNumber(fit.transform.lambda));
}

} // namespace quadric::widgets
