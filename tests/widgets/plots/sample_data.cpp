// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_data.h"

#include <array>
#include <cmath>

namespace quadric::samples {

namespace {

double throughput(double gpus, double batch)
{
    const double a = (std::log2(gpus) - 4.0) / 2.0;
    const double b = (std::log2(batch) - 6.5) / 1.5;
    return 14000.0 + 7800.0 * a + 3600.0 * b - 2100.0 * a * a - 3300.0 * b * b + 1500.0 * a * b;
}

std::vector<double> geometric(double low, double high, int count)
{
    std::vector<double> values;
    for (int i = 0; i < count; ++i)
        values.push_back(low * std::pow(high / low, static_cast<double>(i) / (count - 1)));
    return values;
}

model::Effect effect(const char* term, double size, std::optional<double> t, std::optional<double> p)
{
    return {term, size, t, p};
}

/// A curve of a quadratic in the coded value of the factor, with a band of constant half width at the center.
model::EffectCurve curve(std::string factor, std::string unit, std::vector<double> actual, bool isLog2,
                         std::array<double, 3> quadratic, double halfWidth)
{
    model::EffectCurve curve;
    curve.factor = std::move(factor);
    curve.unit = std::move(unit);
    curve.isLog2 = isLog2;
    curve.actual = std::move(actual);
    const auto scaled = [isLog2](double v) { return isLog2 ? std::log2(v) : v; };
    const double low = scaled(curve.actual.front());
    const double high = scaled(curve.actual.back());
    for (const double value : curve.actual) {
        const double x = 2.0 * (scaled(value) - low) / (high - low) - 1.0;
        const double mean = quadratic[0] + quadratic[1] * x + quadratic[2] * x * x;
        const double half = halfWidth * std::sqrt(0.5 + x * x);
        curve.mean.push_back(mean);
        if (halfWidth > 0.0) {
            curve.low.push_back(mean - half);
            curve.high.push_back(mean + half);
        }
        curve.isExtrapolation.push_back(false);
    }
    return curve;
}

std::vector<double> linear(double low, double high, int count)
{
    std::vector<double> values;
    for (int i = 0; i < count; ++i)
        values.push_back(low + (high - low) * i / (count - 1));
    return values;
}

model::EffectCurve precisionCurve(double fp32, double bf16, double halfWidth)
{
    model::EffectCurve curve;
    curve.factor = "precision";
    curve.actual = {0.0, 1.0, 2.0};
    curve.categories = {"fp32", "tf32", "bf16"};
    curve.mean = {fp32, 0.55 * fp32 + 0.45 * bf16, bf16};
    for (const double mean : curve.mean) {
        if (halfWidth > 0.0) {
            curve.low.push_back(mean - halfWidth);
            curve.high.push_back(mean + halfWidth);
        }
        curve.isExtrapolation.push_back(false);
    }
    return curve;
}

/// The three curves of one response; `scale` turns throughput into another size.
std::vector<model::EffectCurve> curvesOf(const std::string& response, const std::string& unit, double scale)
{
    std::vector<model::EffectCurve> curves{curve("gpu_count", "", geometric(4, 64, 41), true,
                                                 {14000 * scale, 7800 * scale, -2100 * scale}, 900 * scale),
                                           curve("overlap", "%", linear(0, 100, 41), false,
                                                 {14000 * scale, 1500 * scale, -700 * scale}, 900 * scale),
                                           precisionCurve(12600 * scale, 15500 * scale, 1000 * scale)};
    for (model::EffectCurve& each : curves) {
        each.response = response;
        each.responseUnit = unit;
    }
    return curves;
}

study::Factor numeric(const char* name, const char* unit, double low, double high, study::Scale scale)
{
    study::Factor factor;
    factor.name = name;
    factor.unit = unit;
    factor.low = low;
    factor.high = high;
    factor.scale = scale;
    return factor;
}

} // namespace

model::SurfaceGrid surface()
{
    model::SurfaceGrid grid;
    grid.xName = "gpu_count";
    grid.yName = "batch";
    grid.yUnit = "images";
    grid.response = "images_per_sec";
    grid.responseUnit = "img/s";
    grid.xIsLog2 = grid.yIsLog2 = true;
    grid.x = geometric(4, 64, 41);
    grid.y = geometric(32, 256, 41);
    grid.z.resize(41, 41);
    grid.isExtrapolation.setConstant(41, 41, false);
    for (int i = 0; i < 41; ++i)
        for (int j = 0; j < 41; ++j) {
            const auto iu = static_cast<std::size_t>(i);
            const auto ju = static_cast<std::size_t>(j);
            grid.z(i, j) = throughput(grid.x[iu], grid.y[ju]);
            grid.isExtrapolation(i, j) = i + j > 68;
        }
    int run = 0;
    for (const double gpus : {4.0, 16.0, 64.0})
        for (const double batch : {32.0, 90.51, 256.0}) {
            const double fitted = throughput(gpus, batch);
            const double residual = 1100.0 * std::sin(2.0 + 1.7 * run);
            grid.observed.push_back({++run, gpus, batch, fitted + residual, fitted});
        }
    return grid;
}

model::Fit fitWithErrors()
{
    model::Fit fit;
    fit.status = model::FitStatus::Ok;
    fit.response = "images_per_sec";
    fit.unit = "img/s";
    fit.dfResidual = 5;
    fit.effectLimit.method = "t";
    fit.effectLimit.value = 2.57;
    fit.effectLimit.bonferroni = 4.77;
    fit.effects = {effect("batch", 7200, 8.4, 0.0004),          effect("gpu_count", 15600, 18.1, 1e-5),
                   effect("overlap", 3000, 3.5, 0.017),         effect("gpu_count*batch", 3000, 2.48, 0.056),
                   effect("gpu_count*overlap", -400, 0.3, 0.8), effect("batch*overlap", -1900, 1.6, 0.17),
                   effect("gpu_count^2", -4200, 3.3, 0.02),     effect("batch^2", -6600, 5.2, 0.003),
                   effect("overlap^2", -1400, 1.1, 0.32)};
    return fit;
}

model::Fit fitWithLenth()
{
    model::Fit fit = fitWithErrors();
    fit.dfResidual = 0;
    fit.effectLimit = {"lenth", 4100.0, {}, 9800.0, 1300.0};
    for (model::Effect& each : fit.effects)
        each.standardized = each.p = std::nullopt;
    return fit;
}

std::vector<model::EffectCurve> effectCurves()
{
    std::vector<model::EffectCurve> curves = curvesOf("images_per_sec", "img/s", 1.0);
    curves[0].adjustedAt = {4, 16, 64};
    curves[0].adjustedMean = {4700, 13600, 19900};
    curves[0].adjustedRuns = {4, 5, 4};
    curves[1].adjustedAt = {0, 50, 100};
    curves[1].adjustedMean = {11300, 14500, 14900};
    curves[1].adjustedRuns = {4, 5, 4};
    curves[2].adjustedAt = {0, 1, 2};
    curves[2].adjustedMean = {12100, 14300, 15100};
    curves[2].adjustedRuns = {4, 5, 4};
    for (std::size_t i = 33; i < 41; ++i)
        curves[1].isExtrapolation[i] = true;
    return curves;
}

widgets::ProfilerData profiler()
{
    widgets::ProfilerData data;
    data.currentTexts = {"16", "50 %", "tf32"};
    const std::vector<double> current{16, 50, 1};
    const auto addRow = [&](const std::vector<model::EffectCurve>& curves) {
        std::vector<widgets::ProfilerCell> row;
        for (std::size_t i = 0; i < curves.size(); ++i)
            row.push_back({curves[i], current[i]});
        data.cells.push_back(std::move(row));
    };
    addRow(curvesOf("images_per_sec", "img/s", 1.0));
    addRow(curvesOf("energy_per_image", "J", 1e-4));
    std::vector<model::EffectCurve> desirability{
        curve("gpu_count", "", geometric(4, 64, 41), true, {0.62, 0.25, -0.2}, 0.0),
        curve("overlap", "%", linear(0, 100, 41), false, {0.62, 0.05, -0.03}, 0.0),
        precisionCurve(0.5, 0.71, 0.0)};
    for (model::EffectCurve& each : desirability)
        each.response = "Desirability";
    addRow(desirability);
    return data;
}

study::Study boxBehnken()
{
    study::Study study;
    study.name = "sample";
    study.factors = {numeric("gpu_count", "", 4, 64, study::Scale::Log2),
                     numeric("batch", "images", 32, 256, study::Scale::Log2),
                     numeric("overlap", "%", 0, 100, study::Scale::Linear)};
    const study::Coding coding(study.factors);
    const auto add = [&](double a, double b, double c) {
        study::Run run;
        run.id = static_cast<int>(study.runs.size()) + 1;
        run.order = run.id;
        run.settings = coding.toSettings(study::CodedPoint(Eigen::Vector3d(a, b, c)));
        run.status = run.id == 6  ? study::RunStatus::Failed
                     : run.id > 9 ? study::RunStatus::Pending
                                  : study::RunStatus::Done;
        study.runs.push_back(run);
    };
    for (const double a : {-1.0, 1.0})
        for (const double b : {-1.0, 1.0}) {
            add(a, b, 0.0);
            add(a, 0.0, b);
            add(0.0, a, b);
        }
    for (int i = 0; i < 3; ++i)
        add(0.0, 0.0, 0.0);
    return study;
}

} // namespace quadric::samples
