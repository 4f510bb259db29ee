// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/text_table.h"

#include "widgets/base/theme.h"
#include "widgets/text/cell_text.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

QString levelsText(const study::Factor& factor)
{
    QStringList levels;
    for (const double level : factor.levels)
        levels << formatNumber(level);
    for (const std::string& category : factor.categories)
        levels << QString::fromStdString(category);
    if (factor.type == study::FactorType::Integer && factor.multipleOf > 1)
        levels << tr("multiples of %1").arg(factor.multipleOf);
    return levels.isEmpty() ? nothingText() : levels.join(QStringLiteral(", "));
}

QString scaleText(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return nothingText();
    return factor.scale == study::Scale::Log2 ? tr("log₂") : tr("linear");
}

QString limitText(const study::Response& response, const std::optional<double>& limit)
{
    if (response.goal == study::Goal::None)
        return nothingText();
    return limit ? formatNumber(*limit) : tr("from data");
}

/// The value of a factor without its unit, which stands in the header.
QString settingText(const study::Settings& settings, const std::string& factor)
{
    const auto value = settings.find(factor);
    if (value == settings.end())
        return nothingText();
    if (const auto* level = std::get_if<std::string>(&value->second))
        return QString::fromStdString(*level);
    return formatNumber(std::get<double>(value->second));
}

QStringList runRow(const study::Study& study, const study::Run& run)
{
    QStringList row{QString::number(run.order), QString::number(run.id), kindText(run.kind)};
    for (const study::Factor& factor : study.factors)
        row << settingText(run.settings, factor.name);
    for (const study::Response& response : study.responses) {
        const QString result = resultText(run, response.name, commonUncertainty(study, response.name));
        row << (result.isEmpty() ? nothingText() : result);
    }
    row << statusText(run);
    return row;
}

/// What ± means beside the results of these runs; empty without any spread.
QString spreadText(const study::Study& study)
{
    for (const study::Run& run : study.runs)
        if (!run.spread.empty()) {
            const QString meaning = QString::fromStdString(run.provenance.spreadIs);
            return tr("± in this table is the %1, from inside the run.")
                .arg(meaning.isEmpty() ? tr("spread") : meaning);
        }
    return {};
}

QStringList anovaCells(const model::AnovaRow& row)
{
    return {QString::fromStdString(row.source),
            QString::number(row.df),
            formatNumber(row.ss),
            numberCell(row.ms),
            ratioCell(row.f),
            probabilityCell(row.p)};
}

} // namespace

TextTable factorTable(const study::Study& study)
{
    TextTable table;
    table.caption = tr("Factors");
    table.columns = {{tr("Factor"), {}, false},
                     {tr("Unit"), {}, false},
                     {tr("Type"), {}, false},
                     {tr("Low"), tr("The value coded −1."), true},
                     {tr("High"), tr("The value coded +1."), true},
                     {tr("Scale"), tr("The scale on which the coded value is taken."), false},
                     {tr("Legal values"), {}, false}};
    for (const study::Factor& factor : study.factors) {
        const std::string_view type = study::nameOf(factor.type);
        table.rows.push_back({nameText(factor.name), QString::fromStdString(factor.unit),
                              QString::fromUtf8(type.data(), static_cast<qsizetype>(type.size())),
                              factor.isNumeric() ? formatNumber(factor.low) : nothingText(),
                              factor.isNumeric() ? formatNumber(factor.high) : nothingText(),
                              scaleText(factor), levelsText(factor)});
    }
    return table;
}

TextTable responseTable(const study::Study& study)
{
    TextTable table;
    table.caption = tr("Responses");
    table.columns = {{tr("Response"), {}, false},
                     {tr("Unit"), {}, false},
                     {tr("Goal"), {}, false},
                     {tr("Lower limit"), tr("Where the desirability begins."), true},
                     {tr("Upper limit"), tr("Where the desirability ends."), true},
                     {tr("Weight"), tr("How much the response counts in the compromise."), true},
                     {tr("Transform"), tr("What is done to the values before a model is fitted."), false}};
    for (const study::Response& response : study.responses)
        table.rows.push_back({nameText(response.name), QString::fromStdString(response.unit),
                              goalText(response), limitText(response, response.low),
                              limitText(response, response.high), formatNumber(response.weight),
                              QString::fromStdString(study::nameOf(response.transform))});
    return table;
}

TextTable runTable(const study::Study& study)
{
    TextTable table;
    table.caption = tr("Runs in the order of execution");
    table.columns = {{tr("Order"), {}, true}, {tr("Run"), {}, true}, {tr("Kind"), {}, false}};
    for (const study::Factor& factor : study.factors)
        table.columns.push_back({nameWithUnit(factor.name, factor.unit), {}, factor.isNumeric()});
    for (const study::Response& response : study.responses)
        table.columns.push_back({nameWithUnit(response.name, response.unit), {}, true});
    table.columns.push_back({tr("Status"), {}, false});
    for (const study::Run* run : study::inRunOrder(study))
        table.rows.push_back(runRow(study, *run));
    table.note = spreadText(study);
    return table;
}

TextTable anovaTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Analysis of variance");
    table.columns = {
        {tr("Source"), tr("Where the variation comes from; groups are entered one after another."), false},
        {tr("df"), tr("Degrees of freedom: how many independent numbers the row rests on."), true},
        {tr("Sum of squares"), tr("The variation that the row takes up."), true},
        {tr("Mean square"), tr("Sum of squares per degree of freedom."), true},
        {tr("F"), tr("Mean square of the row over that of the error it is held against."), true},
        {tr("p"), tr("How often chance alone would give an F this large."), true}};
    for (const model::AnovaRow& row : fit.anova)
        table.rows.push_back(anovaCells(row));
    return table;
}

TextTable coefficientTable(const model::Fit& fit)
{
    TextTable table;
    table.caption = tr("Coefficients in coded units");
    table.columns = {
        {tr("Term"), {}, false},
        {tr("Estimate"), tr("Change of the response per coded unit, half the range of the factor."), true},
        {tr("Std. error"), tr("Standard error of the estimate."), true},
        {tr("t"), tr("Estimate over its standard error."), true},
        {tr("p"), tr("How often chance alone would give a t this large."), true},
        {tr("95 % low"), tr("Lower end of the 95 % interval."), true},
        {tr("95 % high"), tr("Upper end of the 95 % interval."), true},
        {tr("VIF"), tr("Variance inflation: 1 when the term is independent of all others."), true}};
    for (const model::Coefficient& each : fit.coefficients)
        table.rows.push_back({termText(each.term), formatNumber(each.estimate, each.se),
                              numberCell(each.se, each.se), ratioCell(each.t), probabilityCell(each.p),
                              numberCell(each.low, each.se), numberCell(each.high, each.se),
                              ratioCell(each.vif)});
    if (!fit.aliased.empty()) {
        QStringList names;
        for (const std::string& term : fit.aliased)
            names << termText(term);
        table.note =
            tr("Left out because the runs cannot tell them from other terms: %1.").arg(names.join(", "));
    }
    return table;
}

TextTable optimumTable(const study::Study& study, const optimize::Optimum& optimum)
{
    TextTable table;
    table.caption = tr("Responses at the best setting");
    table.columns = {{tr("Response"), {}, false},
                     {tr("Prediction"), tr("± is the 95 % interval for a single new run."), true},
                     {tr("Goal"), {}, false},
                     {tr("Weight"), {}, true},
                     {tr("d"), tr("Desirability of the prediction, 0 useless to 1 ideal."), true},
                     {tr("Best alone"), tr("The best prediction of this response by itself."), true},
                     {tr("Sacrifice"), tr("What the compromise gives up against it."), true}};
    for (const optimize::ResponseAtOptimum& at : optimum.responses) {
        const study::Response* response = study::findResponse(study, at.response);
        if (response == nullptr)
            continue;
        const bool hasGoal = response->goal != study::Goal::None;
        const auto where = [hasGoal](const QString& text) { return hasGoal ? text : nothingText(); };
        table.rows.push_back({nameText(at.response), predictionText(at.predicted, response->unit),
                              goalText(*response), where(formatNumber(response->weight)),
                              where(desirabilityText(at.desirability)), where(formatNumber(at.bestAlone)),
                              where(formatNumber(at.sacrifice))});
    }
    table.note = tr("± is the 95 % interval for a single new run.");
    return table;
}

TextTable solutionTable(const study::Study& study, const std::vector<optimize::Solution>& solutions)
{
    TextTable table;
    table.caption = tr("Solutions");
    table.columns = {
        {tr("Rank"), {}, true},
        {tr("D"), tr("Overall desirability: weighted geometric mean over the responses."), true}};
    for (const study::Factor& factor : study.factors)
        table.columns.push_back({nameWithUnit(factor.name, factor.unit), {}, factor.isNumeric()});
    for (const optimize::Solution& solution : solutions) {
        QStringList row{QString::number(table.rows.size() + 1), QString::number(solution.overall, 'f', 3)};
        for (const study::Factor& factor : study.factors)
            row << settingText(solution.settings, factor.name);
        table.rows.push_back(row);
    }
    return table;
}

} // namespace quadric::widgets
