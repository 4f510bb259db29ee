// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include "core/study/space/constraint.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace quadric::optimize {

namespace {

void setGoal(study::Study& study, const nlohmann::json& goal)
{
    for (study::Response& response : study.responses) {
        if (response.name != goal.at("response").get<std::string>())
            continue;
        const std::string type = goal.at("type");
        response.goal = type == "max"   ? study::Goal::Maximize
                        : type == "min" ? study::Goal::Minimize
                                        : study::Goal::Target;
        response.low = goal.at("low").get<double>();
        response.high = goal.at("high").get<double>();
        response.target = goal.at("target").is_null() ? 0.0 : goal.at("target").get<double>();
        response.weight = goal.at("importance");
        response.shape = goal.contains("scale")
                             ? std::vector<double>{goal.at("scale")}
                             : std::vector<double>{goal.at("scale_low"), goal.at("scale_high")};
    }
}

study::Factor integerFactor(const std::string& name, double low, double high, std::int64_t multipleOf)
{
    study::Factor factor;
    factor.name = name;
    factor.type = study::FactorType::Integer;
    factor.low = low;
    factor.high = high;
    factor.multipleOf = multipleOf;
    return factor;
}

/// Smooth stand-ins for throughput and scaling efficiency, with everything that a quadratic cannot follow.
std::map<std::string, double, std::less<>> scalingResults(double gpus, double batch, double compression)
{
    const double perGpu = 320.0 * std::pow(batch / 128.0, 0.6);
    const double overhead = 0.003 * (gpus - 1.0) * (1.0 - 0.6 * compression / 100.0);
    return {{"images_per_sec", perGpu * gpus / (1.0 + overhead)},
            {"scaling_efficiency", 100.0 / (1.0 + overhead) - 0.02 * compression}};
}

void addRun(study::Study& study, std::vector<double> coded)
{
    const study::Coding coding(study.factors);
    study::Run run;
    run.id = run.order = static_cast<int>(study.runs.size()) + 1;
    run.status = study::RunStatus::Done;
    run.settings = coding.toLegalSettings(study::CodedPoint(
        Eigen::Map<Eigen::VectorXd>(coded.data(), static_cast<Eigen::Index>(coded.size()))));
    const auto value = [&](const char* name) { return study::numberOf(run.settings.at(name)); };
    run.results = scalingResults(value("gpu_count"), value("batch_per_gpu"), value("gradient_compression"));
    study.runs.push_back(run);
}

} // namespace

nlohmann::json reference(const std::string& name)
{
    const std::string path = sourcePath("tests/references/oracles/") + name + ".json";
    std::ifstream file(path);
    if (!file)
        throw std::runtime_error("missing reference file " + path);
    return nlohmann::json::parse(file);
}

study::Study studyOf(const nlohmann::json& reference)
{
    study::Study study;
    for (const auto& entry : reference.at("factors")) {
        study::Factor factor;
        factor.name = entry.at("name");
        factor.low = entry.at("low");
        factor.high = entry.at("high");
        study.factors.push_back(factor);
    }
    for (const auto& [name, values] : reference.at("responses").items()) {
        study::Response response;
        response.name = name;
        response.goal = study::Goal::None;
        study.responses.push_back(response);
    }
    const auto& rows = reference.at("design").at("actual");
    for (std::size_t i = 0; i < rows.size(); ++i) {
        study::Run run;
        run.id = run.order = static_cast<int>(i) + 1;
        run.status = study::RunStatus::Done;
        for (std::size_t j = 0; j < study.factors.size(); ++j)
            run.settings[study.factors[j].name] = rows.at(i).at(j).get<double>();
        for (const auto& [name, values] : reference.at("responses").items())
            run.results[name] = values.at(i);
        study.runs.push_back(run);
    }
    return study;
}

Fitted tireTread(const nlohmann::json& reference, const nlohmann::json& scenario)
{
    Fitted fitted{studyOf(reference), {}};
    for (const auto& goal : scenario.at("goals"))
        setGoal(fitted.study, goal);
    fitted.fits = model::fitStudy(fitted.study);
    return fitted;
}

Fitted scalingStudy()
{
    Fitted fitted;
    study::Study& study = fitted.study;
    study.factors = {integerFactor("gpu_count", 8, 64, 8), integerFactor("batch_per_gpu", 32, 256, 1),
                     integerFactor("gradient_compression", 0, 90, 1)};
    for (const char* name : {"images_per_sec", "scaling_efficiency"}) {
        study::Response response;
        response.name = name;
        study.responses.push_back(response);
    }
    for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0}) {
            addRun(study, {a, b, 0.0});
            addRun(study, {a, 0.0, b});
            addRun(study, {0.0, a, b});
        }
    addRun(study, {0.0, 0.0, 0.0});
    fitted.fits = model::fitStudy(study);
    return fitted;
}

model::Fit polynomialFit(const study::Study& study, const std::string& response,
                         const std::vector<double>& coefficients, double smallest, double largest)
{
    model::Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = response;
    fit.factors = study.factors;
    fit.terms = model::termsOf(model::Order::Quadratic, study.factors);
    fit.columns = model::columnsOf(fit.terms, study.factors);
    const auto size = static_cast<Eigen::Index>(fit.columns.size());
    fit.beta = Eigen::VectorXd::Zero(size);
    for (std::size_t i = 0; i < coefficients.size() && i < fit.columns.size(); ++i)
        fit.beta[static_cast<Eigen::Index>(i)] = coefficients[i];
    fit.unscaledCovariance = Eigen::MatrixXd::Identity(size, size);
    fit.n = fit.parameters = static_cast<int>(size);
    fit.smallestObserved = smallest;
    fit.largestObserved = largest;
    return fit;
}

Fitted overSquare(const std::vector<double>& coefficients)
{
    Fitted fitted;
    fitted.study.factors = {{.name = "a", .low = -1.0}, {.name = "b", .low = -1.0}};
    study::Response response;
    response.name = "y";
    response.low = 0.0;
    response.high = 2.0;
    fitted.study.responses = {response};
    fitted.fits = {polynomialFit(fitted.study, "y", coefficients, 0.0, 2.0)};
    return fitted;
}

void expectLegal(const study::Study& study, const study::Settings& settings)
{
    EXPECT_TRUE(study::isLegal(study, settings));
    for (const study::Factor& factor : study.factors) {
        if (!factor.isNumeric())
            continue;
        const double value = study::numberOf(settings.at(factor.name));
        EXPECT_EQ(study::snapToLegal(factor, value), value) << factor.name;
        EXPECT_GE(value, factor.low) << factor.name;
        EXPECT_LE(value, factor.high) << factor.name;
    }
}

double overallAt(const Fitted& fitted, const study::CodedPoint& point)
{
    std::vector<Desirability> desirabilities;
    std::vector<double> predicted;
    for (std::size_t i = 0; i < fitted.fits.size(); ++i) {
        desirabilities.push_back(desirabilityOf(fitted.study.responses[i], fitted.fits[i]));
        predicted.push_back(model::predictMean(fitted.fits[i], point));
    }
    return overall(desirabilities, predicted);
}

} // namespace quadric::optimize
