// SPDX-License-Identifier: GPL-3.0-or-later
#include "oracle_study.h"

#include "core/report/findings/fit_findings.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace quadric::model::test {

namespace {

nlohmann::json readReference(const std::string& name)
{
    const std::string path = sourcePath("tests/references/") + name + ".json";
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("missing reference " + path);
    return nlohmann::json::parse(file);
}

std::vector<study::Factor> factorsOf(const nlohmann::json& oracle)
{
    std::vector<study::Factor> factors;
    for (const nlohmann::json& source : oracle["factors"]) {
        study::Factor factor;
        factor.name = source["name"];
        factor.low = source["low"];
        factor.high = source["high"];
        factors.push_back(factor);
    }
    return factors;
}

int blockOf(const nlohmann::json& oracle, std::size_t run)
{
    const nlohmann::json& block = oracle["design"]["block"];
    return block.is_null() ? 1 : std::stoi(block[run].get<std::string>().substr(1));
}

std::string replaceAll(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

std::string ourFactor(const std::string& part, const nlohmann::json& oracle)
{
    const std::string symbol = part.substr(0, part.find('^'));
    for (const nlohmann::json& factor : oracle["factors"]) {
        if (factor["symbol"] == symbol)
            return factor["name"].get<std::string>() + part.substr(symbol.size());
    }
    return part;
}

template <typename Rows, typename Name>
const auto& find(const Rows& rows, const Name& matches, const std::string& wanted)
{
    const auto row = std::find_if(rows.begin(), rows.end(), matches);
    if (row != rows.end())
        return *row;
    ADD_FAILURE() << "no row " << wanted;
    static const typename Rows::value_type empty{};
    return empty;
}

} // namespace

nlohmann::json readOracle(const std::string& name)
{
    return readReference("oracles/" + name);
}

nlohmann::json readModelReference(const std::string& name)
{
    return readReference("models/" + name);
}

study::Study studyOf(const nlohmann::json& oracle)
{
    study::Study study;
    study.factors = factorsOf(oracle);
    for (const auto& [name, values] : oracle["responses"].items()) {
        study::Response response;
        response.name = name;
        study.responses.push_back(response);
    }
    for (std::size_t i = 0; i < oracle["design"]["actual"].size(); ++i) {
        study::Run run;
        run.id = run.order = static_cast<int>(i) + 1;
        run.block = blockOf(oracle, i);
        run.status = study::RunStatus::Done;
        for (std::size_t j = 0; j < study.factors.size(); ++j)
            run.settings[study.factors[j].name] = oracle["design"]["actual"][i][j].get<double>();
        for (const auto& [name, values] : oracle["responses"].items())
            run.results[name] = values[i];
        study.runs.push_back(run);
    }
    return study;
}

std::string ourTerm(std::string term, const nlohmann::json& oracle)
{
    if (term == "Intercept")
        return "1";
    std::string ours;
    for (std::size_t start = 0; start <= term.size();) {
        const std::size_t end = std::min(term.find(':', start), term.size());
        ours += (ours.empty() ? "" : "*") + ourFactor(term.substr(start, end - start), oracle);
        start = end + 1;
    }
    return ours;
}

std::string modelOf(const nlohmann::json& analysis, const nlohmann::json& oracle)
{
    if (!analysis.contains("terms"))
        return analysis["model"];
    std::string formula;
    for (const std::string term : analysis["terms"])
        formula += (formula.empty() ? "" : " + ") + ourTerm(term, oracle);
    return replaceAll(formula, ":", "*");
}

study::Study plainStudy(const std::vector<std::string>& factors)
{
    study::Study study;
    for (const std::string& name : factors) {
        study::Factor factor;
        factor.name = name;
        factor.low = -1;
        factor.high = 1;
        study.factors.push_back(factor);
    }
    study.responses.emplace_back().name = "y";
    return study;
}

study::Run& addRun(study::Study& study, const std::vector<study::Value>& settings, double y)
{
    study::Run& run = study.runs.emplace_back();
    run.id = run.order = static_cast<int>(study.runs.size());
    run.status = study::RunStatus::Done;
    run.provenance.source = study::Source::Measured;
    for (std::size_t i = 0; i < settings.size(); ++i)
        run.settings[study.factors[i].name] = settings[i];
    run.results["y"] = y;
    return run;
}

std::vector<std::vector<study::Value>> gridOf(int factors, const std::vector<double>& levels)
{
    std::vector<std::vector<study::Value>> grid{{}};
    for (int i = 0; i < factors; ++i) {
        std::vector<std::vector<study::Value>> expanded;
        for (const std::vector<study::Value>& point : grid) {
            for (const double level : levels) {
                expanded.push_back(point);
                expanded.back().emplace_back(level);
            }
        }
        grid = std::move(expanded);
    }
    return grid;
}

const AnovaRow& rowOf(const std::vector<AnovaRow>& rows, const std::string& source)
{
    return find(
        rows, [&](const AnovaRow& row) { return row.source == source; }, source);
}

const Coefficient& coefficientOf(const Fit& fit, const std::string& term)
{
    return find(
        fit.coefficients, [&](const Coefficient& row) { return row.term == term; }, term);
}

bool hasWarning(const Fit& fit, const std::string& code)
{
    const std::vector<report::Finding> warnings = report::pickWarnings(report::findInFit(fit));
    return std::ranges::find(warnings, code, &report::Finding::code) != warnings.end();
}

} // namespace quadric::model::test
