// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/wording.h"

#include "core/optimize/next/chosen_limits.h"
#include "core/report/catalogue/reading_sentences.h"
#include "core/report/finding.h"
#include "core/report/table.h"
#include "core/report/tables/study_tables.h"
#include "widgets/base/theme.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

QString tr(const char* text)
{
    return QString::fromUtf8(text);
}

QString fromUtf8(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

namespace {

/// A number with what belongs to it stays on one line.
QString unbroken(QString text)
{
    return text.replace(QLatin1Char(' '), QChar::Nbsp);
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

QString settingsText(const study::Study& study, const study::Settings& settings,
                     const std::vector<std::string>& indifferent)
{
    QStringList parts;
    for (const study::Factor& factor : study.factors) {
        const auto found = settings.find(factor.name);
        if (found == settings.end())
            continue;
        const bool isAny = std::ranges::count(indifferent, factor.name) > 0;
        const QString value = isAny ? tr("any") : valueText(factor, found->second);
        parts << (unitNamesFactor(factor) && !isAny ? value
                                                    : nameText(factor.name) + QStringLiteral(" ") + value);
    }
    return parts.join(QStringLiteral(" · "));
}

QString predictionText(const model::Prediction& prediction, std::string_view unit)
{
    const std::optional<model::Interval>& interval = prediction.ofNewRuns();
    return withUnit(interval ? formatInterval(prediction.mean, interval->low, interval->high)
                             : formatNumber(prediction.mean),
                    unit);
}

QString resultText(const study::Run& run, std::string_view response, double uncertainty)
{
    if (!run.results.contains(response))
        return {};
    return QString::fromStdString(
        formatCell(report::makeResultCell(run, response, uncertainty), text::Typography::Typeset));
}

QString desirabilityText(double d)
{
    return QString::fromStdString(text::formatShare(d, 2, text::Typography::Typeset));
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
    const bool isInNewBlock = std::ranges::any_of(
        optimum.responses, [](const auto& at) { return at.predicted.newBlock.has_value(); });
    const QString sentence = (isInNewBlock ? tr("%1: %2 in a new block. %3.") : tr("%1: %2. %3."))
                                 .arg(settingsText(study, optimum.settings, optimum.indifferent),
                                      predictions.join(QStringLiteral(", ")),
                                      unbroken(tr("D = %1").arg(desirabilityText(optimum.overall))));
    return isExtrapolation(optimum) && optimize::readNearRuns(study) != optimize::NearRuns::Off
               ? sentence + tr(" Extrapolation: outside the region covered by runs.")
               : sentence;
}

QString infeasibleText(std::string_view violation)
{
    return violation.empty() ? QString()
                             : fromUtf8(report::fill(report::catalogue::kInfeasible,
                                                     {{"violation", std::string(violation)}}));
}

QString headlineText(const study::Study& study, const optimize::Optimum& at, SettingKind kind,
                     const report::Standing& standing)
{
    if (!at.isOk())
        return recommendationText(study, at);
    const QString what = kind == SettingKind::Best            ? tr("Best setting: ")
                         : kind == SettingKind::BestWithFixed ? tr("Best setting with fixed factors: ")
                                                              : tr("Not the best setting: ");
    QStringList parts{what + recommendationText(study, at)};
    QStringList reasons;
    for (const std::string& reason : standing.reasons)
        reasons << fromUtf8(reason);
    if (standing.isRejected())
        parts = QStringList{fromUtf8(standing.verdict)} + reasons + parts;
    else
        parts += QStringList{fromUtf8(standing.verdict)} + reasons;
    parts.removeAll({});
    return parts.join(QLatin1Char(' '));
}

QString termText(std::string_view term)
{
    return QString::fromStdString(text::formatTerm(term, text::Typography::Typeset));
}

QString statusText(const study::Run& run)
{
    return QString::fromStdString(report::describeStatus(run));
}

QString kindText(study::RunKind kind)
{
    return QString::fromStdString(report::describeKind(kind));
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
    return unbroken(QString::fromStdString(report::describeGoal(response)));
}

QString remainingText(double seconds)
{
    if (!(seconds >= 0) || !std::isfinite(seconds))
        return {};
    if (seconds < 45)
        return tr("less than a minute left");
    const double unit = timeLeftUnit(seconds);
    const int number = static_cast<int>(std::lround(seconds / unit));
    if (unit == 60)
        return number <= 1 ? tr("about a minute left") : tr("about %1 minutes left").arg(number);
    return unit == 3600 ? tr("about %1 hours left").arg(number) : tr("about %1 days left").arg(number);
}

QString transformText(const study::Transform& transform)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return tr("no transform");
    case study::TransformKind::Log:
        return tr("logarithm");
    case study::TransformKind::Sqrt:
        return tr("square root");
    case study::TransformKind::Inverse:
        return tr("inverse");
    case study::TransformKind::Logit:
        return tr("logit");
    case study::TransformKind::BoxCox:
        break;
    }
    return tr("power %1").arg(formatNumber(transform.lambda));
}

namespace {

/// The settings of all factors but these.
QString formatOtherSettings(const study::Study& study, const study::CodedPoint& at,
                            const std::vector<std::size_t>& shown)
{
    study::Settings settings = study::Coding(study.factors).toSettings(at);
    for (const std::size_t factor : shown)
        settings.erase(study.factors[factor].name);
    return settingsText(study, settings);
}

constexpr double kLeastMinute = 45, kMinute = 60, kHour = 3600, kDay = 86400; // seconds

} // namespace

QString heldText(const study::Study& study, const study::CodedPoint& at,
                 const std::vector<std::size_t>& shown)
{
    const QString held = formatOtherSettings(study, at, shown);
    return held.isEmpty() ? held : tr("at %1").arg(held);
}

QString othersText(const study::Study& study, const study::CodedPoint& at)
{
    return study.factors.size() < 2 ? QString() : tr("others at %1").arg(formatOtherSettings(study, at, {}));
}

QString referenceText(const study::Study& study, const study::CodedPoint& at)
{
    return tr("from %1").arg(formatOtherSettings(study, at, {}));
}

double timeLeftUnit(double seconds)
{
    if (std::lround(seconds / kMinute) < 90)
        return kMinute;
    return std::lround(seconds / kHour) < 36 ? kHour : kDay;
}

QString remainingText(double seconds, double low, double high)
{
    QString text = remainingText(seconds);
    if (text.isEmpty() || !std::isfinite(high))
        return text;
    const double unit = timeLeftUnit(seconds);
    const long least = std::lround(std::max(low, 0.0) / unit), most = std::lround(high / unit);
    if (least >= most || most <= 1)
        return text;
    if (seconds < kLeastMinute)
        return tr("%1 (%2 minutes at most)").arg(text).arg(most);
    return least == 0 ? tr("%1 (%2 at most)").arg(text).arg(most)
                      : tr("%1 (%2 to %3)").arg(text).arg(least).arg(most);
}

} // namespace quadric::widgets
