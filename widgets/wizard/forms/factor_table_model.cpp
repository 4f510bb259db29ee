// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/factor_table_model.h"

#include "core/study/coding.h"
#include "core/study/study.h"
#include "widgets/base/typed_number.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

using study::FactorType;

QStringList listIn(const QString& text)
{
    static const QRegularExpression separators(QStringLiteral("[,;\\s]+"));
    return text.split(separators, Qt::SkipEmptyParts);
}

QString levelsText(const study::Factor& factor)
{
    QStringList parts;
    for (const double level : factor.levels)
        parts << QString::fromStdString(study::toText(level));
    for (const auto& category : factor.categories)
        parts << QString::fromStdString(category);
    if (factor.type == FactorType::Integer)
        return factor.multipleOf > 1 ? FactorTableModel::tr("× %1").arg(factor.multipleOf) : QString();
    return factor.type == FactorType::Continuous ? QString() : parts.join(QStringLiteral(", "));
}

std::optional<study::Factor> withLevels(study::Factor factor, const QString& typed)
{
    if (factor.type == FactorType::Integer) {
        const auto multiple = typedNumber(QString(typed).remove(QChar(0xd7)).trimmed());
        if (!typed.isEmpty() && !multiple)
            return std::nullopt;
        factor.multipleOf = std::llround(std::clamp(multiple.value_or(1.0), 1.0, 1e9));
        return factor;
    }
    factor.levels.clear();
    factor.categories.clear();
    for (const QString& part : listIn(typed)) {
        if (factor.type == FactorType::Categorical)
            factor.categories.push_back(part.toStdString());
        else if (const auto level = typedNumber(part))
            factor.levels.push_back(*level);
        else
            return std::nullopt;
    }
    std::sort(factor.levels.begin(), factor.levels.end());
    if (!factor.levels.empty()) {
        factor.low = factor.levels.front();
        factor.high = factor.levels.back();
    }
    return factor;
}

/// A change of type keeps what still makes sense and fills in the rest, so that the row stays sound.
study::Factor withType(study::Factor factor, FactorType type)
{
    if (type == FactorType::Discrete && factor.levels.empty())
        factor.levels = {factor.low, factor.high};
    if (type == FactorType::Categorical && factor.categories.empty())
        factor.categories = {"A", "B"};
    if (type != FactorType::Discrete)
        factor.levels.clear();
    if (type != FactorType::Categorical)
        factor.categories.clear();
    if (type != FactorType::Integer)
        factor.multipleOf = 1;
    if (type == FactorType::Categorical)
        factor.scale = study::Scale::Linear;
    factor.type = type;
    return factor;
}

} // namespace

QStringList usedValues(const study::Factor& factor)
{
    QStringList values;
    if (!factor.isNumeric()) {
        for (const auto& category : factor.categories)
            values << QString::fromStdString(category);
        return values;
    }
    try {
        const study::Coding coding({factor});
        for (const double coded : {-1.0, 0.0, 1.0})
            values << QString::number(study::snapToLegal(factor, coding.toActual(0, coded)), 'g', 4);
    } catch (const std::exception&) {
        return {};
    }
    return values;
}

std::optional<study::Factor> withCell(study::Factor factor, int column, const QString& typed)
{
    const QString text = typed.trimmed();
    const auto number = typedNumber(text);
    switch (column) {
    case FactorTableModel::Name:
        factor.name = text.toStdString();
        return factor;
    case FactorTableModel::Unit:
        factor.unit = text.toStdString();
        return factor;
    case FactorTableModel::Type:
        if (const auto type = study::factorTypeFrom(text.toStdString()))
            return withType(std::move(factor), *type);
        return std::nullopt;
    case FactorTableModel::Low:
    case FactorTableModel::High:
        if (!number)
            return std::nullopt;
        (column == FactorTableModel::Low ? factor.low : factor.high) = *number;
        return factor;
    case FactorTableModel::ScaleColumn:
        if (const auto scale = study::scaleFrom(text.toStdString())) {
            factor.scale = *scale;
            return factor;
        }
        return std::nullopt;
    case FactorTableModel::Levels:
        return withLevels(std::move(factor), text);
    default:
        return std::nullopt;
    }
}

FactorTableModel::FactorTableModel(QObject* parent)
    : RecordModel(
          {{tr("Name")},
           {tr("Unit")},
           {tr("Type")},
           {tr("Low"), true},
           {tr("High"), true},
           {tr("Scale")},
           {tr("Levels (list) or step"), false,
            tr("Integer: a number that all values are multiples of. Discrete: the values, with commas. "
               "Categorical: the names, with commas.")},
           {tr("Levels in the design"), false,
            tr("The values that will really be run, after rounding to what is legal.")}},
          parent)
{
}

std::optional<study::Factor> FactorTableModel::typedInto(const study::Factor& factor, int column,
                                                         const QString& text) const
{
    return withCell(factor, column, text);
}

QString FactorTableModel::textOf(const study::Factor& factor, int column) const
{
    switch (column) {
    case Name:
        return QString::fromStdString(factor.name);
    case Unit:
        return QString::fromStdString(factor.unit);
    case Type:
        return QString::fromUtf8(study::nameOf(factor.type).data());
    case Low:
        return factor.isNumeric() ? QString::fromStdString(study::toText(factor.low)) : QString();
    case High:
        return factor.isNumeric() ? QString::fromStdString(study::toText(factor.high)) : QString();
    case ScaleColumn:
        return factor.isNumeric() ? QString::fromUtf8(study::nameOf(factor.scale).data()) : QString();
    case Levels:
        return levelsText(factor);
    default:
        return usedValues(factor).join(QStringLiteral(" · "));
    }
}

bool FactorTableModel::canTypeInto(const study::Factor& factor, int column) const
{
    switch (column) {
    case Low:
    case High:
        return factor.type == FactorType::Continuous || factor.type == FactorType::Integer;
    case ScaleColumn:
        return factor.isNumeric();
    case Levels:
        return factor.type != FactorType::Continuous;
    case Used:
        return false;
    default:
        return true;
    }
}

} // namespace quadric::widgets
