// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is exported as a table comes back from it.
#include "core/design/generate/three_level_designs.h"
#include "core/exchange/export/fit_script.h"
#include "core/exchange/export/formats.h"
#include "core/exchange/import/recognize.h"
#include "core/exchange/import/table_import.h"
#include "core/exchange/table/delimited.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>

namespace quadric::exchange {
namespace {

using Random = std::mt19937_64;
using Rows = std::vector<std::vector<double>>;

std::size_t draw(Random& random, std::size_t count)
{
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random);
}

template <typename Value> const Value& pick(Random& random, const std::vector<Value>& values)
{
    return values[draw(random, values.size())];
}

/// Names and units as people write them, and as nobody should.
const std::vector<std::string> kNames = {
    "lr", "batch (images)", "run",         "block",  "Status", "note",   "a / b", "x [y]",
    "λ",  "=sum",           "comma, name", "source", "#",      "acc ()", "-r",    "two words"};
const std::vector<std::string> kUnits = {"", "img/s", "%", "1/(m s)", "[m]", "°C", "a, b", "s", "x) y"};
const std::vector<std::string> kLevels = {"none",    "bf16",      "Pd",  "=evil",
                                          "'quoted", "two words", "OOM", "n/a"};
const std::vector<std::string> kReasons = {"", "fan failed", "why: so", "1,5", "=1+1"};

study::Factor makeFactor(Random& random, const std::string& name)
{
    study::Factor factor{.name = name, .unit = pick(random, kUnits)};
    factor.type = std::vector{study::FactorType::Continuous, study::FactorType::Integer,
                              study::FactorType::Categorical}[draw(random, 3)];
    if (factor.type != study::FactorType::Categorical)
        return factor;
    factor.unit.clear(); // a table has no unit for words
    factor.categories = kLevels;
    return factor;
}

study::Value makeSetting(Random& random, const study::Factor& factor)
{
    if (factor.type == study::FactorType::Categorical)
        return pick(random, factor.categories);
    const double whole = static_cast<double>(draw(random, 40)) - 10;
    return factor.type == study::FactorType::Integer
               ? whole
               : whole * 1e3 + std::uniform_real_distribution(0.1, 0.9)(random);
}

void addOutcome(Random& random, const study::Study& study, study::Run& run)
{
    run.status = std::vector{study::RunStatus::Pending, study::RunStatus::Done, study::RunStatus::Failed,
                             study::RunStatus::Excluded}[draw(random, 4)];
    if (run.status == study::RunStatus::Failed)
        run.failure = study::Failure{
            .kind = pick(random, std::vector<std::string>{"out-of-memory", "timeout", "crash", "rank-lost"}),
            .message = pick(random, kReasons)};
    if (run.status == study::RunStatus::Excluded)
        run.reason = pick(random, std::vector<std::string>{"fan failed", "OOM", "=x", "12"});
    if (run.status == study::RunStatus::Done || run.status == study::RunStatus::Excluded) {
        for (const study::Response& response : study.responses)
            run.results[response.name] = std::uniform_real_distribution(-1e6, 1e6)(random);
        run.provenance.source = study::Source::Imported;
    }
}

study::Study makeStudy(Random& random)
{
    std::vector<std::string> names = kNames;
    std::ranges::shuffle(names, random);
    study::Study study;
    const std::size_t factors = 1 + draw(random, 4), responses = 1 + draw(random, 3);
    for (std::size_t i = 0; i < factors; ++i)
        study.factors.push_back(makeFactor(random, names[i]));
    for (std::size_t i = 0; i < responses; ++i)
        study.responses.push_back({.name = names[factors + i], .unit = pick(random, kUnits)});
    std::vector<int> orders(12);
    std::iota(orders.begin(), orders.end(), 1);
    std::ranges::shuffle(orders, random);
    for (int i = 0; i < 12; ++i) {
        study::Run run{.id = i + 1, .order = orders[static_cast<std::size_t>(i)], .block = 1 + i / 6};
        run.kind = std::vector{study::RunKind::Design, study::RunKind::Center, study::RunKind::Axial,
                               study::RunKind::Augment, study::RunKind::Confirmation}[draw(random, 5)];
        for (const study::Factor& factor : study.factors)
            run.settings[factor.name] = makeSetting(random, factor);
        addOutcome(random, study, run);
        study.runs.push_back(std::move(run));
    }
    return study;
}

/// Some run of the design has to be there, and every factor has to vary.
bool canBeStudied(const study::Study& study)
{
    return std::ranges::all_of(study.factors, [&](const study::Factor& factor) {
        return std::ranges::any_of(study.runs, [&](const study::Run& run) {
            return run.kind == study::RunKind::Design &&
                   run.settings.at(factor.name) != study.runs[0].settings.at(factor.name) &&
                   study.runs[0].kind == study::RunKind::Design;
        });
    });
}

TEST(RoundTrip, AnExportedTableIsTheSameStudyAgain)
{
    Random random(7);
    for (int i = 0; i < 400;) {
        const study::Study study = makeStudy(random);
        if (!canBeStudied(study))
            continue;
        ++i;
        const char separator = ",\t"[draw(random, 2)];
        const std::string text = delimitedRuns(study, separator);
        SCOPED_TRACE(text);
        const TextGrid grid = readDelimited(text, "t.csv");
        const study::Study back = studyOf(grid, guessMapping(grid), "t.csv").study;
        ASSERT_EQ(back.factors.size(), study.factors.size());
        ASSERT_EQ(back.responses.size(), study.responses.size());
        for (std::size_t f = 0; f < study.factors.size(); ++f) {
            EXPECT_EQ(back.factors[f].name, study.factors[f].name);
            EXPECT_EQ(back.factors[f].unit, study.factors[f].unit);
        }
        for (std::size_t r = 0; r < study.responses.size(); ++r) {
            EXPECT_EQ(back.responses[r].name, study.responses[r].name);
            EXPECT_EQ(back.responses[r].unit, study.responses[r].unit);
        }
        for (const study::Run& run : study.runs) {
            ASSERT_NE(study::findRun(back, run.id), nullptr);
            EXPECT_EQ(*study::findRun(back, run.id), run) << "run " << run.id;
        }
        if (HasFailure())
            return;
    }
}

using ::testing::HasSubstr;
using ::testing::Not;

study::Study hostile()
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.name = "x\"\nsystem('rm')|<b>\\end{table}$";
    study.responses[0].unit = "a|b & 5%_{$}";
    return study;
}

TEST(Documents, NoTextOfTheStudyBreaksOutOfItsPlace)
{
    const study::Study study = hostile();
    const auto fits = model::fitStudy(study);
    for (const std::string& script : {rScript(study, fits), pythonScript(study, fits)})
        EXPECT_THAT(script.substr(0, script.find('\n')), HasSubstr("system('rm')")) << "the comment was left";
    const std::string markdown = markdownTables(study, fits);
    EXPECT_THAT(markdown, HasSubstr("\\<b\\>"));
    EXPECT_THAT(markdown, HasSubstr("a\\|b"));
    const std::string latex = latexTables(study, fits);
    EXPECT_THAT(latex, HasSubstr("a|b \\& 5\\%\\_\\{\\$\\}"));
}

TEST(Documents, TablesCarryTheNumbersOfTheFit)
{
    const study::Study study =
        study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    const auto fits = model::fitStudy(study);
    const std::string markdown = markdownTables(study, fits);
    EXPECT_THAT(markdown, HasSubstr("| R² | 0.998 |"));
    EXPECT_THAT(markdown, HasSubstr("| gpu\\_count | 79"));
    EXPECT_THAT(markdown, HasSubstr("simulated, not measured"));
    EXPECT_THAT(latexTables(study, fits), HasSubstr("(simulated data)"));
}

TEST(Documents, RunsWithoutResultsHaveEmptyCells)
{
    study::Study study = study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study;
    study.runs[0].status = study::RunStatus::Pending;
    study.runs[0].results.clear();
    study.runs[0].provenance = {};
    const TextRows rows = runRows(study);
    EXPECT_EQ(rows.size(), 16U);
    const std::vector<std::string> expected = {"1",  "9", "1", "design", "pending", "36",
                                               "32", "0", "",  "",       ""};
    EXPECT_EQ(rows[1], expected);
    EXPECT_EQ(rows[0][5], "gpu_count (GPUs)");
    EXPECT_EQ(rows[0][9], "images_per_sec (img/s)");
}

/// Factors a, b, c … from 10 to 30 with the runs at coded rows.
study::Study studyOf(const Rows& rows)
{
    study::Study study;
    for (std::size_t i = 0; i < rows.front().size(); ++i)
        study.factors.push_back({.name = std::string(1, static_cast<char>('a' + i)), .low = 10, .high = 30});
    for (const std::vector<double>& row : rows) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        for (std::size_t i = 0; i < row.size(); ++i)
            run.settings[study.factors[i].name] = 20 + 10 * row[i];
        study.runs.push_back(run);
    }
    return study;
}

Rows rowsOf(const nlohmann::json& texts)
{
    Rows rows;
    for (const auto& text : texts) {
        std::vector<double> row;
        for (const char c : text.get<std::string>())
            row.push_back(c == '-' ? -1.0 : c == '+' ? 1.0 : 0.0);
        rows.push_back(row);
    }
    return rows;
}

nlohmann::json oracle()
{
    std::ifstream file(sourcePath("tests/references/oracles/09_classical_designs.json"));
    return nlohmann::json::parse(file);
}

Rows factorial(std::size_t factors)
{
    Rows rows;
    for (std::size_t bits = 0; bits < (std::size_t{1} << factors); ++bits) {
        std::vector<double> row;
        for (std::size_t i = 0; i < factors; ++i)
            row.push_back((bits >> i & 1) != 0 ? 1.0 : -1.0);
        rows.push_back(row);
    }
    return rows;
}

Rows composite(std::size_t factors, double alpha)
{
    Rows rows = factorial(factors);
    for (std::size_t i = 0; i < factors; ++i) {
        for (const double sign : {-1.0, 1.0}) {
            rows.emplace_back(factors, 0.0);
            rows.back()[i] = sign * alpha;
        }
    }
    rows.emplace_back(factors, 0.0);
    return rows;
}

std::string typeOf(const Rows& rows)
{
    return recognize(studyOf(rows)).type;
}

TEST(Recognize, KnowsPublishedBoxBehnkenDesigns)
{
    const nlohmann::json designs = oracle();
    for (const auto& [factors, entry] : designs["box_behnken"].items()) {
        Rows rows = rowsOf(entry["noncentre_runs_sorted"]);
        EXPECT_EQ(typeOf(rows), "box-behnken") << factors;
        rows.pop_back();
        EXPECT_EQ(typeOf(rows), "custom") << factors << " without a run";
    }
}

TEST(Recognize, KnowsEveryBoxBehnkenDesignThatIsLaidOut)
{
    for (const int factors : design::boxBehnkenFactors()) {
        Rows rows;
        const Eigen::MatrixXd points = design::boxBehnken(factors);
        for (const auto& point : points.rowwise())
            rows.emplace_back(point.begin(), point.end());
        EXPECT_EQ(typeOf(rows), "box-behnken") << factors;
    }
}

TEST(Recognize, KnowsPlackettBurmanAndDefinitiveScreening)
{
    const nlohmann::json designs = oracle();
    for (const auto& [runs, entry] : designs["plackett_burman"].items())
        EXPECT_EQ(typeOf(rowsOf(entry["runs_sorted"])), "plackett-burman") << runs;
    for (const auto& [factors, entry] : designs["definitive_screening"].items())
        EXPECT_EQ(typeOf(rowsOf(entry["example_runs_sorted"])), "definitive-screening") << factors;
}

TEST(Recognize, KnowsFactorialsAndFractions)
{
    EXPECT_EQ(typeOf(factorial(3)), "full-factorial");
    Rows twice = factorial(3);
    std::ranges::copy(factorial(3), std::back_inserter(twice));
    EXPECT_EQ(typeOf(twice), "full-factorial");
    EXPECT_EQ(recognize(studyOf(twice)).replicates, 2);
    Rows half = factorial(3);
    for (std::vector<double>& row : half)
        row.push_back(row[0] * row[1] * row[2]);
    EXPECT_EQ(typeOf(half), "fractional-factorial");
    Rows threeLevels;
    for (const double a : {-1.0, 0.0, 1.0}) {
        for (const double b : {-1.0, 0.0, 1.0})
            threeLevels.push_back({a, b});
    }
    EXPECT_EQ(typeOf(threeLevels), "full-factorial");
}

TEST(Recognize, KnowsCentralCompositeAndItsInnerLevels)
{
    for (const double alpha : {1.0, std::sqrt(2.0), std::pow(8.0, 0.25)}) {
        Rows rows = composite(3, alpha);
        EXPECT_EQ(typeOf(rows), "central-composite") << alpha;
        study::Study study = studyOf(rows);
        for (study::Factor& factor : study.factors)
            factor.low = factor.high = 0;
        setRangesFromRuns(study);
        EXPECT_NEAR(study.factors[1].low, 10, 1e-9) << alpha;
        EXPECT_NEAR(study.factors[1].high, 30, 1e-9) << alpha;
        applyRecognized(study, recognize(study));
        EXPECT_EQ(std::ranges::count(study.runs, study::RunKind::Axial, &study::Run::kind), 6);
        EXPECT_EQ(std::ranges::count(study.runs, study::RunKind::Center, &study::Run::kind), 1);
    }
}

TEST(Recognize, KnowsLatinHypercubesAndLeavesTheRest)
{
    EXPECT_EQ(typeOf({{-1, 0.5}, {-0.5, -1}, {0, 1}, {0.5, -0.5}, {1, 0}}), "latin-hypercube");
    EXPECT_EQ(typeOf({{-1, -1}, {-1, 1}, {0.3, 0.2}, {0.3, -0.4}, {1, 1}}), "custom");
}

TEST(Recognize, CountsARoundedSettingAsItsLevel)
{
    Rows rows = composite(3, 1.0);
    rows[2][1] += 0.02;
    EXPECT_EQ(typeOf(rows), "central-composite");
    rows[2][1] += 0.2;
    EXPECT_EQ(typeOf(rows), "custom");
}

TEST(Recognize, LeavesConfirmationRunsAside)
{
    study::Study study = studyOf(factorial(3));
    study.runs.push_back(study.runs.front());
    study.runs.back().kind = study::RunKind::Confirmation;
    study.runs.back().settings["a"] = 12.0;
    EXPECT_EQ(recognize(study).type, "full-factorial");
    applyRecognized(study, recognize(study));
    EXPECT_EQ(study.runs.back().kind, study::RunKind::Confirmation);
}

} // namespace
} // namespace quadric::exchange
