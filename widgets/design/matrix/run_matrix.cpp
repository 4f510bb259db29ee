// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/run_matrix.h"

#include "core/report/tables/study_tables.h"
#include "core/study/space/constraint.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/design/quality/quality_tables.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Six significant digits tell all settings apart that anybody chooses; all of them are there to be edited.
QString settingText(const study::Value& value)
{
    const double* number = std::get_if<double>(&value);
    if (!number)
        return QString::fromStdString(study::toText(value));
    const bool isWhole = *number == std::round(*number);
    const QString text = isWhole ? QString::fromStdString(study::toText(*number)) : QString::number(*number);
    return withMinusSigns(text);
}

std::optional<study::Coding> codingOf(const study::Factor& factor)
{
    try {
        return factor.isNumeric() ? std::optional(study::Coding({factor})) : std::nullopt;
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
}

std::vector<MatrixColumn> makeMatrixColumns(const study::Study& study, SettingUnits units)
{
    std::vector<MatrixColumn> columns = {
        {MatrixColumn::Order}, {MatrixColumn::Number}, {MatrixColumn::RunKind}, {MatrixColumn::State}};
    if (std::ranges::any_of(study.runs, [](const study::Run& run) { return run.block > 1; }))
        columns.push_back({MatrixColumn::Block});
    for (size_t i = 0; i < study.factors.size(); ++i) {
        const bool hasCode = study.factors[i].isNumeric();
        if (units != SettingUnits::Coded || !hasCode)
            columns.push_back({MatrixColumn::Setting, i});
        if (units != SettingUnits::Actual && hasCode)
            columns.push_back({MatrixColumn::CodedSetting, i});
    }
    for (size_t i = 0; i < study.responses.size(); ++i)
        columns.push_back({MatrixColumn::Result, i});
    return columns;
}

bool hasAllResults(const study::Study& study, const study::Run& run)
{
    return std::all_of(study.responses.begin(), study.responses.end(),
                       [&](const auto& response) { return run.results.contains(response.name); });
}

/// The first constraint that does not hold at these settings; empty: all hold.
QString brokenConstraint(const study::Study& study, const study::Settings& settings)
{
    study::Settings all = settings;
    all.insert(study.fixed.begin(), study.fixed.end());
    for (const std::string& text : study.constraints) {
        try {
            if (!study::Constraint(text).holds(all))
                return QString::fromStdString(text);
        } catch (const std::invalid_argument&) {
            continue; // a condition that cannot be read forbids nothing; the step Factors says so
        }
    }
    return {};
}

} // namespace

RunMatrix::RunMatrix(const study::Study& study, SettingUnits units)
    : m_columns(makeMatrixColumns(study, units))
    , m_factors(study.factors)
    , m_responses(study.responses)
{
    for (const study::Run* run : study::inRunOrder(study))
        m_runs.push_back(*run);
    for (const study::Factor& factor : m_factors)
        m_codings.push_back(codingOf(factor));
    for (const study::Response& response : m_responses)
        m_uncertainty[response.name] = report::commonUncertainty(study, response.name);
}

std::string RunMatrix::nameOf(const MatrixColumn& column) const
{
    if (column.kind == MatrixColumn::Setting || column.kind == MatrixColumn::CodedSetting)
        return m_factors[column.index].name;
    return column.kind == MatrixColumn::Result ? m_responses[column.index].name : std::string();
}

QString RunMatrix::heading(const MatrixColumn& column) const
{
    switch (column.kind) {
    case MatrixColumn::Order:
        return tr("Run\norder");
    case MatrixColumn::Number:
        return tr("Std\norder");
    case MatrixColumn::RunKind:
        return tr("Point type");
    case MatrixColumn::State:
        return tr("Status");
    case MatrixColumn::Block:
        return tr("Block");
    case MatrixColumn::Setting:
        return columnHeading(m_factors[column.index].name, m_factors[column.index].unit);
    case MatrixColumn::CodedSetting:
        return columnHeading(m_factors[column.index].name, tr("coded").toStdString());
    case MatrixColumn::Result:
        return columnHeading(m_responses[column.index].name, m_responses[column.index].unit);
    }
    return {};
}

QString RunMatrix::plainHeading(const MatrixColumn& column) const
{
    const std::string name = nameOf(column);
    if (column.kind == MatrixColumn::CodedSetting)
        return QString::fromStdString(name) + tr(" (coded)");
    return name.empty() ? heading(column).simplified().toLower() : QString::fromStdString(name);
}

QString RunMatrix::text(const study::Run& run, const MatrixColumn& column) const
{
    switch (column.kind) {
    case MatrixColumn::RunKind:
        return kindText(run.kind);
    case MatrixColumn::State:
        return statusText(run).section(QLatin1Char(':'), 0, 0);
    case MatrixColumn::Setting: {
        const auto found = run.settings.find(m_factors[column.index].name);
        return found == run.settings.end() ? tr("not set") : settingText(found->second);
    }
    case MatrixColumn::CodedSetting: {
        const QString text = codedText(coded(run, column.index));
        return text.isEmpty() ? tr("not set") : text;
    }
    case MatrixColumn::Result: {
        const double value = number(run, column);
        if (run.provenance.source == study::Source::Typed)
            return withMinusSigns(exactText(run, column)); // as it was typed
        return std::isnan(value) ? QString()
                                 : formatNumber(value, m_uncertainty.at(m_responses[column.index].name));
    }
    default:
        return exactText(run, column);
    }
}

QString RunMatrix::exactText(const study::Run& run, const MatrixColumn& column) const
{
    switch (column.kind) {
    case MatrixColumn::RunKind:
    case MatrixColumn::State:
        return text(run, column);
    case MatrixColumn::Setting: {
        const auto found = run.settings.find(m_factors[column.index].name);
        return found == run.settings.end() ? QString() : QString::fromStdString(study::toText(found->second));
    }
    default: {
        const double value = number(run, column);
        return std::isnan(value) ? QString() : QString::fromStdString(study::toText(value));
    }
    }
}

double RunMatrix::number(const study::Run& run, const MatrixColumn& column) const
{
    switch (column.kind) {
    case MatrixColumn::Order:
        return run.order;
    case MatrixColumn::Number:
        return run.id;
    case MatrixColumn::Block:
        return run.block;
    case MatrixColumn::Setting: {
        const auto found = run.settings.find(m_factors[column.index].name);
        return found == run.settings.end() ? NAN : study::numberOf(found->second);
    }
    case MatrixColumn::CodedSetting:
        return coded(run, column.index);
    case MatrixColumn::Result: {
        const auto found = run.results.find(m_responses[column.index].name);
        return found == run.results.end() ? NAN : found->second;
    }
    default:
        return NAN;
    }
}

double RunMatrix::coded(const study::Run& run, size_t factor) const
{
    const double actual = number(run, {MatrixColumn::Setting, factor});
    const bool hasCode = m_codings[factor] && std::isfinite(actual) &&
                         (m_factors[factor].scale != study::Scale::Log2 || actual > 0.0);
    return hasCode ? m_codings[factor]->toCoded(0, actual) : NAN;
}

QString codedText(double coded)
{
    if (!std::isfinite(coded))
        return {};
    if (std::abs(coded) < 0.0005)
        return QStringLiteral("0");
    QString number = QString::number(std::abs(coded), 'f', 3);
    while (number.endsWith(QLatin1Char('0')))
        number.chop(1);
    if (number.endsWith(QLatin1Char('.')))
        number.chop(1);
    return (coded < 0.0 ? QStringLiteral("−") : QStringLiteral("+")) + number;
}

bool canChangeSettings(const study::Run& run)
{
    return run.status == study::RunStatus::Pending && run.results.empty();
}

Edit withSetting(const study::Study& study, int runId, const std::string& factor, const QString& typed)
{
    Edit edit{study, {}};
    study::Run* run = study::findRun(edit.study, runId);
    const study::Factor* varied = study::findFactor(study, factor);
    if (!run || !varied)
        return edit;
    if (!canChangeSettings(*run)) {
        edit.problem = tr("Run %1 has results, so its settings stay as they were measured.").arg(runId);
        return edit;
    }
    const QString place = QString::fromStdString(factor);
    QString problem;
    const auto value = parseSettingText(*varied, typed.trimmed(), problem);
    if (!value) {
        edit.problem = tr("%1 of run %2: “%3”, %4.").arg(place).arg(runId).arg(typed, problem);
        return edit;
    }
    run->settings[factor] = *value;
    const QString broken = brokenConstraint(study, run->settings);
    if (!broken.isEmpty())
        edit = {study, tr("%1 of run %2: with “%3” the constraint “%4” is broken.")
                           .arg(place)
                           .arg(runId)
                           .arg(typed, broken)};
    return edit;
}

study::Study withTypedResult(study::Study study, int runId, const std::string& response,
                             std::optional<double> value)
{
    study::Run* run = study::findRun(study, runId);
    if (!run)
        return study;
    run->spread.erase(response);
    if (value)
        run->results[response] = *value;
    else
        run->results.erase(response);
    run->provenance.source = run->results.empty() ? study::Source::Unknown : study::Source::Typed;
    run->failure.reset();
    if (run->status != study::RunStatus::Excluded)
        run->status = hasAllResults(study, *run) ? study::RunStatus::Done : study::RunStatus::Pending;
    return study;
}

study::Study withRunsLeftOut(study::Study study, const std::vector<int>& runIds, const std::string& reason)
{
    for (const int id : runIds) {
        study::Run* run = study::findRun(study, id);
        if (run && run->status != study::RunStatus::Excluded) {
            run->status = study::RunStatus::Excluded;
            run->reason = reason;
        }
    }
    return study;
}

study::Study withRunsTakenBack(study::Study study, const std::vector<int>& runIds)
{
    for (const int id : runIds) {
        study::Run* run = study::findRun(study, id);
        if (run && run->status == study::RunStatus::Excluded) {
            run->status = !run->results.empty() && hasAllResults(study, *run) ? study::RunStatus::Done
                                                                              : study::RunStatus::Pending;
            run->reason.clear();
        }
    }
    return study;
}

bool canDelete(const study::Run& run)
{
    return run.results.empty() && run.status != study::RunStatus::Running;
}

study::Study withoutRuns(study::Study study, const std::vector<int>& runIds)
{
    std::erase_if(study.runs, [&](const study::Run& run) {
        return canDelete(run) && std::ranges::count(runIds, run.id) > 0;
    });
    return study;
}

} // namespace quadric::widgets
