// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/fit_report.h"
#include "app/cli/output/study_output.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/effects.h"
#include "core/model/fit/fit.h"
#include "core/model/fit/regression.h"
#include "core/model/predict/factor_effects.h"
#include "core/model/select/cross_validation.h"
#include "core/model/select/fit_checks.h"
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
    json["importance"] = listOf(fit.importance, [](const model::Importance& share) {
        return Json{{"factor", share.factor}, {"main", share.main}, {"total", share.total}};
    });
    json["diagnostics"] = listOf(fit.diagnostics, diagnosticJson);
    json["residual_checks"] = checksJson(fit);
    json["aliased"] = fit.aliased;
}

Json blockVarianceJson(const Fit& fit)
{
    if (!fit.blockVariance)
        return nullptr;
    return {{"blocks", fit.blockVariance->blocks},
            {"between", fit.blockVariance->between},
            {"random_df", fit.blockVariance->isRandom() ? Json(fit.blockVariance->df) : Json()},
            {"terms", fit.blockVariance->terms}};
}

/// The numbers of a fit and its tables, as each entry of `responses` in `analyze --json` begins.
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
    json["block_variance"] = blockVarianceJson(fit);
    addTables(json, fit);
    return json;
}

Json namedJson(const std::vector<std::string>& names, const auto& values)
{
    Json json = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i)
        json[names[i]] = values[i];
    return json;
}

Json vectorJson(const Eigen::VectorXd& values)
{
    return std::vector<double>(values.begin(), values.end());
}

Json canonicalJson(const std::optional<model::Canonical>& canonical,
                   const std::vector<model::Interval>& eigenvalues)
{
    if (!canonical)
        return nullptr;
    Json vectors = Json::array();
    for (Eigen::Index i = 0; i < canonical->eigenvectors.cols(); ++i)
        vectors.push_back(vectorJson(canonical->eigenvectors.col(i)));
    return {{"stationary_point", namedJson(canonical->factors, canonical->actual)},
            {"stationary_point_coded", namedJson(canonical->factors, vectorJson(canonical->point))},
            {"response", canonical->response},
            {"eigenvalues", vectorJson(canonical->eigenvalues)},
            {"eigenvalue_intervals", listOf(eigenvalues,
                                            [](const model::Interval& each) {
                                                return Json{each.low, each.high};
                                            })},
            {"kind_certain", !eigenvalues.empty() && model::isKindCertain(eigenvalues)},
            {"eigenvectors", vectors},
            {"kind", std::string(nameOf(canonical->kind))},
            {"near_ridge", canonical->isNearRidge},
            {"inside_region", canonical->isInsideRegion}};
}

Json boxCoxJson(const std::optional<model::BoxCox>& profile)
{
    if (!profile)
        return nullptr;
    return {{"lambda", profile->lambda}, {"low", jsonOf(profile->low)}, {"high", jsonOf(profile->high)}};
}

Json curvatureJson(const std::optional<model::CurvatureTest>& test)
{
    if (!test)
        return nullptr;
    return {{"corners", test->corners}, {"centers", test->centers}, {"difference", test->difference},
            {"ss", test->ss},           {"f", jsonOf(test->f)},     {"p", jsonOf(test->p)}};
}

Json ordersJson(const std::vector<model::OrderSummary>& orders)
{
    return listOf(orders, [](const model::OrderSummary& row) {
        return Json{{"order", row.name},
                    {"parameters", row.parameters},
                    {"df_residual", row.dfResidual},
                    {"sequential_p", jsonOf(row.sequentialP)},
                    {"lack_of_fit_p", jsonOf(row.lackOfFitP)},
                    {"sigma", jsonOf(row.sigma)},
                    {"r2", jsonOf(row.r2)},
                    {"r2_adj", jsonOf(row.r2Adjusted)},
                    {"r2_pred", jsonOf(row.r2Predicted)},
                    {"press", jsonOf(row.press)},
                    {"aicc", jsonOf(row.aicc)},
                    {"aliased", row.aliased}};
    });
}

Json selectionJson(const model::Fit& fit)
{
    const std::optional<model::SelectionTest> test = model::testSelection(fit);
    const model::PredictionError error(fit);
    return {{"chosen", model::isChosen(fit)},
            {"p", jsonOf(model::findModelP(fit))},
            {"permutations", test ? Json(test->permutations) : Json()},
            {"error_sigma", error.df() > 0 ? Json(error.sigma()) : Json()},
            {"error_df", error.df()}};
}

Json crossValidationJson(const model::CrossValidation& validation)
{
    return {{"folds", validation.folds}, {"seed", validation.seed},     {"error", jsonOf(validation.error)},
            {"s", jsonOf(validation.s)}, {"r2", jsonOf(validation.r2)}, {"message", validation.message}};
}

Json levelJson(const model::LevelGroup& group)
{
    return {{"level", group.level},
            {"low", group.low},
            {"high", group.high},
            {"n", group.values.size()},
            {"mean", group.mean},
            {"sd", jsonOf(group.sd)},
            {"smallest", group.smallest},
            {"largest", group.largest},
            {"lower_whisker", group.box.lowerWhisker},
            {"lower_quartile", group.box.lowerQuartile},
            {"median", group.box.median},
            {"upper_quartile", group.box.upperQuartile},
            {"upper_whisker", group.box.upperWhisker},
            {"runs", group.runs}};
}

Json levelsJson(const std::vector<model::LevelSummary>& levels)
{
    return listOf(levels, [](const model::LevelSummary& summary) {
        return Json{{"factor", summary.factor},
                    {"tested_levels", summary.testedLevels},
                    {"grouped", summary.isGrouped},
                    {"levels", listOf(summary.groups, levelJson)}};
    });
}

Json pathJson(const model::Path& path)
{
    Json points = Json::array();
    for (const model::PathPoint& point : path.points) {
        const model::Prediction& prediction = point.prediction;
        points.push_back(
            {{"radius", point.distance},
             {"actual", namedJson(path.factors, point.actual)},
             {"predicted", prediction.mean},
             {"se", jsonOf(prediction.se)},
             {"confidence",
              prediction.confidence ? Json{prediction.confidence->low, prediction.confidence->high} : Json()},
             {"extrapolation", prediction.isExtrapolation}});
    }
    return {{"points", points}, {"message", path.message}};
}

Json warningJson(const report::Finding& finding)
{
    return {{"code", finding.code}, {"message", finding.sentence}};
}

Json speedUpPointJson(const plan::SpeedUpPoint& point)
{
    return {{"gpus", point.count},
            {"runs", point.runs},
            {"speed_up", point.speedUp},
            {"interval", point.interval ? Json{point.interval->low, point.interval->high} : Json()}};
}

/// Empty of a response that tells none.
Json speedUpJson(const std::optional<plan::SpeedUp>& speedUp)
{
    if (!speedUp || speedUp->counts.empty())
        return nullptr;
    return {{"scaling", nameOf(speedUp->scaling)},
            {"baseline_gpus", speedUp->baseline},
            {"modeled", speedUp->isModeled},
            {"counts", listOf(speedUp->counts, speedUpPointJson)}};
}

Json verdictJson(const report::Verdict& verdict)
{
    return {{"verdict", nameOf(verdict)}, {"code", verdict.reason.code}, {"sentence", verdict.sentence}};
}

} // namespace

Json reportJson(const FitReport& report)
{
    Json json = fitJson(report.fit);
    json["canonical"] = canonicalJson(report.canonical, report.eigenvalueIntervals);
    json["boxcox"] = boxCoxJson(report.boxCox);
    json["curvature"] = curvatureJson(report.curvature);
    json["orders"] = ordersJson(report.orders);
    json["selection"] = selectionJson(report.fit);
    json["verdict"] = verdictJson(report.verdict);
    json["warnings"] = listOf(report::pickWarnings(report.findings), warningJson);
    json["report_card"] = listOf(report.findings, findingJson);
    json["reading"] = {{"anova", report.anovaWords}, {"coefficients", report.coefficientWords}};
    json["by_level"] = levelsJson(report.levels);
    if (report.speedUp)
        json["speed_up"] = speedUpJson(report.speedUp);
    if (report.crossValidation)
        json["cross_validation"] = crossValidationJson(*report.crossValidation);
    if (report.ridgeAscent)
        json["ridge"] = {{"ascent", pathJson(*report.ridgeAscent)},
                         {"descent", pathJson(*report.ridgeDescent)}};
    if (report.steepestAscent)
        json["steepest_ascent"] = pathJson(*report.steepestAscent);
    return json;
}

} // namespace quadric::app
