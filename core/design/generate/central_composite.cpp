// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/central_composite.h"

#include "core/design/base/design_type.h"
#include "core/design/generate/design_catalog.h"
#include "core/design/generate/fractional_factorial.h"
#include "core/design/generate/full_factorial.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::design {

namespace {

using study::Factor;
using study::Study;

constexpr int kLeastNumeric = 2;
constexpr int kCoreResolution = 5;
constexpr int kFullCore = 4; ///< up to so many factors the cube is a full factorial
constexpr double kHundredPercent = 100.0;

/// Squared distance at which the blocks are orthogonal: Σx² per run is the same in cube and axial block.
double blockedDistanceSquared(const AxialGeometry& g)
{
    return g.cubeRuns * static_cast<double>(g.axialRuns + g.axialCenters) /
           (2.0 * g.axialCopies * (g.cubeRuns + g.cubeCenters));
}

/// Squared distance at which the squares are orthogonal to one another: F N = (F + 2r α²)².
double orthogonalDistanceSquared(const AxialGeometry& g)
{
    const double cube = g.cubeRuns;
    const double all = cube + g.axialRuns + g.cubeCenters + g.axialCenters;
    return (std::sqrt(cube * all) - cube) / (2.0 * g.axialCopies);
}

std::string beyond(const Factor& factor, double value)
{
    return "factor '" + factor.name + "': its axial runs would be at " + study::toText(value) +
           (factor.unit.empty() ? "" : " " + factor.unit);
}

/// Rounded for a sentence, in full where it is a legal setting anyway.
double shown(const Factor& factor, double value)
{
    return factor.type == study::FactorType::Integer ? study::snapToLegal(factor, value)
                                                     : std::round(value * 1000.0) / 1000.0;
}

std::string axialProblemAt(const Factor& factor, double actual)
{
    const double legal = study::snapToLegal(factor, actual);
    if (factor.low >= 0.0 && (legal < 0.0 || (legal <= 0.0 && factor.low > 0.0)))
        return beyond(factor, shown(factor, actual)) +
               (legal < 0.0 ? ", which is negative" : ", which cannot be run");
    if (factor.unit == "%" && factor.high <= kHundredPercent && legal > kHundredPercent)
        return beyond(factor, shown(factor, actual)) + ", more than the whole";
    if (legal >= factor.low && legal <= factor.high)
        return beyond(factor, shown(factor, actual)) + ", and the nearest value that can be run is " +
               study::toText(legal) + ", inside low and high";
    return {};
}

/// Center runs of one copy in the cube's blocks and beside the axial runs, so that the blocks come nearest to
/// orthogonality at this distance; among equals as even as possible.
int cubeCentersFor(AxialGeometry geometry, int centers, int cubeBlocks, double alpha)
{
    int best = 0;
    double bestMiss = std::numeric_limits<double>::infinity();
    for (int each = centers / cubeBlocks; each >= 0; --each) {
        geometry.cubeCenters = each * cubeBlocks;
        geometry.axialCenters = centers - geometry.cubeCenters;
        const double miss = std::abs(blockedDistanceSquared(geometry) - alpha * alpha) +
                            1e-9 * std::abs(each - geometry.axialCenters);
        if (miss < bestMiss) {
            best = geometry.cubeCenters;
            bestMiss = miss;
        }
    }
    return best;
}

/// `copies`: replicates times combinations of categorical levels.
AxialGeometry computeAxialGeometry(const study::DesignSpec& spec, const Fraction& core, int copies)
{
    AxialGeometry geometry;
    geometry.factors = core.factors;
    geometry.axialCopies = copies;
    geometry.cubeRuns = (1 << core.basic) * copies;
    geometry.axialRuns = 2 * core.factors * copies;
    geometry.isBlocked = spec.blocks > 1;
    const int cubeBlocks = spec.blocks - 1;
    geometry.cubeCenters = geometry.isBlocked ? spec.centerRuns / spec.blocks * cubeBlocks : spec.centerRuns;
    geometry.axialCenters = spec.centerRuns - geometry.cubeCenters;
    return geometry;
}

std::vector<DesignPoint> cubePoints(const Study& numeric, const Fraction& core)
{
    const int blocks = std::max(1, numeric.design.blocks - 1);
    if (blocks > 1 && confoundedInteractions(core, leastConfounding(core, blocks)) > 0)
        throw DesignError("The " + std::to_string(1 << core.basic) + " corners of " +
                          std::to_string(core.factors) + " factors cannot be divided into " +
                          std::to_string(blocks) +
                          " blocks without losing a two-factor interaction; ask for " +
                          std::to_string(blocks) + " blocks or fewer in all");
    return blockedFraction(numeric, core, blocks);
}

void addCenters(const Study& study, int count, int block, std::vector<DesignPoint>& points)
{
    for (study::CodedPoint& center : centerPoints(study, count))
        points.push_back({std::move(center), study::RunKind::Center, block});
}

/// Why an axial run of the study's factors at ±alpha cannot be run, a sentence that names the factor and the
/// value; empty where all can. Quantities that are never negative between low and high are not taken below
/// 0, percentages not above 100.
std::string axialProblem(const Study& study, double alpha)
{
    if (alpha == 1.0)
        return {};
    const study::Coding coding(study.factors);
    for (const std::size_t i : numericFactors(study)) {
        for (const double sign : {-1.0, 1.0}) {
            const double actual = coding.toActual(i, sign * alpha);
            std::string problem = alpha < 1.0 ? "" : axialProblemAt(study.factors[i], actual);
            if (!problem.empty())
                return problem;
        }
    }
    return {};
}

/// Center runs for nearly uniform precision (Box & Hunter 1957; Montgomery 11, table 11.11): 5 for two
/// factors, 6 for three, 7 for four, 6 for five and more (half fractions and smaller).
int centralCompositeCenters(const Study& study)
{
    const auto factors = static_cast<int>(numericFactors(study).size());
    return sharedCenters(study, factors <= 2 ? 5 : factors == 3 ? 6 : factors == 4 ? 7 : 6);
}

/// The corners of the design: full for up to four numeric factors, else the smallest fraction of resolution
/// V; or what `generators` or `resolution` of the specification say, never below V.
Fraction coreFor(const study::DesignSpec& spec, int numericFactors)
{
    if (numericFactors < kLeastNumeric)
        throw DesignError("A central composite design needs 2 numeric factors or more, not " +
                          std::to_string(numericFactors));
    if (spec.generators.empty()) {
        const int least = std::max(spec.resolution, kCoreResolution);
        const bool isFull = numericFactors <= kFullCore;
        return minimumAberration(numericFactors,
                                 isFull ? numericFactors : fewestBasicFactors(numericFactors, least));
    }
    study::DesignSpec core = spec;
    core.runs = 0;
    Fraction fraction = fractionFor(core, numericFactors);
    if (fraction.resolution < kCoreResolution)
        throw DesignError(
            "the corners have resolution " + std::to_string(fraction.resolution) +
            " with these generators; a central composite design needs V or more to estimate every "
            "two-factor interaction");
    return fraction;
}

/// With b blocks the cube takes b − 1, divided so that no two-factor interaction is lost, and the axial runs
/// one; center runs are divided over the blocks so that they come nearest to orthogonality.
std::vector<DesignPoint> centralCompositeOf(const Study& study, const std::stop_token& /*stop*/,
                                            const Progress& /*progress*/)
{
    const Study numeric = numericPart(study);
    const study::DesignSpec& spec = numeric.design;
    const Fraction core = coreFor(spec, static_cast<int>(numeric.factors.size()));
    AxialGeometry geometry = computeAxialGeometry(spec, core, spec.replicates * categoryCombinations(study));
    const double alpha = axialDistanceFor(numeric, geometry);
    std::vector<DesignPoint> points = cubePoints(numeric, core);
    for (DesignPoint& axial : axialPoints(numeric, alpha)) {
        axial.block = spec.blocks;
        points.push_back(std::move(axial));
    }
    points = crossWithCategories(study, points);
    if (spec.blocks == 1)
        return points;

    const int cubeBlocks = spec.blocks - 1;
    if (spec.alpha != "orthogonal")
        geometry.cubeCenters = cubeCentersFor(geometry, spec.centerRuns, cubeBlocks, alpha);
    for (int block = 1; block <= cubeBlocks; ++block)
        addCenters(study, geometry.cubeCenters / cubeBlocks, block, points);
    addCenters(study, spec.centerRuns - geometry.cubeCenters, spec.blocks, points);
    return points;
}

std::vector<DesignVariant> centralCompositeVariants(const Study& /*study*/)
{
    return {{.title = "Central composite, face-centered", .alpha = "face"},
            {.title = "Central composite, rotatable", .alpha = "rotatable"}};
}

} // namespace

double axialDistance(std::string_view alpha, const AxialGeometry& geometry)
{
    const double corners = static_cast<double>(geometry.cubeRuns) / geometry.axialCopies;
    if (alpha == "rotatable")
        return std::pow(corners, 0.25);
    if (alpha == "face")
        return 1.0;
    if (alpha == "practical")
        return std::pow(geometry.factors, 0.25);
    if (alpha == "orthogonal")
        return std::sqrt(geometry.isBlocked ? blockedDistanceSquared(geometry)
                                            : orthogonalDistanceSquared(geometry));
    if (const std::optional<double> number = study::alphaNumber(alpha))
        return *number;
    throw DesignError("alpha \"" + std::string(alpha) +
                      "\", expected rotatable, face, orthogonal, practical or a number above 0");
}

double axialDistanceFor(const Study& study, const AxialGeometry& geometry)
{
    const std::string& alpha = study.design.alpha;
    const double distance = axialDistance(alpha.empty() ? "rotatable" : alpha, geometry);
    const std::string problem = axialProblem(study, distance);
    if (problem.empty())
        return distance;
    if (alpha.empty())
        return 1.0;
    throw DesignError(problem + ". Use alpha face, a narrower range or the log2 scale");
}

std::vector<DesignPoint> axialPoints(const Study& study, double alpha)
{
    std::vector<DesignPoint> points;
    for (const std::size_t i : numericFactors(study))
        for (const double sign : {-1.0, 1.0}) {
            study::CodedPoint point = study::Coding(study.factors).center();
            point[static_cast<Eigen::Index>(i)] = sign * alpha;
            points.push_back({std::move(point), study::RunKind::Axial, 1});
        }
    return points;
}

DesignType centralCompositeType()
{
    return {.name = "central-composite",
            .title = "Central composite",
            .purpose = "Corners, axes and center: the classic for a quadratic surface.",
            .points = centralCompositeOf,
            .centers = centralCompositeCenters,
            .keys = {"alpha"},
            .variants = centralCompositeVariants,
            .importTitle = "central composite design"};
}

} // namespace quadric::design
