// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/sheets/factor_table_model.h"

#include "core/study/coding.h"
#include "core/study/study.h"
#include "widgets/base/typed_number.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

using study::FactorType;

QStringList listIn(const QString& text)
{
    static const QRegularExpression semicolons(QStringLiteral(";|,(?=\\s)")); // 0,5; 1,5
    static const QRegularExpression commas(QStringLiteral(","));
    static const QRegularExpression blanks(QStringLiteral("\\s"));
    const auto& separator = text.contains(QLatin1Char(';'))   ? semicolons
                            : text.contains(QLatin1Char(',')) ? commas
                                                              : blanks;
    QStringList parts;
    for (const QString& part : text.split(separator))
        if (!part.trimmed().isEmpty())
            parts << part.trimmed();
    return parts;
}

QString levelsText(const study::Factor& factor)
{
    QStringList parts;
    for (const double level : factor.levels)
        parts << QString::fromStdString(study::toText(level));
    for (const auto& category : factor.categories)
        parts << QString::fromStdString(category);
    if (factor.type == FactorType::Integer)
        return factor.multipleOf > 1 ? FactorTableModel::tr("step %1").arg(factor.multipleOf) : QString();
    return factor.type == FactorType::Continuous ? QString() : parts.join(QStringLiteral(", "));
}

namespace {

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

std::optional<std::vector<double>> numbersIn(const QStringList& parts)
{
    std::vector<double> numbers;
    for (const QString& part : parts) {
        const auto number = typedNumber(part);
        if (!number)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers;
}

study::Factor withNumbers(study::Factor factor, std::vector<double> levels)
{
    std::sort(levels.begin(), levels.end());
    if (!levels.empty()) {
        factor.low = levels.front();
        factor.high = levels.back();
    }
    factor.type = FactorType::Discrete;
    factor.levels = std::move(levels);
    factor.multipleOf = 1;
    return factor;
}

study::Factor withNames(study::Factor factor, const QStringList& names)
{
    factor = withType(std::move(factor), FactorType::Categorical);
    factor.categories.clear();
    for (const QString& name : names)
        factor.categories.push_back(name.toStdString());
    return factor;
}

bool isWhole(double value)
{
    return value == std::floor(value) && std::abs(value) <= 1e9;
}

/// Between low and high in steps: whole numbers as multiples, others as a list. Nothing where the steps are
/// too small for the range, or do not lead from low to high.
std::optional<study::Factor> withStep(study::Factor factor, double step)
{
    constexpr double kMostSteps = 100.0;
    const bool isMultiple = isWhole(step) && isWhole(factor.low / step) && isWhole(factor.high / step);
    if (step > 0.0 && (isMultiple || (factor.type == FactorType::Integer && isWhole(step)))) {
        factor = withType(std::move(factor), FactorType::Integer);
        factor.multipleOf = std::llround(step);
        return factor;
    }
    const double steps = std::round((factor.high - factor.low) / step);
    if (!(step > 0.0) || !(steps >= 1.0) || steps > kMostSteps ||
        std::abs(factor.low + steps * step - factor.high) > 1e-9 * std::abs(factor.high - factor.low))
        return std::nullopt;
    std::vector<double> levels;
    for (int i = 0; i <= int(steps); ++i)
        levels.push_back(QString::number(factor.low + i * step, 'g', 12).toDouble());
    return withNumbers(std::move(factor), std::move(levels));
}

/// A list makes the factor discrete or categorical, whichever its levels are; a single number is a step.
std::optional<study::Factor> withLevels(study::Factor factor, const QString& typed)
{
    static const QRegularExpression stepWord(QStringLiteral("^(×|x |step:?)\\s*"));
    const QString text = QString(typed).remove(stepWord).trimmed();
    const QStringList parts = listIn(text);
    const auto numbers = numbersIn(parts);
    if (factor.type == FactorType::Categorical)
        return withNames(std::move(factor), parts);
    if (parts.size() > 1)
        return numbers ? withNumbers(std::move(factor), *numbers) : withNames(std::move(factor), parts);
    if (factor.type == FactorType::Discrete)
        return numbers ? std::optional(withNumbers(std::move(factor), *numbers)) : std::nullopt;
    if (parts.isEmpty()) {
        factor.multipleOf = 1;
        return factor;
    }
    return numbers ? withStep(std::move(factor), numbers->front()) : std::nullopt;
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
        values.removeDuplicates(); // 1 and 2 have no middle
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

} // namespace quadric::widgets
