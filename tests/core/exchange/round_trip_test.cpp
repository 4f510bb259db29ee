// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever is exported as a table comes back from it.
#include "core/exchange/export/documents.h"
#include "core/exchange/import/table_import.h"

#include <algorithm>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace quadric::exchange {
namespace {

using Random = std::mt19937_64;

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

} // namespace
} // namespace quadric::exchange
