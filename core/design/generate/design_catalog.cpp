// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/design_catalog.h"

#include "core/design/base/design_space.h"
#include "core/design/optimal/optimal.h"
#include "core/study/run_records.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace quadric::design {

const std::vector<DesignType>& allDesignTypes()
{
    static const std::vector<DesignType> types = [] {
        std::vector<DesignType> all;
        for (const auto& typeOf : kDesignCatalog)
            all.push_back(typeOf());
        return all;
    }();
    return types;
}

const DesignType* findDesignType(std::string_view name)
{
    const std::vector<DesignType>& types = allDesignTypes();
    const auto found = std::ranges::find(types, name, &DesignType::name);
    return found == types.end() ? nullptr : &*found;
}

std::vector<std::string_view> typesWithKey(std::string_view key)
{
    std::vector<std::string_view> names;
    for (const DesignType& type : allDesignTypes())
        if (std::ranges::find(type.keys, key) != type.keys.end())
            names.push_back(type.name);
    return names;
}

int usualCenterRuns(const study::Study& study, std::string_view type)
{
    const DesignType* known = findDesignType(type);
    return known != nullptr && known->centers != nullptr ? known->centers(study) : 0;
}

std::vector<std::string> designTypes()
{
    std::vector<std::string> names;
    for (const DesignType& type : allDesignTypes())
        names.emplace_back(type.name);
    return names;
}

namespace {

using study::Study;

constexpr int kMostLaidOut = 100000;

template <Criterion criterion>
std::vector<DesignPoint> optimalPointsBy(const study::Study& study, const std::stop_token& stop,
                                         const Progress& progress)
{
    return optimalPoints(study, makeOptimalRequest(study, criterion), stop, progress);
}

int optimalCount(const study::Study& study)
{
    const OptimalRequest request = makeOptimalRequest(study, Criterion::D);
    return request.runs > 0 ? request.runs
                            : defaultRuns(study, request.model, request.blocks) + defaultReplicates(study);
}

const DesignType& designTypeOf(const Study& study)
{
    if (const DesignType* type = findDesignType(study.design.type))
        return *type;
    const auto known = designTypes();
    throw DesignError("there is no design type " +
                      text::describeUnknown(study.design.type, {known.begin(), known.end()}));
}

void checkFactors(const Study& study)
{
    if (study.factors.empty())
        throw DesignError("the study has no factors yet");
    for (const study::Problem& problem : study::validate(study)) {
        if (problem.isError && problem.where.starts_with("factors"))
            throw DesignError(problem.where + ": " + problem.message);
    }
}

/// The design's points before replicates and center runs: `blocks` of them for every group of replicates that
/// makes blocks of its own.
struct Base {
    std::vector<DesignPoint> points;
    int groups = 1; ///< whole copies of the design that are blocks of their own
};

void requireEvenCenters(const study::DesignSpec& spec, int blocks)
{
    if (spec.centerRuns % blocks != 0)
        throw DesignError("center runs must be the same in every block: " + std::to_string(spec.centerRuns) +
                          " cannot be divided over " + std::to_string(blocks) + " blocks");
}

Base baseOf(Study study, const std::stop_token& stop, const Progress& progress)
{
    const DesignType& type = designTypeOf(study);
    for (const study::SpecProblem& problem : study::checkDesignSpec(study.design))
        throw DesignError("design." + problem.key + ": " + problem.message);
    checkFactors(study);
    Base base;
    study::DesignSpec& spec = study.design;
    base.groups = std::gcd(spec.blocks, spec.replicates);
    requireEvenCenters(spec, base.groups);
    spec.blocks /= base.groups;
    spec.replicates /= base.groups;
    spec.centerRuns /= base.groups;
    base.points = type.points(study, stop, progress);
    return base;
}

bool isCenter(const DesignPoint& point)
{
    return point.kind == study::RunKind::Center;
}

/// The block's share of the center runs, in turn over the blocks so that each gets every category.
void addCenters(const Study& study, int block, std::vector<DesignPoint>& points)
{
    const study::DesignSpec& spec = study.design;
    requireEvenCenters(spec, spec.blocks);
    for (study::CodedPoint& center : centerPoints(study, spec.centerRuns / spec.blocks))
        points.push_back({std::move(center), study::RunKind::Center, block});
}

void checkSize(std::size_t base, const study::DesignSpec& spec)
{
    const double total = static_cast<double>(base) * spec.replicates + spec.centerRuns;
    if (total > kMostLaidOut)
        throw DesignError("the design would have more than " + std::to_string(kMostLaidOut) + " runs");
}

/// All points of the study's design in standard order: block by block the design points, each as often as
/// there are replicates in the block, then the block's center runs.
std::vector<DesignPoint> pointsOf(const Study& study, const std::stop_token& stop, const Progress& progress)
{
    const study::DesignSpec& spec = study.design;
    const Base base = baseOf(study, stop, progress);
    checkSize(base.points.size(), spec);
    const bool placesCenters = std::any_of(base.points.begin(), base.points.end(), isCenter);
    const int copyBlocks = spec.blocks / base.groups;

    std::vector<DesignPoint> points;
    for (int block = 1; block <= spec.blocks; ++block) {
        const auto add = [&](bool centers) {
            for (DesignPoint point : base.points) {
                if (point.block != (block - 1) % copyBlocks + 1 || isCenter(point) != centers)
                    continue;
                point.block = block;
                points.push_back(std::move(point));
            }
        };
        for (int replicate = 0; replicate < spec.replicates / base.groups; ++replicate)
            add(false);
        if (placesCenters)
            add(true);
        else
            addCenters(study, block, points);
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
                                  ", because no legal value is between them. Widen low and high, allow other "
                                  "values, or choose a design with fewer levels");
        }
    }
}

std::vector<study::Run> makeDesignRuns(const Study& study, const std::stop_token& stop,
                                       const Progress& progress)
{
    const std::vector<DesignPoint> points = pointsOf(study, stop, progress);
    const study::Coding coding(study.factors);
    checkLevelsStayDistinct(coding, points);
    const std::vector<study::Settings> settings = legalSettings(study, points);
    std::vector<study::Run> runs(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        runs[i].id = static_cast<int>(i) + 1;
        runs[i].block = points[i].block;
        runs[i].kind = points[i].kind;
        runs[i].settings = settings[i];
    }
    const std::vector<std::size_t> order = runOrder(points, study.design.randomize, study.design.seed);
    for (std::size_t position = 0; position < order.size(); ++position)
        runs[order[position]].order = static_cast<int>(position) + 1;
    return runs;
}

} // namespace

DesignType iOptimalType()
{
    return {.name = "i-optimal",
            .title = "I-optimal",
            .purpose = "Most precise predictions for the runs you can afford.",
            .points = optimalPointsBy<Criterion::I>,
            .count = optimalCount,
            .keys = {"digits", "model", "runs"},
            .isOrthogonal = false};
}

DesignType dOptimalType()
{
    return {.name = "d-optimal",
            .title = "D-optimal",
            .purpose = "Most precise coefficients for the runs you can afford.",
            .points = optimalPointsBy<Criterion::D>,
            .count = optimalCount,
            .keys = {"digits", "model", "runs"},
            .isOrthogonal = false};
}

study::Study layOut(study::Study study, bool replaceRuns, const std::stop_token& stop,
                    const Progress& progress)
{
    const auto kept = std::find_if(study.runs.begin(), study.runs.end(), [](const study::Run& run) {
        return run.status != study::RunStatus::Pending;
    });
    if (!replaceRuns && kept != study.runs.end())
        throw DesignError("run " + std::to_string(kept->id) + " is " +
                          std::string(study::nameOf(kept->status)) +
                          "; laying out a new design would throw its record away");
    study.runs = makeDesignRuns(study, stop, progress);
    study.baselines.clear();
    return study;
}

std::vector<DesignPoint> designPoints(const study::Study& study, const std::stop_token& stop,
                                      const Progress& progress)
{
    return pointsOf(study, stop, progress);
}

int runCount(const study::Study& study)
{
    try {
        const DesignType& type = designTypeOf(study);
        if (type.count == nullptr)
            return static_cast<int>(pointsOf(study, {}, {}).size());
        return type.count(study) * study.design.replicates + study.design.centerRuns;
    } catch (const std::exception&) {
        return 0;
    }
}

} // namespace quadric::design
