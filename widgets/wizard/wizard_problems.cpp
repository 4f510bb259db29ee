// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/wizard_problems.h"

#include "core/run/recipe/builtin_workload.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/unmentioned_factors.h"
#include "core/study/unknown_names.h"
#include "widgets/base/theme.h"
#include "widgets/design/design_page.h"
#include "widgets/wizard/forms/constraint_editor.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString translatedProblem(const char* text)
{
    return QCoreApplication::translate("wizard", text);
}

/// "The low of lr …" from "the low of lr …".
QString asSentence(const std::string& message)
{
    QString words = QString::fromStdString(message);
    if (!words.isEmpty())
        words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

/// Where a problem is mended, from where study::validate() finds it.
WizardStep stepAt(const std::string& where)
{
    static const std::vector<std::pair<std::string_view, WizardStep>> places = {
        {"factors", WizardStep::Factors},      {"levels of", WizardStep::Factors},
        {"constraints", WizardStep::Factors},  {"fixed", WizardStep::Factors},
        {"responses", WizardStep::Responses},  {"model", WizardStep::Responses},
        {"design", WizardStep::Design},        {"runs", WizardStep::Design},
        {"benchmark", WizardStep::Measurement}};
    const auto found =
        std::ranges::find_if(places, [&](const auto& place) { return where.starts_with(place.first); });
    return found == places.end() ? WizardStep::Summary : found->second;
}

void addMissing(const study::Study& study, std::vector<WizardProblem>& problems)
{
    const auto add = [&](WizardStep step, const char* words) {
        problems.push_back({.step = step, .words = translatedProblem(words), .isMissing = true});
    };
    if (QString::fromStdString(study.name).trimmed().isEmpty())
        add(WizardStep::Question, QT_TRANSLATE_NOOP("wizard", "Give the study a name."));
    if (study.factors.empty())
        add(WizardStep::Factors, QT_TRANSLATE_NOOP("wizard", "Name at least one factor."));
    if (study.responses.empty())
        add(WizardStep::Responses, QT_TRANSLATE_NOOP("wizard", "Name at least one response."));
}

/// What the built-in workload would not do.
void addGaps(const study::Study& study, std::vector<WizardProblem>& problems)
{
    try {
        const auto gaps = run::gapsOfBuiltin(study);
        for (const run::BuiltinGap& gap : gaps)
            problems.push_back({WizardStep::Measurement, asSentence(gap.why), false});
        if (!gaps.empty())
            problems.push_back(
                {WizardStep::Measurement,
                 translatedProblem(QT_TRANSLATE_NOOP("wizard", "No run starts until that is changed.")),
                 false});
    } catch (const run::RecipeError& error) {
        problems.push_back({WizardStep::Measurement, asSentence(error.what()), false});
    }
}

/// Computed responses that will have no value.
void addUnknownNames(const study::Study& study, std::vector<WizardProblem>& problems)
{
    for (const study::Response& response : study.responses)
        if (const std::string gap = study::describeUnknownNames(study, response.name); !gap.empty())
            problems.push_back({WizardStep::Responses,
                                QString::fromStdString(response.name + ": " + gap) +
                                    (gap.ends_with('?') ? QString() : QStringLiteral(".")),
                                false});
}

void addUnmentioned(const study::Study& study, std::vector<WizardProblem>& problems)
{
    QStringList names;
    for (const std::string& name : run::unmentionedFactors(study))
        names << QString::fromStdString(name);
    if (names.isEmpty() || study.benchmark.argv.empty())
        return;
    const QString words = translatedProblem(QT_TRANSLATE_NOOP(
        "wizard", "The command does not mention %1. Write {%2} where its value goes, unless "
                  "the program reads the environment variable QUADRIC_SETTINGS."));
    problems.push_back({WizardStep::Measurement, words.arg(formatList(names), names.front()), false, true});
}

} // namespace

QString problemWords(const study::Study& study, const study::Problem& problem)
{
    const QString where = QString::fromStdString(problem.where);
    static const QRegularExpression listed(QStringLiteral("^(\\w+)\\[(\\d+)\\]"));
    const auto match = listed.match(where);
    const QString list = match.captured(1);
    if (list == QStringLiteral("factors") || list == QStringLiteral("responses"))
        return asSentence(problem.message);
    if (const size_t index = match.captured(2).toULongLong();
        list == QStringLiteral("constraints") && index < study.constraints.size())
        return translatedProblem(QT_TRANSLATE_NOOP("wizard", "Constraint %1: %2"))
            .arg(index + 1)
            .arg(constraintProblem(study, study.constraints[index]));
    if (where.startsWith(QStringLiteral("fixed.")))
        return QStringLiteral("%1 %2.").arg(where.mid(6), QString::fromStdString(problem.message));
    return QStringLiteral("%1: %2").arg(where, QString::fromStdString(problem.message));
}

std::vector<WizardProblem> findWizardProblems(const study::Study& study)
{
    std::vector<WizardProblem> problems;
    addMissing(study, problems);
    for (const study::Problem& problem : study::validate(study)) {
        const bool isConstraint = problem.where.starts_with("constraints");
        problems.push_back({stepAt(problem.where), problemWords(study, problem),
                            problem.isError || isConstraint, isConstraint});
    }
    addGaps(study, problems);
    addUnknownNames(study, problems);
    addUnmentioned(study, problems);
    std::ranges::stable_sort(problems, {}, &WizardProblem::step);
    return problems;
}

std::vector<CellProblem> cellProblems(const study::Study& study, const char* list,
                                      const std::map<QString, int>& columns, const SheetModel& sheet)
{
    static const QRegularExpression place(QStringLiteral("^(\\w+)\\[(\\d+)\\]\\.(\\w+)"));
    std::vector<CellProblem> found = sheet.refusals();
    const study::Study definition{
        .factors = study.factors, .fixed = study.fixed, .responses = study.responses}; // runs take time
    for (const study::Problem& problem : study::validate(definition)) {
        const auto match = place.match(QString::fromStdString(problem.where));
        const auto column = columns.find(match.captured(3));
        if (match.captured(1) == QLatin1String(list) && column != columns.end())
            found.push_back(
                {match.captured(2).toInt(), column->second, problemWords(study, problem), problem.isError});
    }
    return found;
}

QStringList inWords(const std::vector<CellProblem>& problems)
{
    QStringList words;
    for (const CellProblem& problem : problems)
        words << problem.words;
    return words;
}

} // namespace quadric::widgets
