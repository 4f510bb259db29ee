// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/box_behnken.h"
#include "core/design/run_order.h"

#include "core/study/constraint.h"

#include <algorithm>
#include <array>
#include <map>

namespace quadric::design {

namespace {

using study::CodedPoint;
using study::Study;

constexpr int kMostRuns = 100000;

std::vector<DesignPoint> boxBehnkenOf(const Study& study)
{
    for (const study::Factor& factor : study.factors) {
        if (!factor.isNumeric())
            throw DesignError("A Box-Behnken design needs numeric factors; '" + factor.name +
                              "' is categorical");
    }
    if (study.design.centerRuns < 1)
        throw DesignError("A Box-Behnken design needs at least one centre run to estimate its squares");
    return boxBehnkenPoints(static_cast<int>(study.factors.size()), study.design.blocks);
}

/// A design type: its name and its points without replicates and centre runs, block by block.
struct DesignType {
    std::string_view name;
    std::vector<DesignPoint> (*points)(const Study&);
};

constexpr std::array<DesignType, 1> kDesignTypes = {{
    {"box-behnken", boxBehnkenOf},
}};

const DesignType& designTypeOf(const Study& study)
{
    const auto found = std::find_if(kDesignTypes.begin(), kDesignTypes.end(),
                                    [&](const DesignType& type) { return type.name == study.design.type; });
    if (found != kDesignTypes.end())
        return *found;
    std::string known;
    for (const DesignType& type : kDesignTypes)
        known += (known.empty() ? "" : ", ") + std::string(type.name);
    throw DesignError("Unknown design type '" + study.design.type + "'; expected one of: " + known);
}

void checkSpec(const study::DesignSpec& spec)
{
    if (spec.centerRuns < 0)
        throw DesignError("centre runs must be 0 or more, not " + std::to_string(spec.centerRuns));
    if (spec.replicates < 1)
        throw DesignError("replicates must be 1 or more, not " + std::to_string(spec.replicates));
    if (spec.blocks < 1)
        throw DesignError("blocks must be 1 or more, not " + std::to_string(spec.blocks));
    if (spec.centerRuns % spec.blocks != 0)
        throw DesignError("centre runs must be the same in every block: " + std::to_string(spec.centerRuns) +
                          " cannot be divided over " + std::to_string(spec.blocks) + " blocks");
}

void checkFactors(const Study& study)
{
    for (const study::Problem& problem : study::validate(study)) {
        if (problem.isError && problem.where.starts_with("factors"))
            throw DesignError(problem.where + ": " + problem.message);
    }
}

/// All points of the study's design in standard order: block by block the design points, each as often as
/// there are replicates, then the block's share of the centre runs.
std::vector<DesignPoint> pointsOf(const Study& study)
{
    const study::DesignSpec& spec = study.design;
    const DesignType& type = designTypeOf(study);
    checkSpec(spec);
    checkFactors(study);
    const std::vector<DesignPoint> base = type.points(study);
    const double total = static_cast<double>(base.size()) * spec.replicates + spec.centerRuns;
    if (total > kMostRuns)
        throw DesignError("the design would have more than " + std::to_string(kMostRuns) + " runs");

    const CodedPoint center = study::Coding(study.factors).center();
    std::vector<DesignPoint> points;
    for (int block = 1; block <= spec.blocks; ++block) {
        for (int replicate = 0; replicate < spec.replicates; ++replicate)
            std::copy_if(base.begin(), base.end(), std::back_inserter(points),
                         [&](const DesignPoint& point) { return point.block == block; });
        points.insert(points.end(), static_cast<std::size_t>(spec.centerRuns / spec.blocks),
                      DesignPoint{center, study::RunKind::Center, block});
    }
    return points;
}

/// Two different levels of the design must not become the same setting, or terms cannot be told apart.
void checkLevelsStayDistinct(const study::Coding& coding, const std::vector<DesignPoint>& points)
{
    for (std::size_t i = 0; i < coding.factors().size(); ++i) {
        const study::Factor& factor = coding.factors()[i];
        if (!factor.isNumeric())
            continue;
        std::map<double, double> codedOf; // legal value → coded level of the design
        for (const DesignPoint& point : points) {
            const double coded = point.point[static_cast<Eigen::Index>(i)];
            const double legal = study::snapToLegal(factor, coding.toActual(i, coded));
            const auto [at, isNew] = codedOf.emplace(legal, coded);
            if (!isNew && at->second != coded)
                throw DesignError("factor '" + factor.name + "': the design's levels " +
                                  study::toText(std::min(at->second, coded)) + " and " +
                                  study::toText(std::max(at->second, coded)) + " (coded) both become " +
                                  study::toText(legal) +
                                  ", because no legal value lies between. Widen low and high, allow other "
                                  "values, or choose a design with fewer levels");
        }
    }
}

std::string describe(const study::Settings& settings)
{
    std::string text;
    for (const auto& [name, value] : settings)
        text += (text.empty() ? "" : ", ") + name + " = " + study::toText(value);
    return text;
}

void checkConstraints(const Study& study)
{
    for (const std::string& text : study.constraints) {
        const study::Constraint constraint(text);
        for (const study::Run& run : study.runs) {
            study::Settings settings = run.settings;
            settings.insert(study.fixed.begin(), study.fixed.end());
            if (!constraint.holds(settings))
                throw DesignError("run " + std::to_string(run.id) + " (" + describe(run.settings) +
                                  ") does not satisfy the constraint '" + text + "', and a " +
                                  study.design.type +
                                  " design cannot leave runs out. Narrow the factors' ranges");
        }
    }
}

std::vector<study::Run> runsOf(const Study& study)
{
    const std::vector<DesignPoint> points = pointsOf(study);
    const study::Coding coding(study.factors);
    checkLevelsStayDistinct(coding, points);
    std::vector<study::Run> runs(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        runs[i].id = static_cast<int>(i) + 1;
        runs[i].block = points[i].block;
        runs[i].kind = points[i].kind;
        runs[i].settings = coding.toLegalSettings(points[i].point);
    }
    const std::vector<std::size_t> order = runOrder(points, study.design.randomize, study.design.seed);
    for (std::size_t position = 0; position < order.size(); ++position)
        runs[order[position]].order = static_cast<int>(position) + 1;
    return runs;
}

} // namespace

study::Study layOut(study::Study study, bool replaceRuns)
{
    const auto kept = std::find_if(study.runs.begin(), study.runs.end(), [](const study::Run& run) {
        return run.status != study::RunStatus::Pending;
    });
    if (!replaceRuns && kept != study.runs.end())
        throw DesignError("run " + std::to_string(kept->id) + " is " +
                          std::string(study::nameOf(kept->status)) +
                          "; laying out a new design would throw its record away");
    study.runs = runsOf(study);
    try {
        checkConstraints(study);
    } catch (const std::invalid_argument& error) {
        throw DesignError(std::string("constraints: ") + error.what());
    }
    return study;
}

std::vector<std::string> designTypes()
{
    std::vector<std::string> names;
    names.reserve(kDesignTypes.size());
    for (const DesignType& type : kDesignTypes)
        names.emplace_back(type.name);
    return names;
}

int runCount(const study::Study& study)
{
    try {
        return static_cast<int>(pointsOf(study).size());
    } catch (const std::exception&) {
        return 0;
    }
}

} // namespace quadric::design
