// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/wording.h"

#include "core/study/disturbance.h"
#include "widgets/base/theme.h"
#include "widgets/text/statistics.h"
#include "widgets/text/time_left_words.h"
#include "widgets/text/translate.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// A number with what belongs to it stays on one line.
QString unbroken(QString text)
{
    constexpr QChar kThinSpace{0x2009}, kNarrowNoBreakSpace{0x202F};
    return text.replace(QLatin1Char(' '), QChar::Nbsp).replace(kThinSpace, kNarrowNoBreakSpace);
}

QString withUnit(const QString& number, std::string_view unit)
{
    return unbroken(unit.empty() ? number : number + QLatin1Char(' ') + fromUtf8(unit));
}

bool unitNamesFactor(const study::Factor& factor)
{
    return !factor.unit.empty() && (factor.binds == "ranks" || factor.unit == factor.name);
}

} // namespace

QString nameText(std::string_view name)
{
    return fromUtf8(name);
}

QString nameWithUnit(std::string_view name, std::string_view unit)
{
    const QString words = nameText(name);
    return unit.empty() ? words : QStringLiteral("%1 (%2)").arg(words, fromUtf8(unit));
}

QString valueText(const study::Factor& factor, const study::Value& value)
{
    if (const auto* level = std::get_if<std::string>(&value))
        return fromUtf8(*level);
    return withUnit(formatNumber(std::get<double>(value)), factor.unit);
}

QString settingsText(const study::Study& study, const study::Settings& settings)
{
    QStringList parts;
    for (const study::Factor& factor : study.factors) {
        const auto found = settings.find(factor.name);
        if (found == settings.end())
            continue;
        const QString value = valueText(factor, found->second);
        parts << (unitNamesFactor(factor) ? value : nameText(factor.name) + QStringLiteral(" ") + value);
    }
    return parts.join(QStringLiteral(" · "));
}

QString predictionText(const model::Prediction& prediction, std::string_view unit)
{
    if (!prediction.prediction)
        return withUnit(formatNumber(prediction.mean), unit);
    const model::Interval& interval = *prediction.prediction;
    return withUnit(formatInterval(prediction.mean, interval.low, interval.high), unit);
}

double commonUncertainty(const study::Study& study, std::string_view response)
{
    constexpr int kDigits = 4;
    double largest = 0;
    qsizetype decimals = 0;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(response);
        if (result == run.results.end())
            continue;
        largest = std::max(largest, std::abs(result->second));
        const QString text = formatNumber(result->second);
        if (const qsizetype point = text.indexOf(QLatin1Char('.')); point >= 0)
            decimals = std::max(decimals, text.size() - point - 1);
    }
    const int whole = largest >= 1 ? static_cast<int>(std::floor(std::log10(largest))) + 1 : 0;
    decimals = std::min<qsizetype>(decimals, std::max(0, kDigits - whole));
    return std::pow(10.0, 1.0 - static_cast<double>(decimals));
}

QString resultText(const study::Run& run, std::string_view response, double uncertainty)
{
    const auto result = run.results.find(response);
    if (result == run.results.end())
        return {};
    const auto spread = run.spread.find(response);
    if (spread == run.spread.end() || spread->second <= 0)
        return formatNumber(result->second, uncertainty);
    return formatNumber(result->second, spread->second) + QStringLiteral(" ± ") +
           formatNumber(spread->second, spread->second);
}

QString desirabilityText(double d)
{
    const int digits = d > 0.995 && d < 1.0 ? 3 : 2;
    return QString::number(std::min(d, digits == 3 ? 0.999 : 1.0), 'f', digits);
}

QString recommendationText(const study::Study& study, const optimize::Optimum& optimum)
{
    if (!optimum.isOk())
        return fromUtf8(optimum.message);
    QStringList predictions;
    for (const optimize::ResponseAtOptimum& at : optimum.responses) {
        const study::Response* response = study::findResponse(study, at.response);
        if (response != nullptr && response->goal == study::Goal::None)
            continue;
        predictions << nameText(at.response) + QStringLiteral(" ") +
                           predictionText(at.predicted, response ? response->unit : std::string());
    }
    const QString sentence =
        tr("%1: %2. %3.")
            .arg(settingsText(study, optimum.settings), predictions.join(QStringLiteral(", ")),
                 unbroken(tr("D = %1").arg(desirabilityText(optimum.overall))));
    return isExtrapolation(optimum) ? sentence + tr(" Extrapolation: outside the region covered by runs.")
                                    : sentence;
}

QString termText(std::string_view term)
{
    if (term == "1")
        return tr("intercept");
    static const QString superscripts = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString text;
    bool isPower = false;
    for (const QChar letter : fromUtf8(term)) {
        if (letter == QLatin1Char('^')) {
            isPower = true;
            continue;
        }
        isPower = isPower && letter >= QLatin1Char('0') && letter <= QLatin1Char('9');
        if (isPower)
            text += superscripts[letter.digitValue()];
        else if (letter == QLatin1Char('*'))
            text += QStringLiteral(" × ");
        else
            text += letter;
    }
    return text;
}

QString statusText(const study::Run& run)
{
    switch (run.status) {
    case study::RunStatus::Pending:
        return tr("pending");
    case study::RunStatus::Running:
        return tr("measuring");
    case study::RunStatus::Done:
        return study::isDisturbed(run) ? tr("disturbed") : tr("done");
    case study::RunStatus::Failed:
        return run.failure ? tr("failed: %1").arg(fromUtf8(run.failure->kind).replace('-', ' '))
                           : tr("failed");
    case study::RunStatus::Excluded:
        return run.reason.empty() ? tr("excluded") : tr("excluded: %1").arg(fromUtf8(run.reason));
    }
    return {};
}

QString kindText(study::RunKind kind)
{
    switch (kind) {
    case study::RunKind::Design:
        return tr("design");
    case study::RunKind::Center:
        return tr("centre");
    case study::RunKind::Axial:
        return tr("axial");
    case study::RunKind::Baseline:
        return tr("baseline");
    case study::RunKind::Confirmation:
        return tr("confirmation");
    case study::RunKind::Augment:
        return tr("added");
    }
    return {};
}

QString sourceText(study::Source source)
{
    switch (source) {
    case study::Source::Measured:
        return tr("measured");
    case study::Source::Simulated:
        return tr("simulated");
    case study::Source::Imported:
        return tr("imported");
    case study::Source::Typed:
        return tr("typed in");
    case study::Source::Unknown:
        break;
    }
    return tr("not recorded");
}

QString goalText(const study::Response& response)
{
    switch (response.goal) {
    case study::Goal::Maximize:
        return tr("maximize");
    case study::Goal::Minimize:
        return tr("minimize");
    case study::Goal::Target:
        return tr("target %1").arg(withUnit(formatNumber(response.target), response.unit));
    case study::Goal::None:
        break;
    }
    return tr("no goal");
}

QString remainingText(double seconds)
{
    if (!(seconds >= 0) || !std::isfinite(seconds))
        return {};
    if (seconds < 45)
        return tr("less than a minute left");
    const double unit = unitOfTimeLeft(seconds);
    const int number = static_cast<int>(std::lround(seconds / unit));
    if (unit == 60)
        return number <= 1 ? tr("about a minute left") : tr("about %1 minutes left").arg(number);
    return unit == 3600 ? tr("about %1 hours left").arg(number) : tr("about %1 days left").arg(number);
}

QString durationText(double seconds)
{
    if (!(seconds >= 0) || !std::isfinite(seconds))
        return {};
    if (seconds < 10)
        return tr("%1 s").arg(seconds, 0, 'f', 1);
    const auto whole = static_cast<qint64>(std::llround(seconds));
    if (whole < 60)
        return tr("%1 s").arg(whole);
    if (whole < 3600)
        return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
    return tr("%1 h %2 min").arg(whole / 3600).arg(whole / 60 % 60, 2, 10, QLatin1Char('0'));
}

} // namespace quadric::widgets
