// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/words.h"

#include "core/design/base/design_type.h"
#include "widgets/base/theme.h"
#include "widgets/text/translate.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace quadric::widgets {

QString designName(std::string_view type)
{
    if (type.empty())
        return QCoreApplication::translate("design", "No design");
    if (type == "custom")
        return QCoreApplication::translate("design", "Custom runs");
    const design::DesignType* known = design::findDesignType(type);
    return known ? fromUtf8(known->title) : QString::fromUtf8(type.data(), qsizetype(type.size()));
}

QString designPurpose(std::string_view type)
{
    if (type == "custom")
        return QCoreApplication::translate("design", "Runs that were chosen elsewhere.");
    const design::DesignType* known = design::findDesignType(type);
    return known ? fromUtf8(known->purpose) : QString();
}

QString columnHeading(std::string_view name, std::string_view unit)
{
    constexpr qsizetype kLongName = 14;
    QString heading = QString::fromUtf8(name.data(), qsizetype(name.size()));
    const qsizetype underscore = heading.indexOf(QLatin1Char('_'), heading.size() / 3);
    if (heading.size() > kLongName && underscore > 0)
        heading.insert(underscore + 1, QLatin1Char('\n'));
    if (!unit.empty())
        heading += QLatin1Char('\n') + QString::fromUtf8(unit.data(), qsizetype(unit.size()));
    return heading;
}

QString withMinusSigns(QString numbers)
{
    return numbers.replace(QLatin1Char('-'), QChar(0x2212));
}

QString rangeWords(const study::Factor& factor)
{
    QStringList parts;
    if (!factor.isNumeric()) {
        for (const auto& category : factor.categories)
            parts << QString::fromStdString(category);
        return parts.join(QStringLiteral(", "));
    }
    const QString range = QStringLiteral("%1 … %2").arg(QString::fromStdString(study::toText(factor.low)),
                                                        QString::fromStdString(study::toText(factor.high)));
    return factor.unit.empty()
               ? withMinusSigns(range)
               : withMinusSigns(range) + QLatin1Char(' ') + QString::fromStdString(factor.unit);
}

QString designWords(const study::Study& study)
{
    const auto centers = std::count_if(study.runs.begin(), study.runs.end(),
                                       [](const auto& run) { return run.kind == study::RunKind::Center; });
    QStringList parts = {designName(study.design.type), formatCount(std::ssize(study.factors), "factor")};
    QString runs = formatCount(std::ssize(study.runs), "run");
    if (centers > 0)
        runs += QCoreApplication::translate("design", ", %1 of them at the center").arg(centers);
    parts << runs;
    if (!study.design.type.empty() && study.design.type != "custom")
        parts << (study.design.randomize
                      ? QCoreApplication::translate("design", "random order, seed %1").arg(study.design.seed)
                      : QCoreApplication::translate("design", "in standard order"));
    return parts.join(QStringLiteral(" · "));
}

} // namespace quadric::widgets
