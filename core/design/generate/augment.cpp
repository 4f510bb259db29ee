// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/generate/augment.h"

#include "core/algebra/factorizations.h"
#include "core/design/base/design_type.h"
#include "core/design/generate/central_composite.h"
#include "core/design/optimal/optimal.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

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
Eigen::Index countEstimableTerms(const Eigen::MatrixXd& old, const Eigen::MatrixXd& added)
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

/// The runs of the study's design again with the levels of these factors reversed, kind augment, without id,
/// order and block. Excluded runs are not repeated. Throws DesignError naming a factor of more than two
/// categories.
std::vector<Run> foldoverRuns(const Study& study, const std::vector<std::size_t>& factors)
{
    std::vector<Run> runs;
    for (const Run* run : runsToRepeat(study))
        runs.push_back(reversedRun(study, *run, factors));
    return runs;
}

/// The factors whose signs a foldover reverses: all for a design that is no regular fraction or of resolution
/// III; else those for which the combined design has least aberration. Throws DesignError where nothing is
/// aliased.
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

using study::RunKind;

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

/// Adds the runs in random order after all others; their ids and orders go on from the largest.
void append(Study& study, std::vector<Run> runs)
{
    int id = study::largestRunId(study);
    int order = 0;
    for (const Run& run : study.runs)
        order = std::max(order, run.order);
    // Runs made on another day need a block of their own.
    const int block = lastBlock(study) + (hasBegun(study) ? 1 : 0);
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

AxialGeometry computeAxialGeometry(const Study& study, int newCenters)
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
    const double alpha = axialDistanceFor(numeric, computeAxialGeometry(study, centers));

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
            const Eigen::Index rank = countEstimableTerms(signs, halfReversed(signs, factor, subset));
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

std::vector<int> runsOfDesign(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::Run& run : study.runs) {
        const bool isOther = run.kind == study::RunKind::Baseline || run.kind == study::RunKind::Confirmation;
        if (!isOther && run.status != study::RunStatus::Excluded)
            ids.push_back(run.id);
    }
    return ids;
}

study::Study withReplicates(study::Study study, const std::vector<int>& runIds, int times)
{
    std::vector<study::Run> added;
    for (int time = 0; time < times; ++time) {
        for (const int id : runIds) {
            const study::Run* repeated = study::findRun(study, id);
            if (!repeated)
                continue;
            study::Run run;
            run.block = repeated->block;
            run.kind = repeated->kind == study::RunKind::Design ? study::RunKind::Augment : repeated->kind;
            run.settings = repeated->settings;
            added.push_back(std::move(run));
        }
    }
    std::ranges::stable_sort(added, {}, &study::Run::block);
    std::vector<DesignPoint> points;
    int id = study::largestRunId(study), order = 0;
    for (study::Run& run : added) {
        run.id = ++id;
        points.push_back({{}, run.kind, run.block});
    }
    for (const study::Run& run : study.runs)
        order = std::max(order, run.order);
    for (const std::size_t place : runOrder(points, study.design.randomize, study.design.seed))
        added[place].order = ++order;
    study.runs.insert(study.runs.end(), added.begin(), added.end());
    return study;
}

} // namespace quadric::design
