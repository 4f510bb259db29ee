// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/typed_setting.h"

#include "widgets/base/typed_number.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString settingWords(const char* text)
{
    return QCoreApplication::translate("TypedSetting", text);
}

/// Where a value lies among what can be run; empty: it can be.
QString whyNotRunnable(const study::Factor& factor, double value)
{
    if (factor.scale == study::Scale::Log2 && value <= 0.0)
        return settingWords("expected more than 0, because this factor is on the log2 scale");
    const bool isContinuous = factor.type == study::FactorType::Continuous;
    const double legal = isContinuous ? value : study::snapToLegal(factor, value);
    return legal == value ? QString()
                          : settingWords("not a value that can be run, the nearest is %1")
                                .arg(QString::fromStdString(study::toText(legal)));
}

} // namespace

std::optional<double> typedQuantity(const QString& text, const std::string& unit)
{
    const QString typed = text.trimmed(), behind = QString::fromStdString(unit);
    const bool hasUnit = !behind.isEmpty() && typed.endsWith(behind);
    return typedNumber(hasUnit ? typed.chopped(behind.size()) : typed);
}

std::optional<study::Value> typedSetting(const study::Factor& factor, const QString& typed, QString& problem)
{
    if (!factor.isNumeric()) {
        if (std::ranges::count(factor.categories, typed.toStdString()) > 0)
            return typed.toStdString();
        QStringList levels;
        for (const std::string& level : factor.categories)
            levels << QString::fromStdString(level);
        problem = settingWords("expected one of %1").arg(levels.join(QStringLiteral(", ")));
        return std::nullopt;
    }
    const auto number = typedQuantity(typed, factor.unit);
    problem = number ? whyNotRunnable(factor, *number) : settingWords("expected a number");
    return problem.isEmpty() ? std::optional<study::Value>(*number) : std::nullopt;
}

std::optional<study::Value> typedInRange(const study::Factor& factor, const QString& typed, QString& problem)
{
    const auto value = typedSetting(factor, typed, problem);
    const double number = value ? study::numberOf(*value) : 0.0;
    if (!value || !factor.isNumeric() || (number >= factor.low && number <= factor.high))
        return value;
    problem = settingWords("outside the range, expected %1 to %2")
                  .arg(QString::fromStdString(study::toText(factor.low)),
                       QString::fromStdString(study::toText(factor.high)));
    return std::nullopt;
}

} // namespace quadric::widgets
