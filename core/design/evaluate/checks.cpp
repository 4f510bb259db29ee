// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/products.h"
#include "core/design/base/design_type.h"
#include "core/design/base/information.h"
#include "core/design/evaluate/remarks.h"
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

} // namespace

bool isRemark(const Check& check, bool isModelAsked)
{
    return check.name == kRepeatedRunsCheck || (check.name == kEstimableCheck && !isModelAsked);
}

std::vector<Check> checksOf(const study::Study& study, const Information& information)
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

} // namespace quadric::design
