// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/evaluate/checks.h"

#include "core/algebra/products.h"
#include "core/design/base/design_type.h"
#include "core/design/base/information.h"
#include "core/design/evaluate/aliasing.h"
#include "core/design/generate/fractional_factorial.h"
#include "core/model/base/thresholds.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace quadric::design {

namespace {

bool isOfDesign(const study::Run& run)
{
    return run.kind == study::RunKind::Design || run.kind == study::RunKind::Center ||
           run.kind == study::RunKind::Axial;
}

Check runCountCheck(const study::Study& study, const Information& information)
{
    const auto runs = std::count_if(information.runs.begin(), information.runs.end(),
                                    [](const study::Run* run) { return isOfDesign(*run); });
    const int expected = runCount(study);
    const auto added = std::ssize(information.runs) - runs;
    const auto all = std::ranges::count_if(study.runs, isOfDesign);
    std::string detail = std::to_string(runs) + " of the " + std::to_string(expected) +
                         " runs of the design, replicates and center points counted";
    if (all > runs)
        detail += "; " + text::formatCount(all - runs, "run") + " failed or excluded";
    if (added > 0)
        detail += "; " + text::formatCount(added, "run") + " added";
    return {"Run count", runs == expected, detail};
}

Check estimableCheck(const Information& information)
{
    const std::string names = text::joinWords(information.leftOut, ", ", [](const model::Column& column) {
        return text::formatTerm(column.name, text::Typography::Typeset);
    });
    return {std::string(kEstimableCheck), names.empty(),
            names.empty() ? std::to_string(information.p()) + " coefficients from " +
                                std::to_string(information.n()) + " runs"
                          : "Not distinguishable from other terms: " + names};
}

/// How many center points would be shared evenly by the levels of a categorical factor: "; 5 center points
/// cannot be shared by 3 levels, choose 3 or 6". Empty where they are not to blame.
std::string adviseCenters(const study::Study& study, const Information& information)
{
    const auto centers = static_cast<int>(std::ranges::count_if(
        information.runs, [](const study::Run* run) { return run->kind == study::RunKind::Center; }));
    for (const study::Factor& factor : study.factors) {
        const auto levels = static_cast<int>(factor.categories.size());
        if (factor.isNumeric() || levels == 0 || centers % levels == 0)
            continue;
        const int fewer = centers / levels * levels;
        return "; " + text::formatCount(centers, "center point") + " cannot be shared by " +
               std::to_string(levels) + " levels, choose " + std::to_string(fewer) + " or " +
               std::to_string(fewer + levels);
    }
    return {};
}

/// Runs at the lowest and at the highest setting of every factor; at every level of a categorical one.
Check balanceCheck(const study::Study& study, const Information& information)
{
    std::string unbalanced;
    for (const study::Factor& factor : information.factors) {
        std::map<study::Value, int> counts;
        for (const study::Run* run : information.runs)
            ++counts[run->settings.at(factor.name)];
        const int first = counts.begin()->second;
        const bool isBalanced =
            factor.isNumeric() ? counts.rbegin()->second == first
                               : counts.size() == factor.categories.size() &&
                                     std::all_of(counts.begin(), counts.end(),
                                                 [&](const auto& entry) { return entry.second == first; });
        if (!isBalanced)
            unbalanced += (unbalanced.empty() ? "" : ", ") + factor.name;
    }
    return {"Level balance", unbalanced.empty(),
            unbalanced.empty()
                ? "The low and the high level of every factor are run equally often"
                : "Levels are not run equally often: " + unbalanced + adviseCenters(study, information)};
}

double correlation(const Eigen::VectorXd& a, const Eigen::VectorXd& b)
{
    const Eigen::VectorXd u = a.array() - a.mean();
    const Eigen::VectorXd v = b.array() - b.mean();
    const double norm = u.norm() * v.norm();
    return norm > 0.0 ? std::abs(u.dot(v)) / norm : 0.0;
}

/// The columns of the linear terms about their means and at unit length; one that does not vary is 0.
std::pair<std::vector<const model::Column*>, Eigen::MatrixXd> linearColumns(const Information& information)
{
    std::vector<const model::Column*> linear;
    Eigen::MatrixXd unit(information.n(), information.p());
    for (Eigen::Index i = 0; i < information.p(); ++i) {
        const model::Column& column = information.columns[static_cast<std::size_t>(i)];
        if (column.term.degree() != 1)
            continue;
        const Eigen::VectorXd centered = information.x.col(i).array() - information.x.col(i).mean();
        unit.col(std::ssize(linear)) = centered.normalized();
        linear.push_back(&column);
    }
    unit.conservativeResize(Eigen::NoChange, std::ssize(linear));
    return {std::move(linear), std::move(unit)};
}

Check orthogonalityCheck(const Information& information)
{
    const auto [columns, unit] = linearColumns(information);
    const Eigen::MatrixXd products = algebra::cross(unit);
    double largest = 0.0;
    std::string pair;
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (std::size_t j = i + 1; j < columns.size(); ++j) {
            const double r = std::abs(products(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)));
            if (r > largest + 1e-12 && columns[i]->term != columns[j]->term) {
                largest = r;
                pair = columns[i]->name + " and " + columns[j]->name;
            }
        }
    const bool isExact = largest < 1e-9;
    return {"Linear terms are independent", largest <= model::kHarmlessCorrelation,
            isExact ? "Linear columns are orthogonal"
                    : "Largest correlation " + text::formatDecimals(largest, 3) + " between " + pair +
                          " (settings are rounded to what can be run)"};
}

Check blocksCheck(const Information& information)
{
    double largest = 0.0;
    for (Eigen::Index i = 0; i < information.p(); ++i)
        for (Eigen::Index j = 0; j < information.blocks.cols(); ++j)
            largest = std::max(largest, correlation(information.x.col(i), information.blocks.col(j)));
    return {"Blocks are orthogonal to the model", largest <= model::kHarmlessCorrelation,
            "Largest correlation of a block with a term " + text::formatDecimals(largest, 3)};
}

Check centerCheck(const Information& information)
{
    const auto centers =
        std::count_if(information.runs.begin(), information.runs.end(),
                      [](const study::Run* run) { return run->kind == study::RunKind::Center; });
    const int repeats = pureErrorDf(information);
    return {std::string(kRepeatedRunsCheck), repeats > 0,
            std::to_string(centers) + " center points; " + std::to_string(repeats) +
                " degrees of freedom for pure error"};
}

/// Names the first run that cannot be run as it stands, empty where there is none.
std::string illegalRun(const study::Study& study, const Information& information)
{
    for (const study::Run* run : information.runs) {
        for (const study::Factor& factor : study.factors) {
            const study::Value& value = run->settings.at(factor.name);
            const bool isLegal = !factor.isNumeric() ||
                                 study::snapToLegal(factor, study::numberOf(value)) == study::numberOf(value);
            if (!isLegal)
                return "Run " + std::to_string(run->id) + ": " + factor.name + " = " + study::toText(value) +
                       " is not a legal value";
        }
        if (!study::isLegal(study, run->settings))
            return "Run " + std::to_string(run->id) + " does not satisfy the constraints";
    }
    return {};
}

Check legalCheck(const study::Study& study, const Information& information)
{
    std::string illegal;
    try {
        illegal = illegalRun(study, information);
    } catch (const std::invalid_argument& error) {
        illegal = std::string("A constraint cannot be checked: ") + error.what();
    }
    return {std::string(kLegalSettingsCheck), illegal.empty(),
            illegal.empty() ? "All settings are legal values and satisfy the constraints" : illegal};
}

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

Check rotatabilityCheck(const Information& information)
{
    const Eigen::ArrayXXd points = numericPoints(information, isOfDesign).array();
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
    const NamedMatrix map = computeTermCorrelations(information);
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

bool isRemark(const Check& check, bool isModelAsked)
{
    return check.name == kRepeatedRunsCheck || (check.name == kEstimableCheck && !isModelAsked);
}

std::vector<Check> runDesignChecks(const study::Study& study, const Information& information)
{
    std::vector<Check> checks;
    const DesignType* type = findDesignType(study.design.type);
    if (type != nullptr)
        checks.push_back(runCountCheck(study, information));
    checks.push_back(estimableCheck(information));
    if (type == nullptr || type->isOrthogonal) {
        checks.push_back(balanceCheck(study, information));
        checks.push_back(orthogonalityCheck(information));
    }
    if (information.blocks.cols() > 0)
        checks.push_back(blocksCheck(information));
    for (Check& check : publishedChecks(study, information))
        checks.push_back(std::move(check));
    checks.push_back(centerCheck(information));
    checks.push_back(legalCheck(study, information));
    return checks;
}

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
