// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/words.h"

#include "widgets/base/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

struct DesignWords {
    const char* type;
    const char* name;
    const char* purpose;
};

constexpr std::array kDesigns = {
    DesignWords{
        "box-behnken", QT_TRANSLATE_NOOP("design", "Box–Behnken"),
        QT_TRANSLATE_NOOP("design",
                          "Three levels per factor and no extreme corners: finds curvature with few runs.")},
    DesignWords{
        "central-composite", QT_TRANSLATE_NOOP("design", "Central composite"),
        QT_TRANSLATE_NOOP("design", "Corners, axes and center: the classic for a quadratic surface.")},
    DesignWords{"full-factorial", QT_TRANSLATE_NOOP("design", "Full factorial"),
                QT_TRANSLATE_NOOP("design", "Every combination of the levels.")},
    DesignWords{"fractional-factorial", QT_TRANSLATE_NOOP("design", "Fractional factorial"),
                QT_TRANSLATE_NOOP("design", "Screens many factors at two levels.")},
    DesignWords{"plackett-burman", QT_TRANSLATE_NOOP("design", "Plackett–Burman"),
                QT_TRANSLATE_NOOP("design", "Screens main effects with the fewest runs.")},
    DesignWords{"definitive-screening", QT_TRANSLATE_NOOP("design", "Definitive screening"),
                QT_TRANSLATE_NOOP("design", "Screens main effects and sees curvature.")},
    DesignWords{"latin-hypercube", QT_TRANSLATE_NOOP("design", "Latin hypercube"),
                QT_TRANSLATE_NOOP("design", "Fills the region evenly.")},
    DesignWords{"d-optimal", QT_TRANSLATE_NOOP("design", "D-optimal"),
                QT_TRANSLATE_NOOP("design", "Most precise coefficients for the runs you can afford.")},
    DesignWords{"i-optimal", QT_TRANSLATE_NOOP("design", "I-optimal"),
                QT_TRANSLATE_NOOP("design", "Most precise predictions for the runs you can afford.")},
    DesignWords{"custom", QT_TRANSLATE_NOOP("design", "Own runs"),
                QT_TRANSLATE_NOOP("design", "Runs that were chosen elsewhere.")},
};

QString translated(const char* text)
{
    return QCoreApplication::translate("design", text);
}

const DesignWords* wordsOf(std::string_view type)
{
    const auto found =
        std::find_if(kDesigns.begin(), kDesigns.end(), [&](const auto& w) { return type == w.type; });
    return found == kDesigns.end() ? nullptr : &*found;
}

} // namespace

QString designName(std::string_view type)
{
    if (type.empty())
        return translated(QT_TRANSLATE_NOOP("design", "No design"));
    const DesignWords* words = wordsOf(type);
    return words ? translated(words->name) : QString::fromUtf8(type.data(), qsizetype(type.size()));
}

QString designPurpose(std::string_view type)
{
    const DesignWords* words = wordsOf(type);
    return words ? translated(words->purpose) : QString();
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
