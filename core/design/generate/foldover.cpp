// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/foldover.h"

#include "core/algebra/householder_qr.h"
#include "core/design/base/factor_levels.h"
#include "core/design/generate/augment.h"

#include <algorithm>
#include <bit>

namespace quadric::design {

namespace {

using study::Factor;
using study::Run;
using study::Study;

std::vector<const Run*> runsToRepeat(const Study& study)
{
    std::vector<const Run*> runs;
    for (const Run& run : study.runs)
        if (run.kind == study::RunKind::Design && run.status != study::RunStatus::Excluded)
            runs.push_back(&run);
    return runs;
}

/// The level on the other side of the middle.
study::Value reversed(const Factor& factor, const study::Value& value)
{
    if (!factor.isNumeric()) {
        if (factor.categories.size() != 2)
            throw DesignError("factor '" + factor.name + "' has " + std::to_string(factor.categories.size()) +
                              " levels; only factors of two levels can be reversed");
        return factor.categories[value == study::Value(factor.categories[0]) ? 1 : 0];
    }
    const double actual = study::numberOf(value);
    if (actual == factor.low || actual == factor.high)
        return actual == factor.low ? factor.high : factor.low;
    const study::Coding coding({factor});
    return study::snapToLegal(factor, coding.toActual(0, -coding.toCoded(0, actual)));
}

Run reversedRun(const Study& study, const Run& original, const std::vector<std::size_t>& factors)
{
    Run run;
    run.kind = study::RunKind::Augment;
    run.settings = original.settings;
    for (const std::size_t i : factors) {
        const Factor& factor = study.factors[i];
        run.settings[factor.name] = reversed(factor, original.settings.at(factor.name));
    }
    return run;
}

std::map<int, int> patternAfter(const Fraction& fraction, std::uint32_t reversedFactors)
{
    std::map<int, int> pattern;
    for (const Word& word : fraction.definingWords)
        if (std::popcount(word.factors & reversedFactors) % 2 == 0)
            ++pattern[word.length()];
    return pattern;
}

bool hasLessAberration(const std::map<int, int>& a, const std::map<int, int>& b)
{
    for (int length = 1; length <= 32; ++length) {
        const int countA = a.contains(length) ? a.at(length) : 0;
        const int countB = b.contains(length) ? b.at(length) : 0;
        if (countA != countB)
            return countA < countB;
    }
    return false;
}

std::vector<std::size_t> placesOf(std::uint32_t bits)
{
    std::vector<std::size_t> places;
    for (std::size_t i = 0; bits >> i != 0U; ++i)
        if ((bits >> i & 1U) != 0U)
            places.push_back(i);
    return places;
}

/// Signs of the runs, one row a run, by the side of the middle on which the setting lies.
Eigen::MatrixXd signsOfRuns(const Study& study, const std::vector<const Run*>& runs)
{
    const study::Coding coding(study.factors);
    Eigen::MatrixXd signs(static_cast<Eigen::Index>(runs.size()), coding.size());
    for (std::size_t row = 0; row < runs.size(); ++row) {
        const study::CodedPoint point = coding.toCoded(runs[row]->settings);
        for (std::size_t i = 0; i < study.factors.size(); ++i) {
            const auto column = static_cast<Eigen::Index>(i);
            const double middle = study.factors[i].isNumeric() ? 0.0 : 0.5;
            signs(static_cast<Eigen::Index>(row), column) = point[column] > middle ? 1.0 : -1.0;
        }
    }
    return signs;
}

/// Mean, block, main effects and two-factor interactions that can be told apart.
Eigen::Index estimable(const Eigen::MatrixXd& old, const Eigen::MatrixXd& added)
{
    const Eigen::Index k = old.cols();
    Eigen::MatrixXd x(old.rows() + added.rows(), 2 + k + k * (k - 1) / 2);
    x.col(0).setOnes();
    x.col(1) << -Eigen::VectorXd::Ones(old.rows()), Eigen::VectorXd::Ones(added.rows());
    x.middleCols(2, k) << old, added;
    Eigen::Index column = k + 2;
    for (Eigen::Index i = 0; i < k; ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            x.col(column++) = x.col(2 + i).cwiseProduct(x.col(2 + j));
    return algebra::rank(x);
}

Eigen::MatrixXd halfReversed(const Eigen::MatrixXd& signs, Eigen::Index reversedFactor, Eigen::Index subset)
{
    std::vector<Eigen::Index> rows;
    for (Eigen::Index row = 0; row < signs.rows(); ++row)
        if (signs(row, subset) > 0.0)
            rows.push_back(row);
    Eigen::MatrixXd half = signs(rows, Eigen::all);
    half.col(reversedFactor) *= -1.0;
    return half;
}

} // namespace

std::vector<Run> foldoverRuns(const Study& study, const std::vector<std::size_t>& factors)
{
    std::vector<Run> runs;
    for (const Run* run : runsToRepeat(study))
        runs.push_back(reversedRun(study, *run, factors));
    return runs;
}

std::uint32_t bestFoldover(const Fraction& fraction)
{
    const std::uint32_t all = (1U << fraction.factors) - 1U;
    if (fraction.resolution == 3)
        return all;
    std::uint32_t generated = 0;
    for (const std::string& generator : fraction.generators())
        generated |= 1U << *study::factorOfLetter(generator.front());
    std::uint32_t best = all;
    std::map<int, int> bestPattern = patternAfter(fraction, all);
    for (std::uint32_t plan = generated; plan != 0U; plan = (plan - 1U) & generated) {
        const std::map<int, int> pattern = patternAfter(fraction, plan);
        const bool isSmaller = std::popcount(plan) < std::popcount(best) && best != all;
        if (hasLessAberration(pattern, bestPattern) || (pattern == bestPattern && isSmaller)) {
            best = plan;
            bestPattern = pattern;
        }
    }
    return best;
}

std::vector<std::size_t> foldFactors(const Study& study)
{
    const std::optional<Fraction> fraction = fractionOf(study);
    if (fraction && fraction->definingWords.empty())
        throw DesignError("nothing is aliased in a full factorial; a foldover would only repeat its runs");
    const std::size_t count = study.factors.size();
    if (fraction)
        return placesOf(bestFoldover(*fraction));
    if (std::ranges::any_of(study.runs, [](const Run& run) { return run.kind == study::RunKind::Augment; }))
        throw DesignError(
            "the design has been augmented already; a foldover is for a design as it was laid out");
    return placesOf(count < 32 ? (1U << count) - 1U : ~0U);
}

std::vector<Run> semifoldoverRuns(const Study& study)
{
    if (const std::optional<Fraction> fraction = fractionOf(study);
        !fraction || fraction->definingWords.empty())
        throw DesignError("a semifoldover is for a regular two-level fraction; these runs are " +
                          std::string(fraction ? "a full factorial" : "none"));
    const std::vector<const Run*> runs = runsToRepeat(study);
    const Eigen::MatrixXd signs = signsOfRuns(study, runs);
    Eigen::Index best = 0;
    std::pair<Eigen::Index, Eigen::Index> choice;
    for (Eigen::Index factor = 0; factor < signs.cols(); ++factor)
        for (Eigen::Index subset = 0; subset < signs.cols(); ++subset) {
            const Eigen::Index rank = estimable(signs, halfReversed(signs, factor, subset));
            if (rank > best) {
                best = rank;
                choice = {factor, subset};
            }
        }
    std::vector<Run> added;
    for (std::size_t row = 0; row < runs.size(); ++row)
        if (signs(static_cast<Eigen::Index>(row), choice.second) > 0.0)
            added.push_back(reversedRun(study, *runs[row], {static_cast<std::size_t>(choice.first)}));
    return added;
}

} // namespace quadric::design
