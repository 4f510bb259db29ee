// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/profiler_data.h"

#include "core/model/predict.h"
#include "core/optimize/desirability.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

double currentValue(const study::Factor& factor, const study::Settings& settings)
{
    const auto found = settings.find(factor.name);
    if (found == settings.end())
        return 0.0;
    const auto* level = std::get_if<std::string>(&found->second);
    if (level == nullptr)
        return std::get<double>(found->second);
    const auto place = std::find(factor.categories.begin(), factor.categories.end(), *level);
    return static_cast<double>(place - factor.categories.begin());
}

const study::Response* responseOf(const study::Study& study, const model::Fit& fit)
{
    return fit.isOk() ? study::findResponse(study, fit.response) : nullptr;
}

/// Overall desirability along a factor, read off the responses' curves of the same column.
model::EffectCurve desirabilityCurve(const std::vector<model::EffectCurve>& responses,
                                     const std::vector<optimize::Desirability>& goals)
{
    model::EffectCurve curve = responses.front();
    curve.response = QCoreApplication::translate("Profiler", "Overall D").toStdString();
    curve.responseUnit.clear();
    curve.low.clear();
    curve.high.clear();
    curve.observedAt.clear();
    curve.observedMean.clear();
    for (std::size_t point = 0; point < curve.mean.size(); ++point) {
        std::vector<double> predicted;
        for (const model::EffectCurve& response : responses)
            predicted.push_back(response.mean[point]);
        curve.mean[point] = optimize::overall(goals, predicted);
    }
    return curve;
}

} // namespace

ProfilerData profilerData(const study::Study& study, const std::vector<model::Fit>& fits,
                          const study::Settings& settings)
{
    const study::CodedPoint at = study::Coding(study.factors).toCoded(settings);
    std::vector<optimize::Desirability> goals;
    std::vector<const model::Fit*> shown;
    for (const model::Fit& fit : fits)
        if (const study::Response* response = responseOf(study, fit)) {
            shown.push_back(&fit);
            goals.push_back(optimize::desirabilityOf(*response, fit));
        }
    ProfilerData data;
    if (shown.empty())
        return data;
    data.cells.resize(shown.size() + 1);
    for (std::size_t factor = 0; factor < study.factors.size(); ++factor) {
        const double current = currentValue(study.factors[factor], settings);
        std::vector<model::EffectCurve> column;
        for (const model::Fit* fit : shown)
            column.push_back(model::effectCurve(*fit, factor, at));
        for (std::size_t row = 0; row < column.size(); ++row)
            data.cells[row].push_back({column[row], current});
        data.cells.back().push_back({desirabilityCurve(column, goals), current});
        const auto value = settings.find(study.factors[factor].name);
        data.currentTexts.push_back(value == settings.end()
                                        ? std::string()
                                        : valueText(study.factors[factor], value->second).toStdString());
    }
    return data;
}

study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual)
{
    const study::Factor& moved = study.factors[factor];
    if (moved.isNumeric()) {
        settings[moved.name] = study::snapToLegal(moved, std::clamp(actual, moved.low, moved.high));
    } else if (!moved.categories.empty()) {
        const auto last = static_cast<double>(moved.categories.size() - 1);
        settings[moved.name] =
            moved.categories[static_cast<std::size_t>(std::lround(std::clamp(actual, 0.0, last)))];
    }
    return settings;
}

} // namespace quadric::widgets
