// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/fit_json.h"

#include "core/model/fit/effect_ranking.h"
#include "core/model/fit/spread_check.h"
#include "core/model/predict/importance_certainty.h"
#include "core/model/select/variance_components.h"
#include "core/model/select/weight_advice.h"
#include "core/report/equation.h"

namespace quadric::app {

namespace {

using model::Fit;

Json coefficientJson(const model::Coefficient& c)
{
    return {{"term", c.term},   {"estimate", c.estimate}, {"se", jsonOf(c.se)},     {"t", jsonOf(c.t)},
            {"p", jsonOf(c.p)}, {"low", jsonOf(c.low)},   {"high", jsonOf(c.high)}, {"vif", jsonOf(c.vif)}};
}

/// Adds Holm's p to the rows of a list.
Json withAdjusted(Json rows, const std::vector<std::optional<double>>& adjusted)
{
    for (std::size_t i = 0; i < adjusted.size(); ++i)
        rows[i]["p_adjusted"] = jsonOf(adjusted[i]);
    return rows;
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
            {"cooks_distance", jsonOf(d.cooksDistance)},
            {"dffits", jsonOf(d.dffits)},
            {"order", d.order}};
}

Json checksJson(const Fit& fit)
{
    const model::ResidualChecks& checks = fit.residualChecks;
    const std::optional<model::SpreadCheck> spread = model::checkSpread(fit);
    return {{"durbin_watson", jsonOf(checks.durbinWatson)},
            {"durbin_watson_p", jsonOf(checks.durbinWatsonP)},
            {"drift_slope", jsonOf(checks.driftSlope)},
            {"drift_t", jsonOf(checks.driftT)},
            {"drift_p", jsonOf(checks.driftP)},
            {"shapiro_wilk", jsonOf(checks.shapiroWilk)},
            {"normality_p", jsonOf(checks.normalityP)},
            {"spread_p", spread ? Json(spread->p) : Json()}};
}

Json importanceJson(const Fit& fit)
{
    const model::ImportanceCertainty certainty = model::judgeImportance(fit);
    Json rows = Json::array();
    for (std::size_t i = 0; i < fit.importance.size(); ++i) {
        const model::Importance& share = fit.importance[i];
        Json row = {{"factor", share.factor}, {"main", share.main}, {"total", share.total}};
        if (i < certainty.factors.size()) {
            const model::ImportanceInterval& range = certainty.factors[i];
            row["main_interval"] = {range.main.low, range.main.high};
            row["total_interval"] = {range.total.low, range.total.high};
            row["noise"] = certainty.isNoise();
        }
        rows.push_back(row);
    }
    return rows;
}

void addTables(Json& json, const Fit& fit)
{
    json["coefficients"] =
        withAdjusted(listOf(fit.coefficients, coefficientJson), model::adjustCoefficients(fit));
    json["actual_coefficients"] = listOf(fit.actualCoefficients, [](const model::ActualCoefficient& c) {
        return Json{{"term", c.term}, {"estimate", c.estimate}};
    });
    json["equation"] = report::writeEquation(fit);
    json["anova"] = listOf(fit.anova, anovaJson);
    json["terms"] = listOf(fit.termRows, termJson);
    json["sequential_terms"] = listOf(fit.sequentialRows, anovaJson);
    json["effects"] = withAdjusted(listOf(fit.effects, effectJson), model::adjustEffects(fit));
    json["effect_limit"] = limitJson(fit.effectLimit);
    json["importance"] = importanceJson(fit);
    json["diagnostics"] = listOf(fit.diagnostics, diagnosticJson);
    json["residual_checks"] = checksJson(fit);
    json["aliased"] = fit.aliased;
}

Json weightsJson(const Fit& fit)
{
    Json json = {{"kind", nameOf(fit.weighting ? study::Weights::Spread : study::Weights::Equal)},
                 {"problem", fit.weightsProblem}};
    if (fit.weighting) {
        json["within_runs"] = fit.weighting->withinRuns;
        json["between_runs"] = fit.weighting->betweenRuns;
        json["lightest"] = fit.weighting->lightest;
        json["heaviest"] = fit.weighting->heaviest;
    }
    if (const auto advice = model::adviseWeights(fit)) {
        json["gain"] = advice->gain;
        json["recommended"] = advice->isRecommended;
    }
    return json;
}

Json blockVarianceJson(const Fit& fit)
{
    if (!fit.blockVariance)
        return nullptr;
    return {{"blocks", fit.blockVariance->blocks},
            {"between", fit.blockVariance->between},
            {"terms", fit.blockVariance->terms}};
}

Json componentsJson(const Fit& fit)
{
    const auto components = model::varianceComponentsOf(fit);
    if (!components)
        return nullptr;
    return {{"inside_runs", jsonOf(components->insideRuns)},
            {"between_runs", components->betweenRuns},
            {"between_blocks", jsonOf(components->betweenBlocks)}};
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
                 {"model_name", fit.model},
                 {"choice", fit.choice},
                 {"n", fit.n},
                 {"df_residual", fit.dfResidual}};
    json["sigma"] = fit.dfResidual > 0 ? Json(fit.sigma) : Json();
    json["r2"] = jsonOf(fit.r2);
    json["r2_adj"] = jsonOf(fit.r2Adjusted);
    json["r2_pred"] = jsonOf(fit.r2Predicted);
    json["press"] = jsonOf(fit.press);
    json["adequate_precision"] = jsonOf(fit.adequatePrecision);
    json["aicc"] = jsonOf(fit.aicc);
    json["weights"] = weightsJson(fit);
    json["block_variance"] = blockVarianceJson(fit);
    json["variance_components"] = componentsJson(fit);
    addTables(json, fit);
    return json;
}

} // namespace quadric::app
