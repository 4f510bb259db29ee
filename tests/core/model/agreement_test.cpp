// SPDX-License-Identifier: GPL-3.0-or-later
// The table of docs/methods/agreement.md: how many digits of each kind of number agree with R and with
// exact arithmetic. The test fails when the committed table is not what it finds; QUADRIC_WRITE_TABLES=1
// rewrites the table.
#include "core/model/fit/regression.h"
#include "core/model/predict/canonical.h"
#include "core/model/select/boxcox.h"
#include "document_table.h"
#include "oracle_study.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

namespace quadric::model::test {

namespace {

/// More digits than this are not claimed: the references have 15, and the last ones depend on the processor.
constexpr int kMostDigits = 10;

/// The worst agreement of one kind of number.
struct Row {
    int count = 0;
    double worst = 0.0; ///< relative deviation; entries near zero against the largest of their group
};

class Agreements {
public:
    void compare(const std::string& kind, double actual, double expected, double scale)
    {
        Row& row = rowOf(kind);
        ++row.count;
        row.worst =
            std::max(row.worst, std::abs(actual - expected) / std::max(std::abs(expected), 1e-3 * scale));
    }

    void compare(const std::string& kind, const std::optional<double>& actual, const nlohmann::json& expected)
    {
        ASSERT_TRUE(actual.has_value()) << kind;
        compare(kind, *actual, expected.get<double>(), 0.0);
    }

    /// Lists of numbers of one size; `at` gives ours.
    template <typename At> void compareList(const std::string& kind, const nlohmann::json& expected, At at)
    {
        double scale = 0.0;
        for (const nlohmann::json& value : expected)
            scale = std::max(scale, std::abs(value.get<double>()));
        for (std::size_t i = 0; i < expected.size(); ++i)
            compare(kind, at(i), expected[i].get<double>(), scale);
    }

    std::string table() const
    {
        std::ostringstream text;
        text << "| numbers | compared | digits that agree, worst case |\n| --- | --- | --- |\n";
        for (const std::string& kind : m_order) {
            const Row& row = m_rows.at(kind);
            const double digits = row.worst > 0 ? -std::log10(row.worst) : 99.0;
            const bool isCapped = digits >= kMostDigits;
            text << "| " << kind << " | " << row.count << " | "
                 << (isCapped ? std::to_string(kMostDigits) + " or more"
                              : std::to_string(static_cast<int>(std::floor(digits))))
                 << " |\n";
        }
        return text.str();
    }

private:
    Row& rowOf(const std::string& kind)
    {
        if (!m_rows.contains(kind))
            m_order.push_back(kind);
        return m_rows[kind];
    }

    std::map<std::string, Row> m_rows;
    std::vector<std::string> m_order;
};

void compareFigures(const Fit& fit, const nlohmann::json& expected, Agreements& out)
{
    out.compare("σ, R², adjusted, predicted, PRESS, precision, AICc", fit.sigma, expected["sigma"]);
    const bool hasBlocks = !fit.data->regression.blocks.empty();
    const nlohmann::json& shares = hasBlocks ? expected["excluding_blocks"] : expected;
    const std::vector<std::pair<std::optional<double>, nlohmann::json>> figures{
        {fit.r2, shares["r2"]},
        {fit.r2Adjusted, shares["r2_adj"]},
        {fit.r2Predicted, shares["r2_pred"]},
        {fit.press, expected["press"]},
        {fit.adequatePrecision, expected["adequate_precision"]},
        {fit.aicc, expected["information"]["aicc"]}};
    for (const auto& [actual, value] : figures)
        out.compare("σ, R², adjusted, predicted, PRESS, precision, AICc", actual, value);
}

void compareCoefficients(const Fit& fit, const nlohmann::json& oracle, const nlohmann::json& analysis,
                         Agreements& out)
{
    const nlohmann::json& expected = analysis["expected"]["coefficients"];
    double scale = 0.0;
    for (const nlohmann::json& row : expected)
        scale = std::max(scale, std::abs(row["estimate"].get<double>()));
    for (const auto& [name, row] : expected.items()) {
        if (analysis["block"].get<bool>() && (name == "Intercept" || name.starts_with("Block")))
            continue; // reference coding there; ours are compared in oracle_fit_test.cpp
        const Coefficient& ours = coefficientOf(fit, ourTerm(name, oracle));
        out.compare("coefficients, coded", ours.estimate, row["estimate"].get<double>(), scale);
        out.compare("standard errors", ours.se, row["se"]);
        out.compare("confidence intervals of coefficients", ours.low.value(), row["ci95"][0].get<double>(),
                    scale);
        out.compare("confidence intervals of coefficients", ours.high.value(), row["ci95"][1].get<double>(),
                    scale);
        out.compare("p of t tests", ours.p.value(), row["p"].get<double>(), 1e-9);
        if (!row["vif"].is_null())
            out.compare("variance inflation", ours.vif, row["vif"]);
    }
    const nlohmann::json& actual = analysis["expected"]["equation_actual_units"]["terms"];
    for (const ActualCoefficient& row : fit.actualCoefficients) {
        std::string name = row.term == "1" ? "Intercept" : row.term;
        std::replace(name.begin(), name.end(), '*', ':');
        out.compare("coefficients, actual units", row.estimate, actual[name].get<double>(), 0.0);
    }
}

void compareAnova(const std::string& kind, const std::vector<AnovaRow>& rows, const nlohmann::json& expected,
                  const nlohmann::json& oracle, double total, Agreements& out)
{
    for (const nlohmann::json& row : expected) {
        const std::string source = row["source"];
        if (source == "Block" || source == "Residuals")
            continue;
        const AnovaRow& ours = rowOf(rows, ourTerm(source, oracle));
        out.compare(kind, ours.ss, row["ss"].get<double>(), total);
        out.compare(kind, ours.f.value(), row["f"].get<double>(), 1.0);
    }
}

void compareDiagnostics(const Fit& fit, const nlohmann::json& expected, Agreements& out)
{
    const auto each = [&](const char* key, auto value) {
        out.compareList("fitted values, residuals, leverage, studentized residuals, Cook, DFFITS",
                        expected[key], [&](std::size_t i) { return value(fit.diagnostics[i]); });
    };
    each("fitted", [](const Diagnostic& d) { return d.fitted; });
    each("residuals", [](const Diagnostic& d) { return d.residual; });
    each("leverage", [](const Diagnostic& d) { return d.leverage; });
    each("studentized_internal", [](const Diagnostic& d) { return d.internallyStudentized.value(); });
    each("studentized_external", [](const Diagnostic& d) { return d.externallyStudentized.value(); });
    each("cooks_distance", [](const Diagnostic& d) { return d.cooksDistance.value(); });
    each("dffits", [](const Diagnostic& d) { return d.dffits.value(); });
}

void comparePredictions(const study::Study& study, const Fit& fit, const nlohmann::json& points,
                        Agreements& out)
{
    const study::Coding coding(study.factors);
    for (const nlohmann::json& point : points) {
        study::CodedPoint coded(Eigen::VectorXd(coding.size()));
        for (std::size_t i = 0; i < study.factors.size(); ++i)
            coded[static_cast<Eigen::Index>(i)] = coding.toCoded(i, point["actual"][i].get<double>());
        const nlohmann::json& expected = point.contains("block_average") ? point["block_average"] : point;
        const Prediction ours = predict(fit, coded);
        out.compare("predictions with both intervals", ours.mean, expected["fit"].get<double>(), 1.0);
        out.compare("predictions with both intervals", ours.se, expected["se_mean"]);
        for (const int end : {0, 1}) {
            out.compare("predictions with both intervals",
                        end == 0 ? ours.confidence->low : ours.confidence->high,
                        expected["ci95"][end].get<double>(), 1.0);
            out.compare("predictions with both intervals",
                        end == 0 ? ours.prediction->low : ours.prediction->high,
                        expected["pi95"][end].get<double>(), 1.0);
        }
    }
}

void comparePath(const std::string& kind, const Path& path, const nlohmann::json& expected, Agreements& out)
{
    ASSERT_EQ(path.points.size(), expected.size()) << kind;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        out.compareList(kind, expected[i]["coded"],
                        [&](std::size_t j) { return path.points[i].point[static_cast<Eigen::Index>(j)]; });
        if (expected[i].contains("predicted"))
            out.compare(kind, path.points[i].prediction.mean, expected[i]["predicted"].get<double>(), 0.0);
    }
}

void comparePaths(const Fit& fit, const study::CodedPoint& center, const nlohmann::json& expected,
                  Agreements& out)
{
    if (expected.contains("canonical")) {
        const Canonical canonical = canonicalAnalysis(fit, center).value();
        out.compareList("stationary point, eigenvalues", expected["canonical"]["stationary_coded"],
                        [&](std::size_t i) { return canonical.point[static_cast<Eigen::Index>(i)]; });
        out.compareList("stationary point, eigenvalues", expected["canonical"]["eigenvalues"],
                        [&](std::size_t i) { return canonical.eigenvalues[static_cast<Eigen::Index>(i)]; });
        const std::vector<double> radii = column(expected["ridge_ascent"], "radius");
        comparePath("ridge paths", ridgePath(fit, Direction::Ascent, center, radii), expected["ridge_ascent"],
                    out);
        comparePath("ridge paths", ridgePath(fit, Direction::Descent, center, radii),
                    expected["ridge_descent"], out);
    }
    const nlohmann::json& steepest = expected["steepest_ascent_first_order"]["path"];
    comparePath("steepest ascent", steepestPath(fit, Direction::Ascent, center, column(steepest, "radius")),
                steepest, out);
}

void compareAnalysis(const nlohmann::json& oracle, const nlohmann::json& analysis, Agreements& out)
{
    const study::Study study = studyOf(oracle);
    const nlohmann::json& expected = analysis["expected"];
    const Fit fit =
        fitResponse(study, analysis["response"].get<std::string>(), {.model = modelOf(analysis, oracle)});
    ASSERT_TRUE(fit.isOk()) << fit.message;
    compareFigures(fit, expected, out);
    compareCoefficients(fit, oracle, analysis, out);
    const double total = expected["sst_corrected"];
    compareAnova("sequential ANOVA, each term", fit.sequentialRows, expected["anova"]["sequential_terms"],
                 oracle, total, out);
    compareAnova("partial ANOVA, each term", fit.termRows, expected["anova"]["partial_terms"], oracle, total,
                 out);
    compareDiagnostics(fit, expected["diagnostics"], out);
    comparePredictions(study, fit, expected["predictions"], out);
    comparePaths(fit, study::Coding(study.factors).center(), expected, out);
    const nlohmann::json& profile = expected["box_cox"];
    const BoxCox boxCoxResult = boxCox(fit).value();
    out.compareList("Box–Cox log likelihood", profile["loglik"], [&](std::size_t i) {
        const double power = profile["lambda"][i];
        return boxCoxResult.logLikelihood.at(static_cast<std::size_t>(std::lround((power + 5) * 10)));
    });
}

void compareLenth(Agreements& out)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const nlohmann::json& expected = oracle["analyses"][0]["expected"];
    const Fit fit = fitResponse(studyOf(oracle), "filtration", {.model = ourTerm("A:B:C:D", oracle)});
    for (const Effect& effect : fit.effects) {
        for (const auto& [name, value] : expected["effects"].items()) {
            if (ourTerm(name, oracle) == effect.term)
                out.compare("effects, Lenth's PSE, ME and SME", effect.effect, value.get<double>(), 10.0);
        }
    }
    out.compare("effects, Lenth's PSE, ME and SME", fit.effectLimit.pse, expected["pse"]);
    out.compare("effects, Lenth's PSE, ME and SME", fit.effectLimit.value, expected["me"]);
    out.compare("effects, Lenth's PSE, ME and SME", fit.effectLimit.sme, expected["sme"]);
}

study::Study studyOfPolynomial(const nlohmann::json& data)
{
    study::Study study = plainStudy({"x"});
    const std::vector<double> x = data["x"];
    study.factors[0].low = *std::ranges::min_element(x);
    study.factors[0].high = *std::ranges::max_element(x);
    for (std::size_t i = 0; i < x.size(); ++i)
        addRun(study, {x[i]}, data["y"][i]);
    return study;
}

void compareNist(Agreements& out)
{
    const nlohmann::json reference = readModelReference("nist");
    for (const nlohmann::json& data : reference["datasets"]) {
        const std::string name = "NIST " + data["name"].get<std::string>();
        const Fit fit = fitResponse(studyOfPolynomial(data), "y",
                                    {.model = "x^" + std::to_string(data["degree"].get<int>())});
        for (std::size_t k = 0; k < data["coded"]["estimates"].size(); ++k) {
            const std::string term = k == 0 ? "1" : (k == 1 ? "x" : "x^" + std::to_string(k));
            out.compare(name + ", coded coefficients and errors", coefficientOf(fit, term).estimate,
                        data["coded"]["estimates"][k].get<double>(), 0.0);
            out.compare(name + ", coded coefficients and errors", coefficientOf(fit, term).se,
                        data["coded"]["se"][k]);
        }
        out.compare(name + ", σ and R²", fit.sigma, data["coded"]["sigma"]);
        out.compare(name + ", σ and R²", fit.r2, data["coded"]["r2"]);
    }
}

} // namespace

TEST(Agreements, theTableInTheDocumentIsWhatTheTestsFind)
{
    Agreements agreements;
    for (const std::string file :
         {"01_chemreact_ccd_blocks", "02_chemreact1_first_order", "03_codata_3x3_replicated",
          "04_trebuchet_bbd3", "05_tire_tread_derringer_suich", "06_paper_2p5_full_3rep",
          "07_filtration_2p4_lenth"}) {
        const nlohmann::json oracle = readOracle(file);
        for (const nlohmann::json& analysis : oracle["analyses"]) {
            SCOPED_TRACE(file);
            if (analysis["model"] != "lenth")
                compareAnalysis(oracle, analysis, agreements);
        }
    }
    compareLenth(agreements);
    compareNist(agreements);

    expectTableInDocument(sourcePath("docs/methods/agreement.md"), "agreements",
                          "tests/core/model/agreement_test.cpp", agreements.table());
}

} // namespace quadric::model::test
