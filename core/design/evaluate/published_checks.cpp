// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/aliasing.h"
#include "core/design/generate/minimum_aberration.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// Shares by which rounding to settings that can be run may move what was published.
constexpr double kHarmless = 0.1;

/// Coded values up to this belong to the middle level of three.
constexpr double kMiddle = 0.25;

/// Fourth moments of a rotatable design: [iiii] = 3 [iijj] (Box & Hunter 1957).
constexpr double kRotatable = 3.0;

/// Runs × numeric factors, coded; only runs for which `belongs`.
template <class Belongs> Eigen::MatrixXd numericPoints(const Information& information, const Belongs& belongs)
{
    Eigen::MatrixXd points(information.n(), static_cast<Eigen::Index>(information.factors.size()));
    Eigen::Index rows = 0;
    for (std::size_t run = 0; run < information.runs.size(); ++run) {
        if (!belongs(*information.runs[run]))
            continue;
        Eigen::Index columns = 0;
        for (std::size_t i = 0; i < information.factors.size(); ++i) {
            if (information.factors[i].isNumeric())
                points(rows, columns++) = information.points[run][static_cast<Eigen::Index>(i)];
        }
        ++rows;
    }
    const auto numeric = std::count_if(information.factors.begin(), information.factors.end(),
                                       [](const study::Factor& factor) { return factor.isNumeric(); });
    points.conservativeResize(rows, numeric);
    return points;
}

bool isDesignRun(const study::Run& run)
{
    return run.kind == study::RunKind::Design || run.kind == study::RunKind::Center ||
           run.kind == study::RunKind::Axial;
}

Check rotatabilityCheck(const Information& information)
{
    const Eigen::ArrayXXd points = numericPoints(information, isDesignRun).array();
    double least = 1e300;
    double most = 0.0;
    for (Eigen::Index i = 0; i < points.cols(); ++i)
        for (Eigen::Index j = 0; j < points.cols(); ++j) {
            const double mixed = (points.col(i).square() * points.col(j).square()).sum();
            if (i == j || mixed <= 0.0)
                continue;
            const double ratio = points.col(i).pow(4).sum() / mixed;
            least = std::min(least, ratio);
            most = std::max(most, ratio);
        }
    const bool isRotatable =
        least >= kRotatable * (1.0 - kHarmless) && most <= kRotatable * (1.0 + kHarmless);
    const std::string found = most - least < 0.005
                                  ? text::formatDecimals(most, 2)
                                  : text::formatDecimals(least, 2) + " to " + text::formatDecimals(most, 2);
    return {"Rotatability", isRotatable,
            "Σxᵢ⁴ / Σxᵢ²xⱼ² is " + found + "; published: 3, the same prediction error in every direction"};
}

bool promisesRotatability(const study::Study& study)
{
    const std::size_t factors = study.factors.size();
    return (study.design.type == "box-behnken" && (factors == 4 || factors == 7)) ||
           (study.design.type == "central-composite" && study.design.alpha == "rotatable");
}

/// Every factor in its middle in two runs beside the center runs (Jones & Nachtsheim 2011).
Check middleLevelsCheck(const study::Study& study, const Information& information)
{
    const Eigen::ArrayXXd points = numericPoints(information, [](const study::Run& run) {
                                       return run.kind == study::RunKind::Design;
                                   }).array();
    const auto expected = 2 * static_cast<Eigen::Index>(study.design.replicates);
    std::string wrong;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
        const auto found = (points.col(i).abs() < kMiddle).count();
        if (found != expected)
            wrong += (wrong.empty() ? "" : ", ") + std::to_string(found);
    }
    return {"Middle levels of definitive screening", wrong.empty(),
            wrong.empty() ? "Every numeric factor is at its middle in " + std::to_string(expected) +
                                " runs beside the center runs, as published"
                          : "Runs with a factor at its middle beside the center runs: " + wrong +
                                "; published: " + std::to_string(expected) + " for every factor"};
}

/// Main effects uncorrelated with all terms of second order (Jones & Nachtsheim 2011).
Check clearMainEffectsCheck(const Information& information)
{
    const NamedMatrix map = correlationOf(information);
    const auto isMain = [&](const std::string& name) {
        return name.find_first_of("*^") == std::string::npos;
    };
    double largest = 0.0;
    for (std::size_t i = 0; i < map.rows.size(); ++i)
        for (std::size_t j = 0; j < map.columns.size(); ++j) {
            if (isMain(map.rows[i]) && !isMain(map.columns[j]))
                largest = std::max(largest, std::abs(map.values(static_cast<Eigen::Index>(i),
                                                                static_cast<Eigen::Index>(j))));
        }
    return {"Main effects are clear of second-order terms", largest <= kHarmless,
            "Largest correlation " + text::formatDecimals(largest, 2) + "; published: 0"};
}

/// One run in each of n equal parts of every factor's range (McKay, Beckman & Conover 1979).
Check strataCheck(const Information& information)
{
    const Eigen::MatrixXd points =
        numericPoints(information, [](const study::Run& run) { return run.kind == study::RunKind::Design; });
    const auto runs = static_cast<double>(points.rows());
    int empty = 0;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
        std::vector<bool> isTaken(static_cast<std::size_t>(points.rows()), false);
        for (const double value : points.col(i)) {
            const double part = std::floor((value + 1.0) / 2.0 * runs);
            isTaken[static_cast<std::size_t>(std::clamp(part, 0.0, runs - 1.0))] = true;
        }
        empty += static_cast<int>(std::count(isTaken.begin(), isTaken.end(), false));
    }
    return {"One run in each part of every range", empty == 0,
            empty == 0 ? "Every factor has one run in each of " + std::to_string(points.rows()) + " parts"
                       : std::to_string(empty) + " parts of the factors' ranges have no run"};
}

/// The resolution asked for, or that of the fraction of minimum aberration of this size (Chen, Sun & Wu
/// 1993).
std::optional<Check> resolutionCheck(const study::Study& study)
{
    const std::optional<Fraction> fraction = fractionOf(study);
    const bool isChosen = !study.design.generators.empty() && study.design.resolution == 0;
    if (isChosen || (fraction && fraction->resolution == 0))
        return std::nullopt; // the user's own generators, or nothing is left out
    if (!fraction)
        return Check{"Resolution", false, "The runs are no longer a regular fraction"};
    const int expected = study.design.resolution > 0
                             ? study.design.resolution
                             : minimumAberration(fraction->factors, fraction->basic).resolution;
    return Check{"Resolution", fraction->resolution >= expected,
                 "Resolution " + std::to_string(fraction->resolution) + "; " +
                     (study.design.resolution > 0 ? "asked for: " : "published for this size: ") +
                     std::to_string(expected)};
}

} // namespace

std::vector<Check> publishedChecks(const study::Study& study, const Information& information)
{
    std::vector<Check> checks;
    if (promisesRotatability(study))
        checks.push_back(rotatabilityCheck(information));
    if (study.design.type == "definitive-screening") {
        checks.push_back(middleLevelsCheck(study, information));
        checks.push_back(clearMainEffectsCheck(information));
    }
    if (study.design.type == "fractional-factorial") {
        if (std::optional<Check> check = resolutionCheck(study))
            checks.push_back(std::move(*check));
    }
    if (study.design.type == "latin-hypercube")
        checks.push_back(strataCheck(information));
    return checks;
}

} // namespace quadric::design
