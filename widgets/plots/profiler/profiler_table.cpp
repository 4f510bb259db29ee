// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/profiler_table.h"

#include "core/text/numbers.h"
#include "widgets/plots/profiler/profiler_layout.h"

#include <optional>

namespace quadric::widgets {

namespace {

bool hasInterval(const ProfilerCell& cell)
{
    return !cell.curve.low.empty() && cell.curve.low.size() == cell.curve.mean.size() &&
           cell.curve.high.size() == cell.curve.mean.size();
}

QString numberText(const ProfilerCell& cell, const CurveReading& reading, double value)
{
    if (cell.isDesirability)
        return QString::fromStdString(text::formatShare(value, 2, text::Typography::Typeset));
    const bool hasEnds = reading.low && reading.high && *reading.high > *reading.low;
    return formatNumber(value, hasEnds ? std::optional((*reading.high - *reading.low) / 2.0) : std::nullopt);
}

QStringList texts(const ProfilerCell& cell, const CurveReading& reading)
{
    QStringList texts{numberText(cell, reading, reading.mean)};
    if (hasInterval(cell))
        texts << (reading.low ? numberText(cell, reading, *reading.low) : QString())
              << (reading.high ? numberText(cell, reading, *reading.high) : QString());
    return texts;
}

CurveReading pointOf(const model::EffectCurve& curve, std::size_t point)
{
    CurveReading reading{curve.mean[point], {}, {}};
    if (point < curve.low.size() && point < curve.high.size()) {
        reading.low = curve.low[point];
        reading.high = curve.high[point];
    }
    return reading;
}

QString placeText(const model::EffectCurve& curve, std::size_t point)
{
    return curve.categories.empty() ? formatNumber(curve.actual[point])
                                    : QString::fromStdString(curve.categories[point]);
}

std::vector<TextColumn> columnsOf(const ProfilerData& data)
{
    std::vector<TextColumn> columns{{Profiler::tr("Factor"), {}}, {Profiler::tr("Value"), {}, true}};
    for (const auto& row : data.cells) {
        const ProfilerCell& cell = row.front();
        columns.push_back({withUnit(cell.curve.response, cell.curve.responseUnit), {}, true});
        if (!hasInterval(cell))
            continue;
        columns.push_back({Profiler::tr("Low"), Profiler::tr("Lower end of the 95 % interval."), true});
        columns.push_back({Profiler::tr("High"), Profiler::tr("Upper end of the 95 % interval."), true});
    }
    columns.push_back({Profiler::tr("Support"), Profiler::tr("Whether runs lie near.")});
    return columns;
}

QStringList rowAt(const ProfilerData& data, std::size_t column, std::size_t point)
{
    const model::EffectCurve& first = data.cells.front()[column].curve;
    QStringList row{withUnit(first.factor, first.unit), placeText(first, point)};
    for (const auto& cells : data.cells)
        row << texts(cells[column], pointOf(cells[column].curve, point));
    const bool isGuess = point < first.isExtrapolation.size() && first.isExtrapolation[point];
    return row << (isGuess ? Profiler::tr("extrapolation") : QString());
}

QString settingText(const ProfilerData& data, std::size_t column)
{
    const QString value = QString::fromStdString(data.currentTexts[column]);
    return QStringLiteral("%1 %2").arg(QString::fromStdString(data.cells.front()[column].curve.factor),
                                       value);
}

} // namespace

TextTable profilerTable(const ProfilerData& data)
{
    TextTable table{Profiler::tr("Prediction profiler"), {}, {}, {}};
    if (data.cells.empty())
        return table;
    table.columns = columnsOf(data);
    QStringList now{Profiler::tr("shown setting"), {}};
    for (const auto& cells : data.cells)
        now << texts(cells.front(), readCurve(cells.front().curve, cells.front().current));
    table.rows.push_back(now << QString());
    QStringList setting;
    for (std::size_t column = 0; column < data.cells.front().size(); ++column) {
        if (column < data.currentTexts.size())
            setting << settingText(data, column);
        for (std::size_t i = 0; i < data.cells.front()[column].curve.actual.size(); ++i)
            table.rows.push_back(rowAt(data, column, i));
    }
    table.note = Profiler::tr("Shown setting: %1. Along each factor the others are held there.")
                     .arg(setting.join(QStringLiteral(", ")));
    return table;
}

QString profilerReading(const ProfilerData& data)
{
    QStringList words;
    for (const auto& row : data.cells) {
        const ProfilerCell& cell = row.front();
        const QString unit = cell.curve.responseUnit.empty()
                                 ? QString()
                                 : QLatin1Char(' ') + QString::fromStdString(cell.curve.responseUnit);
        words << QString::fromStdString(cell.curve.response) + QLatin1Char(' ') + readingText(cell) + unit;
    }
    return words.join(QStringLiteral(", "));
}

} // namespace quadric::widgets
