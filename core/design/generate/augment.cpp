// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/augment.h"

#include "core/design/base/factor_levels.h"
#include "core/design/base/run_order.h"
#include "core/design/generate/central_composite.h"
#include "core/design/generate/foldover.h"
#include "core/design/optimal/optimal.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <utility>

namespace quadric::design {

namespace {

using study::Run;
using study::RunKind;
using study::Study;

constexpr int kUsualCenters = 3;
constexpr int kUsualOptimal = 4;
constexpr std::array<std::pair<Augmentation, std::string_view>, 5> kNames = {{
    {Augmentation::Star, "star"},
    {Augmentation::Center, "center"},
    {Augmentation::Foldover, "foldover"},
    {Augmentation::Semifoldover, "semifoldover"},
    {Augmentation::Optimal, "optimal"},
}};

bool hasBegun(const Study& study)
{
    return std::ranges::any_of(study.runs,
                               [](const Run& run) { return run.status != study::RunStatus::Pending; });
}

int lastBlock(const Study& study)
{
    int block = 1;
    for (const Run& run : study.runs)
        block = std::max(block, run.block);
    return block;
}

/// Runs made on another day need a block of their own.
int blockForNewRuns(const Study& study)
{
    return hasBegun(study) ? lastBlock(study) + 1 : lastBlock(study);
}

/// Adds the runs in random order after all others; their ids and orders go on from the largest.
void append(Study& study, std::vector<Run> runs)
{
    int id = study::largestRunId(study);
    int order = 0;
    for (const Run& run : study.runs)
        order = std::max(order, run.order);
    const int block = blockForNewRuns(study);
    std::vector<DesignPoint> points;
    for (Run& run : runs) {
        run.id = ++id;
        run.block = block;
        points.push_back({{}, run.kind, block});
    }
    for (const std::size_t place : runOrder(points, study.design.randomize, study.design.seed))
        runs[place].order = ++order;
    study.runs.insert(study.runs.end(), runs.begin(), runs.end());
}

Run runAt(const Study& study, const study::CodedPoint& point, RunKind kind)
{
    Run run;
    run.kind = kind;
    run.settings = study::Coding(study.factors).toLegalSettings(point);
    return run;
}

std::vector<Run> centerRuns(const Study& study, int count)
{
    std::vector<Run> runs;
    for (const study::CodedPoint& point : centerPoints(study, count))
        runs.push_back(runAt(study, point, RunKind::Center));
    return runs;
}

int countOf(const Study& study, RunKind kind)
{
    return static_cast<int>(std::ranges::count(study.runs, kind, &Run::kind));
}

/// Axial runs belong to a cube: every numeric factor at two levels so far.
void requireCube(const Study& study)
{
    if (countOf(study, RunKind::Axial) > 0)
        throw DesignError("the study has axial runs already");
    for (const study::Factor& factor : study.factors) {
        std::vector<double> values;
        for (const Run& run : study.runs)
            if (run.kind == RunKind::Design || run.kind == RunKind::Augment)
                values.push_back(study::numberOf(run.settings.at(factor.name)));
        std::ranges::sort(values);
        const auto levels = std::unique(values.begin(), values.end()) - values.begin();
        if (factor.isNumeric() && levels != 2)
            throw DesignError("factor '" + factor.name + "' has " + std::to_string(levels) +
                              " levels in the design; star points are added to two-level designs");
    }
}

AxialGeometry geometryOf(const Study& study, int newCenters)
{
    AxialGeometry geometry;
    geometry.factors = static_cast<int>(numericFactors(study).size());
    geometry.axialCopies = categoryCombinations(study);
    geometry.cubeRuns = countOf(study, RunKind::Design) + countOf(study, RunKind::Augment);
    geometry.axialRuns = 2 * geometry.factors * geometry.axialCopies;
    geometry.isBlocked = hasBegun(study);
    geometry.cubeCenters = countOf(study, RunKind::Center);
    geometry.axialCenters = newCenters;
    return geometry;
}

void addStar(Study& study, const AugmentOptions& options)
{
    requireCube(study);
    const int centers = options.runs > 0 ? options.runs : hasBegun(study) ? kUsualCenters : 0;
    Study numeric = numericPart(study);
    if (numeric.factors.empty())
        throw DesignError("star points need numeric factors; " + categoricalNames(study));
    numeric.design.alpha = options.alpha.empty() ? study.design.alpha : options.alpha;
    const double alpha = axialDistanceFor(numeric, geometryOf(study, centers));

    std::vector<Run> runs;
    for (const DesignPoint& point : crossWithCategories(study, axialPoints(numeric, alpha)))
        runs.push_back(runAt(study, point.point, RunKind::Axial));
    if (centers > 0)
        std::ranges::copy(centerRuns(study, centers), std::back_inserter(runs));
    append(study, std::move(runs));
    // No type of design says what the runs are now: "custom" keeps checks from expecting the old table.
    study.design.type = "custom";
}

void addCenters(Study& study, int count)
{
    const int added = count > 0 ? count : kUsualCenters;
    append(study, centerRuns(study, added));
    if (study.design.blocks == 1)
        study.design.centerRuns += added;
}

Study addOptimal(Study study, const AugmentOptions& options, const std::stop_token& stop,
                 const Progress& progress)
{
    AdditionalRuns wanted;
    wanted.count = options.runs > 0 ? options.runs : kUsualOptimal;
    wanted.criterion = study.design.type == "i-optimal" ? Criterion::I : Criterion::D;
    wanted.model = !options.model.empty()        ? options.model
                   : !study.design.model.empty() ? study.design.model
                                                 : wanted.model;
    wanted.inNewBlock = hasBegun(study);
    return optimalAdditionalRuns(std::move(study), wanted, stop, progress);
}

} // namespace

std::string_view nameOf(Augmentation augmentation)
{
    return std::ranges::find(kNames, augmentation, &std::pair<Augmentation, std::string_view>::first)->second;
}

std::optional<Augmentation> augmentationFrom(std::string_view name)
{
    const auto found = std::ranges::find(kNames, name, &std::pair<Augmentation, std::string_view>::second);
    return found == kNames.end() ? std::nullopt : std::optional(found->first);
}

std::vector<std::string> augmentations()
{
    std::vector<std::string> names;
    names.reserve(kNames.size());
    for (const auto& [augmentation, name] : kNames)
        names.emplace_back(name);
    return names;
}

Study augmented(Study study, Augmentation augmentation, const AugmentOptions& options,
                const std::stop_token& stop, const Progress& progress)
{
    if (study.runs.empty())
        throw DesignError("the study has no runs yet; lay out a design first");
    if (options.runs < 0)
        throw DesignError("runs must be 0 or more, not " + std::to_string(options.runs));
    switch (augmentation) {
    case Augmentation::Star:
        addStar(study, options);
        break;
    case Augmentation::Center:
        addCenters(study, options.runs);
        break;
    case Augmentation::Foldover:
        append(study, foldoverRuns(study, foldFactors(study)));
        break;
    case Augmentation::Semifoldover:
        append(study, semifoldoverRuns(study));
        break;
    case Augmentation::Optimal:
        return addOptimal(std::move(study), options, stop, progress);
    }
    return study;
}

} // namespace quadric::design
