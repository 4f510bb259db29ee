// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fit_output.h"

#include "app/cli/text_table.h"

#include <iostream>

namespace quadric::app {

namespace {

using model::Fit;

/// Makes a JSON list of one object per item.
template <typename Items, typename ToJson> Json listOf(const Items& items, ToJson toJson)
{
    Json list = Json::array();
    for (const auto& item : items)
        list.push_back(toJson(item));
    return list;
}

Json coefficientJson(const model::Coefficient& c)
{
    return {{"term", c.term},   {"estimate", c.estimate}, {"se", jsonOf(c.se)},     {"t", jsonOf(c.t)},
            {"p", jsonOf(c.p)}, {"low", jsonOf(c.low)},   {"high", jsonOf(c.high)}, {"vif", jsonOf(c.vif)}};
}

Json anovaJson(const model::AnovaRow& row)
{
    return {{"source", row.source}, {"df", row.df},       {"ss", row.ss},
            {"ms", jsonOf(row.ms)}, {"f", jsonOf(row.f)}, {"p", jsonOf(row.p)}};
}

Json termJson(const model::AnovaRow& row)
{
    return {{"source", row.source}, {"df", row.df},       {"ss", row.ss},
            {"f", jsonOf(row.f)},   {"p", jsonOf(row.p)}, {"contribution", jsonOf(row.contribution)}};
}

Json effectJson(const model::Effect& effect)
{
    return {{"term", effect.term},
            {"effect", effect.effect},
            {"standardized", jsonOf(effect.standardized)},
            {"p", jsonOf(effect.p)}};
}

Json limitJson(const model::EffectLimit& limit)
{
    if (limit.method.empty())
        return nullptr;
    Json json = {{"method", limit.method}, {"value", limit.value}};
    if (limit.bonferroni)
        json["bonferroni"] = *limit.bonferroni;
    if (limit.sme)
        json["sme"] = *limit.sme;
    if (limit.pse)
        json["pse"] = *limit.pse;
    return json;
}

Json diagnosticJson(const model::Diagnostic& d)
{
    return {{"run", d.run},
            {"observed", d.observed},
            {"fitted", d.fitted},
            {"residual", d.residual},
            {"leverage", d.leverage},
            {"internally_studentized", jsonOf(d.internallyStudentized)},
            {"externally_studentized", jsonOf(d.externallyStudentized)},
            {"cooks_distance", jsonOf(d.cooksDistance)}};
}

void addTables(Json& json, const Fit& fit)
{
    json["coefficients"] = listOf(fit.coefficients, coefficientJson);
    json["actual_coefficients"] = listOf(fit.actualCoefficients, [](const model::ActualCoefficient& c) {
        return Json{{"term", c.term}, {"estimate", c.estimate}};
    });
    json["anova"] = listOf(fit.anova, anovaJson);
    json["terms"] = listOf(fit.termRows, termJson);
    json["effects"] = listOf(fit.effects, effectJson);
    json["effect_limit"] = limitJson(fit.effectLimit);
    json["importance"] = listOf(fit.importance, [](const model::Importance& i) {
        return Json{{"factor", i.factor}, {"main", i.main}, {"total", i.total}};
    });
    json["diagnostics"] = listOf(fit.diagnostics, diagnosticJson);
    json["aliased"] = fit.aliased;
    json["warnings"] = listOf(fit.warnings, [](const model::Warning& w) {
        return Json{{"code", w.code}, {"message", w.message}};
    });
}

void printQuality(const Fit& fit)
{
    std::cout << fit.response << (fit.unit.empty() ? "" : " (" + fit.unit + ")") << ": " << fit.model
              << " model, " << fit.n << " runs, " << fit.dfResidual << " residual degrees of freedom";
    if (fit.transform.kind != study::TransformKind::None)
        std::cout << ", " << study::nameOf(fit.transform) << " of the response";
    std::cout << "\nR² " << numberText(fit.r2, 4) << ", adjusted " << numberText(fit.r2Adjusted, 4)
              << ", predicted " << numberText(fit.r2Predicted, 4) << "; residual standard deviation "
              << numberText(fit.sigma, 4);
    if (fit.adequatePrecision)
        std::cout << "; adequate precision " << numberText(*fit.adequatePrecision, 3);
    std::cout << '\n';
}

void printAnova(const Fit& fit)
{
    TextTable table({"source", "df", "sum of squares", "mean square", "F", "p"});
    for (const model::AnovaRow& row : fit.anova) {
        table.addRow({row.source, static_cast<double>(row.df), numberText(row.ss), numberText(row.ms),
                      numberText(row.f, 4), row.p ? probabilityText(row.p) : std::string()});
    }
    table.print(std::cout);
}

std::string boundsText(const model::Coefficient& coefficient)
{
    return coefficient.low && coefficient.high
               ? numberText(*coefficient.low, 4) + " … " + numberText(*coefficient.high, 4)
               : "–";
}

void printCoefficients(const Fit& fit)
{
    const std::string percent = numberText(100.0 * fit.confidence, 4);
    TextTable table({"term (coded)", "estimate", "std. error", "t", "p", percent + " % interval", "VIF"});
    for (const model::Coefficient& c : fit.coefficients) {
        table.addRow({c.term, numberText(c.estimate), numberText(c.se, 4), numberText(c.t, 4),
                      probabilityText(c.p), boundsText(c), numberText(c.vif, 3)});
    }
    table.print(std::cout);
}

} // namespace

Json fitJson(const Fit& fit)
{
    Json names = Json::array();
    for (const model::Term& term : fit.terms)
        names.push_back(model::nameOf(term, fit.factors));
    Json json = {{"response", fit.response},
                 {"transform", study::nameOf(fit.transform)},
                 {"model", names},
                 {"n", fit.n},
                 {"df_residual", fit.dfResidual}};
    json["sigma"] = fit.dfResidual > 0 ? Json(fit.sigma) : Json();
    json["r2"] = jsonOf(fit.r2);
    json["r2_adj"] = jsonOf(fit.r2Adjusted);
    json["r2_pred"] = jsonOf(fit.r2Predicted);
    json["press"] = jsonOf(fit.press);
    json["adequate_precision"] = jsonOf(fit.adequatePrecision);
    addTables(json, fit);
    return json;
}

void printFit(const Fit& fit)
{
    printQuality(fit);
    for (const model::Warning& warning : fit.warnings)
        std::cout << "Warning: " << warning.message << '\n';
    std::cout << '\n';
    printAnova(fit);
    std::cout << '\n';
    printCoefficients(fit);
    std::cout << '\n';
}

} // namespace quadric::app
