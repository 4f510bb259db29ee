// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/deadline_plot.h"

#include "core/text/time_unit.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kCertain = 1.02; ///< the axis goes a little beyond
constexpr double kHalf = 0.4;     ///< from there on an axis has ticks at tenths

/// With a tick at each fifth, or of half an axis at each tenth.
PanelAxis shareAxis(const QString& title, double from)
{
    PanelAxis axis{title, {from, kCertain, false}};
    for (int tenths = 0; tenths <= 10; tenths += from > kHalf ? 1 : 2)
        if (const double share = tenths / 10.0; share >= from)
            axis.ticks.push_back({share, formatPercent(share, 0)});
    return axis;
}

/// The sizes in the unit that they are told in, and the axis.
struct SizeAxis {
    QString title;
    double unit = 1.0;
};

/// Long numbers leave room for few of them: large amounts are told in millions or billions.
SizeAxis amountAxis(const QString& unit, double largest)
{
    constexpr double kMillion = 1e6, kBillion = 1e9, kMany = 10.0;
    const double scale = largest >= kMany * kBillion   ? kBillion
                         : largest >= kMany * kMillion ? kMillion
                                                       : 1.0;
    const QString many = scale == kBillion   ? DeadlinePlot::tr("billion %1").arg(unit)
                         : scale == kMillion ? DeadlinePlot::tr("million %1").arg(unit)
                                             : unit;
    return {many.isEmpty() ? DeadlinePlot::tr("amount of work")
                           : DeadlinePlot::tr("amount of work (%1)").arg(many.trimmed()),
            scale};
}

SizeAxis sizeAxisOf(const model::Fit& fit, const plan::DeadlineQuestion& question,
                    const plan::SizeCurve& curve)
{
    if (curve.kind == plan::SizeKind::Time) {
        const text::TimeUnit unit = text::findTimeUnit(curve.sizes.back());
        return {DeadlinePlot::tr("time available (%1)").arg(QLatin1String(unit.name)), unit.seconds};
    }
    if (curve.kind == plan::SizeKind::Setting) {
        const auto factor = std::ranges::find(fit.factors, question.largest, &study::Factor::name);
        return {nameWithUnit(factor->name, factor->unit)};
    }
    return amountAxis(unitOfAmount(fit), curve.sizes.back());
}

/// As the axis tells it.
QString sizeText(const plan::SizeCurve& curve, double size, double unit)
{
    if (curve.kind == plan::SizeKind::Time)
        return formatDuration(size);
    return formatNumber((curve.kind == plan::SizeKind::Amount ? withoutNeedlessDigits(size) : size) / unit);
}

std::optional<double> largestOf(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer)
{
    switch (answer.curve.kind) {
    case plan::SizeKind::Setting:
        return answer.largest ? std::optional(answer.largest->value) : std::nullopt;
    case plan::SizeKind::Time:
        return std::isfinite(answer.quantile) ? std::optional(answer.quantile) : std::nullopt;
    case plan::SizeKind::Amount:
        break;
    }
    const bool isSome = answer.largestAmount.value_or(0.0) > 0.0 && question.probability > 0.0;
    return isSome ? answer.largestAmount : std::nullopt;
}

double shownSize(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer)
{
    switch (answer.curve.kind) {
    case plan::SizeKind::Setting:
        return study::numberOf(question.settings.at(question.largest));
    case plan::SizeKind::Time:
        return question.seconds;
    case plan::SizeKind::Amount:
        break;
    }
    return question.work.amount;
}

/// Of the curve at a size on it.
double probabilityAt(const plan::SizeCurve& curve, double size)
{
    const auto above = std::ranges::lower_bound(curve.sizes, size);
    const auto i = std::min<std::ptrdiff_t>(above - curve.sizes.begin(), std::ssize(curve.sizes) - 1);
    if (i == 0)
        return curve.probabilities.front();
    const auto at = static_cast<std::size_t>(i);
    const double width = curve.sizes[at] - curve.sizes[at - 1];
    const double share = width > 0.0 ? std::min(1.0, (size - curve.sizes[at - 1]) / width) : 1.0;
    return curve.probabilities[at - 1] + share * (curve.probabilities[at] - curve.probabilities[at - 1]);
}

Panel curvePanel(const model::Fit& fit, const plan::DeadlineQuestion& question,
                 const plan::DeadlineAnswer& answer)
{
    const SizeAxis axis = sizeAxisOf(fit, question, answer.curve);
    Panel panel;
    PanelLine line;
    for (const double size : answer.curve.sizes)
        line.x.push_back(size / axis.unit);
    line.y = answer.curve.probabilities;
    panel.x = {axis.title, scaleOver(line.x, false)};
    panel.y = shareAxis(DeadlinePlot::tr("done in time"), 0.0);
    panel.lines.push_back(straightLine(panel.x.scale.low, question.probability, panel.x.scale.high,
                                       question.probability, LineRole::Reference));
    const double shown = shownSize(question, answer);
    const double at = probabilityAt(answer.curve, shown);
    panel.lines.push_back(std::move(line));
    if (const auto largest = largestOf(question, answer))
        panel.limits.push_back({*largest / axis.unit,
                                DeadlinePlot::tr("%1: %2").arg(formatPercent(question.probability, 2),
                                                               sizeText(answer.curve, *largest, axis.unit))});
    panel.dots.push_back({.x = shown / axis.unit,
                          .y = at,
                          .role = DotRole::Shown,
                          .tip = DeadlinePlot::tr("as asked: %1").arg(formatPercent(at))});
    return panel;
}

Panel calibrationPanel(const plan::Calibration& calibration)
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = shareAxis(DeadlinePlot::tr("probability asked for"), 0.48);
    double lowest = 0.45;
    PanelBand band;
    PanelLine line;
    for (const plan::CalibrationPoint& point : calibration.points) {
        band.x.push_back(point.asked);
        band.low.push_back(point.interval.low);
        band.high.push_back(point.interval.high);
        lowest = std::min(lowest, point.interval.low - 0.02);
        panel.dots.push_back(
            {.x = point.asked,
             .y = point.reached,
             .role = DotRole::Mean,
             .tip = DeadlinePlot::tr("asked %1, reached %2 (95 %: %3 to %4)")
                        .arg(formatPercent(point.asked), formatPercent(point.reached),
                             formatPercent(point.interval.low), formatPercent(point.interval.high))});
    }
    panel.y = shareAxis(DeadlinePlot::tr("runs done in time"), std::max(0.0, lowest));
    panel.bands.push_back(std::move(band));
    panel.lines.push_back(straightLine(0.48, 0.48, 1.0, 1.0, LineRole::Reference));
    panel.note =
        DeadlinePlot::tr("%1 left out, one setting at a time").arg(formatCount(calibration.runs, "run"));
    return panel;
}

TextTable tableOf(const model::Fit& fit, const plan::DeadlineQuestion& question,
                  const plan::DeadlineAnswer& answer)
{
    const SizeAxis axis = sizeAxisOf(fit, question, answer.curve);
    TextTable table;
    table.caption =
        DeadlinePlot::tr("Probability of being done within %1").arg(formatDuration(question.seconds));
    table.columns = {{axis.title, {}, true}, {DeadlinePlot::tr("Probability"), {}, true}};
    for (std::size_t i = 0; i < answer.curve.sizes.size(); ++i)
        table.rows.push_back(
            {formatNumber(answer.curve.sizes[i] / axis.unit), formatPercent(answer.curve.probabilities[i])});
    return table;
}

} // namespace

QString unitOfAmount(const model::Fit& fit)
{
    return plan::isRateUnit(fit.unit) ? QString::fromStdString(fit.unit).section(QLatin1Char('/'), 0, 0)
                                      : QString();
}

double withoutNeedlessDigits(double amount)
{
    constexpr double kDigitsOfAmount = 3.0;
    if (!(amount > 0.0))
        return amount;
    const double step = std::pow(10.0, std::floor(std::log10(amount)) + 1.0 - kDigitsOfAmount);
    return std::floor(amount / step + 1e-9) * step;
}

QString amountText(const model::Fit& fit, double amount)
{
    const QString unit = unitOfAmount(fit);
    return unit.isEmpty() ? DeadlinePlot::tr("%1 units of work").arg(formatNumber(amount))
                          : formatNumber(amount) + QChar::Nbsp + unit;
}

DeadlinePlot::DeadlinePlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Probability of being done in time"));
    clear(tr("No response tells how long the work takes."));
}

void DeadlinePlot::setAnswer(const model::Fit& fit, const plan::DeadlineQuestion& question,
                             const plan::DeadlineAnswer& answer)
{
    PanelBoard board;
    board.title = nameText(fit.response);
    board.panels.push_back(curvePanel(fit, question, answer));
    board.legend = {{.sample = LegendEntry::Sample::Dot, .text = tr("as asked"), .dot = DotRole::Shown},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("probability asked for"),
                     .line = LineRole::Reference}};
    if (!answer.calibration.points.empty()) {
        board.panels.push_back(calibrationPanel(answer.calibration));
        board.legend.push_back({.sample = LegendEntry::Sample::Dot,
                                .text = tr("reached by runs left out, 95 % band"),
                                .dot = DotRole::Mean});
    }
    board.table = tableOf(fit, question, answer);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
