// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/design_type.h"
#include "core/design/base/legal_points.h"
#include "core/design/evaluate/aliasing.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace quadric::design {

namespace {

/// Coded distances below this are rounding of the code.
constexpr double kSamePlace = 1e-6;

/// The study with every run at the point that the design asks for.
study::Study asDesigned(study::Study study, const std::vector<DesignPoint>& points)
{
    const study::Coding coding(study.factors);
    for (std::size_t i = 0; i < points.size(); ++i) {
        study.runs[i].settings = coding.toSettings(points[i].point);
        study.runs[i].status = study::RunStatus::Pending;
    }
    return study;
}

/// The runs that the design laid out, in standard order; empty where they are not all there.
std::vector<study::Run> designRuns(const study::Study& study, const std::vector<DesignPoint>& points)
{
    const study::RunIndex index(study);
    std::vector<study::Run> runs;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const study::Run* run = index.find(static_cast<int>(i) + 1);
        if (run == nullptr || run->kind != points[i].kind || run->block != points[i].block)
            return {};
        runs.push_back(*run);
        runs.back().status = study::RunStatus::Pending;
    }
    return runs;
}

void addShifts(const study::Study& actual, const std::vector<DesignPoint>& points, LegalReport& report)
{
    const study::Coding coding(actual.factors);
    const std::vector<study::Settings> laidOut = legalSettings(actual, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const study::Settings rounded = coding.toLegalSettings(points[i].point);
        const study::Run& run = actual.runs[i];
        for (std::size_t f = 0; f < actual.factors.size(); ++f) {
            const auto row = static_cast<Eigen::Index>(f);
            const double shift = std::abs(coding.toCoded(run.settings)[row] - points[i].point[row]);
            if (actual.factors[f].isNumeric() && shift > report.largestShift) {
                report.largestShift = shift;
                report.largestShiftRun = run.id;
            }
        }
        const bool isAtPoint =
            (coding.toCoded(run.settings).x - points[i].point.x).cwiseAbs().maxCoeff() < kSamePlace;
        if (run.settings != rounded && !isAtPoint) {
            report.repairedRuns.push_back(run.id);
            if (run.settings != laidOut[i])
                report.editedRuns.push_back(run.id);
        } else if (!isAtPoint) {
            report.roundedRuns.push_back(run.id);
        }
    }
}

/// Runs of one block with equal settings that the design has at different points.
void addEqualRuns(const study::Study& actual, const std::vector<DesignPoint>& points, LegalReport& report)
{
    std::map<std::pair<int, study::Settings>, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < actual.runs.size(); ++i)
        places[{actual.runs[i].block, actual.runs[i].settings}].push_back(i);
    for (const auto& place : places) {
        const std::vector<std::size_t>& runs = place.second;
        const bool areDifferent = std::any_of(runs.begin(), runs.end(), [&](std::size_t i) {
            return (points[i].point.x - points[runs.front()].point.x).norm() > kSamePlace;
        });
        if (!areDifferent)
            continue;
        std::vector<int>& ids = report.equalRuns.emplace_back();
        for (const std::size_t i : runs)
            ids.push_back(actual.runs[i].id);
    }
}

double worstCorrelation(const Information& information)
{
    NamedMatrix map = correlationOf(information);
    map.values.diagonal().setZero();
    return map.values.size() > 0 ? map.values.cwiseAbs().maxCoeff() : 0.0;
}

void addLosses(const study::Study& designed, const study::Study& actual, std::string_view model,
               LegalReport& report)
{
    const Information before = informationOf(designed, model);
    const Information after = informationOf(actual, model);
    report.dEfficiencyBefore = dEfficiencyOf(before);
    report.worstCorrelationBefore = worstCorrelation(before);
    report.worstCorrelationAfter = worstCorrelation(after);
    for (const model::Column& column : after.leftOut) {
        const bool wasThere = std::any_of(before.columns.begin(), before.columns.end(),
                                          [&](const model::Column& c) { return c.name == column.name; });
        if (wasThere)
            report.lostTerms.push_back(column.name);
    }
    report.dEfficiencyAfter = report.lostTerms.empty() ? dEfficiencyOf(after) : 0.0;
}

} // namespace

std::optional<LegalReport> legalReport(const study::Study& study, std::string_view model)
{
    const DesignType* type = findDesignType(study.design.type);
    if (type == nullptr || type->isSlow())
        return std::nullopt;
    try {
        const std::vector<DesignPoint> points = designPoints(study);
        study::Study actual = study;
        actual.runs = designRuns(study, points);
        if (actual.runs.empty())
            return std::nullopt;
        LegalReport report;
        report.model = model;
        report.runs = static_cast<int>(points.size());
        addShifts(actual, points, report);
        addEqualRuns(actual, points, report);
        addLosses(asDesigned(actual, points), actual, model, report);
        return report;
    } catch (const DesignError&) {
        return std::nullopt; // what the design cannot do is said where it is laid out
    } catch (const std::invalid_argument&) {
        return std::nullopt; // so are settings that cannot be coded
    }
}

} // namespace quadric::design
