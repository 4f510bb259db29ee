// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/recognize.h"

#include "core/design/base/design_type.h"
#include "core/design/generate/three_level_designs.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

namespace quadric::exchange {

namespace {

/// A setting this near to a level, in coded units, counts as the level: designs are rounded to what can be
/// run.
constexpr double kLevelTolerance = 0.05;

/// Coded settings of a run, in the order of the factors.
using Row = std::vector<double>;

/// The rows of a design sorted by what they are, center runs apart.
struct Parts {
    std::size_t factors = 0;
    bool isNumeric = true;
    int centers = 0;
    int axials = 0;
    std::vector<Row> others;   ///< neither center nor axial
    std::map<Row, int> points; ///< everything but the center
    int least = 0, most = 0;   ///< how often the points are repeated
    int runs = 0;

    int distinct() const { return static_cast<int>(points.size()); }
    bool isRegular() const { return least > 0 && least == most; }
};

/// The design type of the command line that these rows are, or "custom"; see recognize().
std::string recognizeType(const Parts& parts);

double settled(double coded)
{
    for (const double level : {-1.0, 0.0, 1.0}) {
        if (std::abs(coded - level) <= kLevelTolerance)
            return level;
    }
    return coded;
}

/// Runs that were made for something else (confirmation, baseline, augmentation) say nothing about the
/// design.
bool isOfDesign(const study::Run& run)
{
    return run.kind != study::RunKind::Confirmation && run.kind != study::RunKind::Baseline &&
           run.kind != study::RunKind::Augment;
}

/// The coded settings of the design's runs, each value at its level; categorical factors as the index of the
/// level.
std::vector<Row> codedRows(const study::Study& study)
{
    const study::Coding coding(study.factors);
    std::vector<Row> rows;
    for (const study::Run& run : study.runs) {
        if (!isOfDesign(run))
            continue;
        const study::CodedPoint point = coding.toCoded(run.settings);
        Row row;
        for (std::size_t i = 0; i < study.factors.size(); ++i) {
            const double value = point[static_cast<Eigen::Index>(i)];
            row.push_back(study.factors[i].isNumeric() ? settled(value) : value);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// How many factors are at the center.
int zeros(const Row& row)
{
    return static_cast<int>(std::ranges::count(row, 0.0));
}

bool isCenter(const Row& row)
{
    return zeros(row) == static_cast<int>(row.size());
}

/// One factor off the center, at or beyond its limits.
bool isAxial(const Row& row)
{
    return row.size() > 1 && zeros(row) == static_cast<int>(row.size()) - 1;
}

/// Every factor at one of its limits.
bool isCorner(const Row& row)
{
    return std::ranges::all_of(row, [](double x) { return std::abs(x) == 1.0; });
}

Parts classifyRuns(const study::Study& study)
{
    Parts parts;
    const std::vector<Row> rows = codedRows(study);
    parts.factors = study.factors.size();
    parts.isNumeric = std::ranges::all_of(study.factors, &study::Factor::isNumeric);
    parts.runs = static_cast<int>(rows.size());
    for (const Row& row : rows) {
        if (parts.isNumeric && isCenter(row)) {
            ++parts.centers;
            continue;
        }
        if (parts.isNumeric && isAxial(row))
            ++parts.axials;
        else
            parts.others.push_back(row);
        ++parts.points[row];
    }
    const auto [least, most] =
        std::ranges::minmax_element(parts.points, {}, [](const auto& entry) { return entry.second; });
    if (!parts.points.empty()) {
        parts.least = least->second;
        parts.most = most->second;
    }
    return parts;
}

bool isOnThreeLevels(const Row& row)
{
    return std::ranges::all_of(row, [](double x) { return x == 0.0 || std::abs(x) == 1.0; });
}

/// How often the points appear, rarest first, as multiples of the rarest; empty where they are none.
std::vector<int> multiplicities(const std::map<Row, int>& points)
{
    std::vector<int> counts;
    counts.reserve(points.size());
    for (const auto& [row, count] : points)
        counts.push_back(count);
    std::ranges::sort(counts);
    for (std::size_t i = counts.size(); i-- > 0;) {
        if (counts[i] % counts[0] != 0)
            return {};
        counts[i] /= counts[0];
    }
    return counts;
}

std::map<Row, int> publishedBoxBehnken(int factors)
{
    std::map<Row, int> points;
    const Eigen::MatrixXd design = design::boxBehnken(factors);
    for (const auto& point : design.rowwise())
        ++points[Row(point.begin(), point.end())];
    return points;
}

/// As many points as the published design has, as often, and in each as many factors off the center.
bool isBoxBehnken(const Parts& parts)
{
    const std::vector<int> known = design::boxBehnkenFactors();
    const auto factors = static_cast<int>(parts.factors);
    if (!parts.isNumeric || std::ranges::find(known, factors) == known.end())
        return false;
    const std::map<Row, int> published = publishedBoxBehnken(factors);
    const int inactive = zeros(published.begin()->first);
    return multiplicities(parts.points) == multiplicities(published) &&
           std::ranges::all_of(parts.points, [inactive](const auto& entry) {
               return isOnThreeLevels(entry.first) && zeros(entry.first) == inactive;
           });
}

bool isOrthogonalTwoLevel(const std::vector<Row>& rows)
{
    if (rows.empty() || !std::ranges::all_of(rows, isCorner))
        return false;
    const std::size_t factors = rows.front().size();
    for (std::size_t i = 0; i < factors; ++i) {
        for (std::size_t j = i; j < factors; ++j) {
            double sum = 0, product = 0;
            for (const Row& row : rows) {
                sum += row[i];
                product += row[i] * row[j];
            }
            if (sum != 0 || (i != j && product != 0))
                return false;
        }
    }
    return true;
}

/// A regular fraction is a coset of a group: the product of any three of its runs is one of its runs.
bool isRegularFraction(const std::set<Row>& rows)
{
    const Row& first = *rows.begin();
    for (const Row& a : rows) {
        for (const Row& b : rows) {
            Row product(first.size());
            for (std::size_t i = 0; i < first.size(); ++i)
                product[i] = first[i] * a[i] * b[i];
            if (!rows.contains(product))
                return false;
        }
    }
    return true;
}

/// Two axial runs for every factor, all the others corners of an orthogonal cube.
bool isCentralComposite(const Parts& parts)
{
    if (!parts.isNumeric || parts.factors < 2 || parts.axials == 0 || !isOrthogonalTwoLevel(parts.others))
        return false;
    std::vector<int> below(parts.factors), above(parts.factors);
    for (const auto& [row, count] : parts.points) {
        if (!isAxial(row))
            continue;
        for (std::size_t i = 0; i < row.size(); ++i) {
            below[i] += row[i] < 0 ? count : 0;
            above[i] += row[i] > 0 ? count : 0;
        }
    }
    return below == above && std::ranges::all_of(below, [&](int n) { return n > 0 && n == below.front(); });
}

bool isFullFactorial(const Parts& parts)
{
    if (!parts.isRegular() || (parts.factors == 1 && parts.distinct() < 2))
        return false;
    std::size_t combinations = 1;
    std::vector<std::set<double>> levels(parts.factors);
    for (const auto& [row, count] : parts.points) {
        for (std::size_t i = 0; i < row.size(); ++i)
            levels[i].insert(row[i]);
    }
    for (const std::set<double>& values : levels)
        combinations *= values.size();
    const bool centerIsPoint =
        parts.isNumeric &&
        std::ranges::all_of(levels, [](const std::set<double>& values) { return values.contains(0.0); });
    const std::size_t centerPoints = centerIsPoint ? 1 : 0;
    const bool hasCenter = !centerIsPoint || parts.centers == parts.least;
    return static_cast<std::size_t>(parts.distinct()) + centerPoints == combinations && hasCenter &&
           std::ranges::all_of(levels, [](const std::set<double>& values) { return values.size() > 1; });
}

/// Each point's mirror image is there too, and one factor at a time is at zero.
bool isDefinitiveScreening(const Parts& parts)
{
    if (!parts.isNumeric || parts.factors < 3 || parts.centers < 1 || !parts.isRegular())
        return false;
    const int conference = parts.distinct() / 2;
    if (conference < static_cast<int>(parts.factors) || conference > static_cast<int>(parts.factors) + 1)
        return false;
    return std::ranges::all_of(parts.points, [&](const auto& entry) {
        Row mirror = entry.first;
        std::ranges::transform(mirror, mirror.begin(), [](double x) { return x == 0 ? 0.0 : -x; });
        return isOnThreeLevels(entry.first) && zeros(entry.first) <= 1 && parts.points.contains(mirror);
    });
}

bool isLatinHypercube(const Parts& parts)
{
    if (!parts.isNumeric || parts.distinct() + parts.centers != parts.runs || parts.runs < 4)
        return false;
    for (std::size_t i = 0; i < parts.factors; ++i) {
        std::set<double> values;
        for (const auto& [row, count] : parts.points)
            values.insert(row[i]);
        if (static_cast<int>(values.size()) != parts.distinct())
            return false;
    }
    return true;
}

std::string recognizeType(const Parts& parts)
{
    if (parts.points.empty())
        return "custom";
    if (isBoxBehnken(parts))
        return "box-behnken";
    if (isFullFactorial(parts))
        return "full-factorial";
    if (isCentralComposite(parts))
        return "central-composite";
    if (isDefinitiveScreening(parts))
        return "definitive-screening";
    std::set<Row> corners;
    for (const auto& [row, count] : parts.points)
        corners.insert(row);
    if (parts.isRegular() && isOrthogonalTwoLevel(parts.others) && parts.axials == 0)
        return isRegularFraction(corners) ? "fractional-factorial" : "plackett-burman";
    return isLatinHypercube(parts) ? "latin-hypercube" : "custom";
}

std::string titleOf(const std::string& type)
{
    const design::DesignType* known = design::findDesignType(type);
    return std::string(known != nullptr ? known->importTitle : "custom design");
}

bool isSame(double a, double b, double range)
{
    return std::abs(a - b) <= kLevelTolerance * range / 2;
}

/// Low and high of a factor whose runs lie on five levels, symmetric about the middle one.
std::optional<std::pair<double, double>> innerLevels(const std::set<double>& values)
{
    if (values.size() != 5)
        return {};
    const std::vector<double> v(values.begin(), values.end());
    const double range = v[4] - v[0];
    const bool isSymmetric =
        isSame(v[2] - v[0], v[4] - v[2], range) && isSame(v[2] - v[1], v[3] - v[2], range);
    return isSymmetric ? std::optional(std::pair(v[1], v[3])) : std::nullopt;
}

void setRange(study::Factor& factor, const std::vector<study::Run>& runs, bool useInner)
{
    std::set<double> values;
    for (const study::Run& run : runs) {
        if (isOfDesign(run))
            values.insert(study::numberOf(run.settings.at(factor.name)));
    }
    factor.low = *values.begin();
    factor.high = *values.rbegin();
    if (const auto inner = innerLevels(values); inner && useInner)
        std::tie(factor.low, factor.high) = *inner;
}

void setRanges(study::Study& study, bool useInner)
{
    for (study::Factor& factor : study.factors) {
        if (factor.isNumeric() && factor.type != study::FactorType::Discrete)
            setRange(factor, study.runs, useInner);
    }
}

bool hasRanges(const study::Study& study)
{
    return std::ranges::all_of(study.factors, [](const study::Factor& factor) {
        return !factor.isNumeric() || factor.low < factor.high;
    });
}

} // namespace

void setRangesFromRuns(study::Study& study)
{
    if (std::ranges::none_of(study.runs, isOfDesign))
        return;
    setRanges(study, true);
    if (!hasRanges(study) || recognize(study).type != "central-composite")
        setRanges(study, false);
}

RecognizedDesign recognize(const study::Study& study)
{
    RecognizedDesign design;
    const Parts parts = classifyRuns(study);
    design.type = recognizeType(parts);
    // Runs that the table itself calls center runs: with a category, or rounded, their settings do not tell.
    const auto called =
        static_cast<int>(std::ranges::count(study.runs, study::RunKind::Center, &study::Run::kind));
    design.centerRuns = design.type == "custom" ? std::max(parts.centers, called) : parts.centers;
    design.replicates = design.type == "custom" ? 1 : std::max(1, parts.least);
    const auto others = static_cast<std::size_t>(parts.runs - design.centerRuns);
    design.sentence = titleOf(design.type) + " for " + text::formatCount(parts.factors, "factor") + ": " +
                      text::formatCount(others, "run") + " and " +
                      text::formatCount(design.centerRuns, "center run");
    if (design.replicates > 1)
        design.sentence += ", every setting " + std::to_string(design.replicates) + " times";
    return design;
}

void applyRecognized(study::Study& study, const RecognizedDesign& design)
{
    const std::vector<Row> rows = codedRows(study);
    const bool isNumeric = std::ranges::all_of(study.factors, &study::Factor::isNumeric);
    const bool hasAxials = design.type == "central-composite";
    std::size_t i = 0;
    for (study::Run& run : study.runs) {
        if (!isOfDesign(run))
            continue;
        const Row& row = rows[i++];
        run.kind = isNumeric && isCenter(row)               ? study::RunKind::Center
                   : isNumeric && hasAxials && isAxial(row) ? study::RunKind::Axial
                                                            : study::RunKind::Design;
    }
    study.design.type = design.type;
    study.design.centerRuns = design.centerRuns;
    study.design.replicates = design.replicates;
}

} // namespace quadric::exchange
