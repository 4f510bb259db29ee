// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/files/journal.h"
#include "core/templates/templates.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

using quadric::test::CommandResult;
using quadric::test::Json;

namespace {

class DesignCommand : public quadric::test::CommandTest {
protected:
    void makeStudy(const std::string& name) const
    {
        const CommandResult made =
            quadric({"new", name, "--factor", "ranks:1:9:ranks:integer", "--factor",
                     "batch:32:128:images:integer:log2", "--factor", "compression:0:90:%", "--response",
                     "speed:maximize:img/s:1.5", "--response", "step_ms:target=80:ms"});
        ASSERT_EQ(made.status, 0) << made.err;
    }
};

using Point = std::array<double, 3>;

Point codedPoint(const Json& run)
{
    return {run["coded"]["ranks"], run["coded"]["batch"], run["coded"]["compression"]};
}

} // namespace

TEST_F(DesignCommand, NewKeepsWhatWasAskedFor)
{
    makeStudy("s.quadric");
    const Json study = readJson("s.quadric");
    EXPECT_EQ(study["name"], "s");
    EXPECT_EQ(study["factors"][1]["scale"], "log2");
    EXPECT_EQ(study["factors"][0]["type"], "integer");
    EXPECT_EQ(study["responses"][0]["weight"], 1.5);
    EXPECT_EQ(study["responses"][1]["goal"], "target");
    EXPECT_EQ(study["responses"][1]["target"], 80);
    EXPECT_EQ(quadric({"new", "s.quadric", "--template", "cpu-ranks"}).status, 2)
        << "an old file was overwritten";
    EXPECT_EQ(readJson("s.quadric"), study);
}

/// What the wizard would choose, with the same numbers and reason; a design that is named is not weighed.
TEST_F(DesignCommand, TakesTheRecommendedDesign)
{
    const std::vector<std::string> factors = {"--factor",   "a:0:1",     "--factor", "b:0:1",
                                              "--factor",   "c:0:1",     "--factor", "p:x|y|z:::categorical",
                                              "--response", "y:maximize"};
    std::vector<std::string> arguments = {"new", "r.quadric", "--type", "recommended"};
    arguments.insert(arguments.end(), factors.begin(), factors.end());
    const CommandResult made = quadric(arguments);
    ASSERT_EQ(made.status, 0) << made.err;
    const Json study = readJson("r.quadric");
    EXPECT_EQ(study["design"]["type"], "i-optimal");
    EXPECT_EQ(study["runs"].size(), 26U);
    EXPECT_NE(made.err.find("in 26 runs instead of 39"), std::string::npos) << made.err;
    EXPECT_NE(made.err.find("Levels are rounded to"), std::string::npos) << made.err;
    makeStudy("s.quadric");
    const CommandResult usual = quadric({"design", "s.quadric", "--type", "recommended"});
    ASSERT_EQ(usual.status, 0) << usual.err;
    EXPECT_EQ(readJson("s.quadric")["design"]["type"], "box-behnken");
}

/// Levels with as many digits as are asked for; none of the longer ones that a search finds.
TEST_F(DesignCommand, RoundsTheLevelsOfAnOptimalDesign)
{
    ASSERT_EQ(quadric({"new", "s.quadric", "--factor", "a:0:1", "--factor", "b:0.001:0.1:::log2",
                       "--response", "y:maximize"})
                  .status,
              0);
    const auto longest = [&](const std::string& digits) {
        const CommandResult made =
            quadric({"design", "s.quadric", "--type", "i-optimal", "--runs", "13", "--digits", digits});
        EXPECT_EQ(made.status, 0) << made.err;
        std::size_t most = 0;
        const Json study = readJson("s.quadric");
        for (const Json& run : study["runs"])
            most = std::max(most, run["settings"]["a"].dump().size());
        return most;
    };
    EXPECT_GT(longest("0"), std::string("0.5").size());
    EXPECT_EQ(longest("2"), std::string("0.5").size());
    EXPECT_EQ(readJson("s.quadric")["design"]["digits"], 2);
    expectWrong({"design", "s.quadric", "--type", "i-optimal", "--runs", "13", "--digits", "1"},
                {"allow more digits"});
    EXPECT_NE(quadric({"design", "s.quadric", "--type", "box-behnken", "--digits", "2"})
                  .err.find("--digits: means nothing for --type box-behnken"),
              std::string::npos);
}

/// What is offered, in the same order as in the wizard, which takes it from the same list.
TEST_F(DesignCommand, TemplatesBecomeStudiesWithADesign)
{
    const std::string help = quadric({"new", "--help"}).out;
    std::size_t place = 0;
    for (const auto& item : ::quadric::templates::templates()) {
        const std::string name(item.name);
        const std::size_t next = help.find(name, place);
        EXPECT_NE(next, std::string::npos) << name;
        place = next;
        ASSERT_EQ(quadric({"new", name + ".quadric", "--template", name}).status, 0);
        const Json study = readJson(name + ".quadric");
        EXPECT_EQ(study["runs"].size(), study["factors"].empty() ? 0U : 15U) << name;
        for (const Json& run : study["runs"])
            EXPECT_EQ(run["status"], "pending") << name;
    }
    ASSERT_EQ(
        quadric({"new", "c.quadric", "--template", "plan-64-gpus", "--type", "central-composite"}).status, 0);
    EXPECT_EQ(readJson("c.quadric")["design"]["type"], "central-composite");
}

TEST_F(DesignCommand, ExamplesAreTemplatesAsTheyAre)
{
    for (const std::string name : {"cpu-ranks", "resnet50-scaling"}) {
        ASSERT_EQ(quadric({"new", "t.quadric", "--template", name}).status, 0);
        example(name + ".quadric");
        Json copy = readJson("t.quadric");
        EXPECT_EQ(copy["id"].get<std::string>().size(), 32U) << "a copy is a study of its own";
        copy.erase("id");
        EXPECT_EQ(copy, readJson(name + ".quadric"));
        std::filesystem::remove(file("t.quadric"));
    }
    EXPECT_EQ(quadric({"new", "t.quadric", "--template", "none such"}).status, 2);
    EXPECT_EQ(quadric({"new", "t.quadric"}).status, 2);
    EXPECT_EQ(quadric({"new", "t.quadric", "--factor", "a:5:1", "--response", "y:maximize"}).status, 2);
    EXPECT_FALSE(std::filesystem::exists(file("t.quadric")));
}

// The points are Box & Behnken's (1960) for three factors.
TEST_F(DesignCommand, LaysOutBoxBehnkenWithNominalCodedValues)
{
    makeStudy("s.quadric");
    const Json study = ask({"design", "s.quadric", "--type", "box-behnken", "--center", "3"});
    std::vector<Point> points;
    for (const Json& run : study["runs"])
        points.push_back(codedPoint(run));
    std::vector<Point> expected;
    for (const std::vector<int>& row : quadric::test::boxBehnkenRows())
        expected.push_back({1.0 * row[0], 1.0 * row[1], 1.0 * row[2]});
    std::ranges::sort(points);
    std::ranges::sort(expected);
    EXPECT_EQ(points, expected);
    // The center of 32…128 on the log2 scale is √(32·128) = 64.
    for (const Json& run : study["runs"]) {
        if (run["coded"]["batch"] == 0.0) {
            EXPECT_EQ(run["settings"]["batch"], 64);
        }
    }
    EXPECT_EQ(ask({"info", "s.quadric"})["runs"], study["runs"]);
}

TEST_F(DesignCommand, LaysOutEveryType)
{
    const std::vector<std::pair<std::vector<std::string>, std::size_t>> kDesigns = {
        {{"--type", "full-factorial"}, 8},
        {{"--type", "full-factorial", "--levels", "3"}, 27},
        {{"--type", "full-factorial", "--levels", "compression=4", "--replicates", "2"}, 32},
        {{"--type", "fractional-factorial", "--generators", "C=-AB", "--center", "2"}, 6},
        {{"--type", "fractional-factorial", "--resolution", "3", "--center", "0"}, 4},
        {{"--type", "plackett-burman", "--runs", "12"}, 12},
        {{"--type", "definitive-screening"}, 9},
        {{"--type", "central-composite", "--alpha", "face", "--center", "4", "--blocks", "2"}, 18},
        {{"--type", "latin-hypercube", "--runs", "20", "--seed", "3"}, 20},
    };
    makeStudy("s.quadric");
    for (const auto& [arguments, runs] : kDesigns) {
        std::vector<std::string> all = {"design", "s.quadric", "--json"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        const CommandResult result = quadric(all);
        ASSERT_EQ(result.status, 0) << result.err;
        EXPECT_EQ(result.json()["runs"].size(), runs) << arguments[1];
        EXPECT_EQ(result.json()["design"]["type"], arguments[1]);
    }
    EXPECT_EQ(readJson("s.quadric")["design"]["runs"], 20);
    EXPECT_FALSE(readJson("s.quadric")["design"].contains("alpha")) << "another type starts afresh";
}

TEST_F(DesignCommand, NamesTheOptionThatIsWrong)
{
    makeStudy("s.quadric");
    const Json before = readJson("s.quadric");
    const std::vector<std::pair<std::vector<std::string>, std::string>> kWrong = {
        {{"--type", "box"}, "box-behnken"},
        {{"--type", "central-composite", "--alpha", "round"}, "--alpha"},
        {{"--type", "central-composite", "--alpha", "rotatable"}, "factor 'ranks'"},
        {{"--type", "fractional-factorial", "--generators", "C:AB"}, "--generators"},
        {{"--type", "fractional-factorial", "--resolution", "2"}, "--resolution"},
        {{"--type", "latin-hypercube", "--runs", "few"}, "--runs"},
        {{"--type", "full-factorial", "--levels", "speed=3"}, "--levels"},
        {{"--type", "box-behnken", "--alpha", "2"}, "--alpha: means nothing for --type box-behnken"},
        {{"--type", "box-behnken", "--runs", "20"}, "only for fractional-factorial, plackett-burman"},
        {{"--type", "latin-hypercube", "--levels", "3"}, "only for full-factorial"},
        {{"--augment", "more"}, "semifoldover"},
        {{}, "--type or --augment"},
    };
    for (const auto& [arguments, expected] : kWrong) {
        std::vector<std::string> all = {"design", "s.quadric"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        expectWrong(all, {expected});
    }
    EXPECT_EQ(readJson("s.quadric"), before);
}

TEST_F(DesignCommand, AddsRunsAndKeepsTheOldOnes)
{
    const std::string study = example("resnet50-scaling.quadric");
    const Json before = ask({"info", study})["runs"];
    const Json after = ask({"design", study, "--augment", "center", "--runs", "2"})["runs"];
    ASSERT_EQ(after.size(), before.size() + 2);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(after[i], before[i]);
    EXPECT_EQ(after.back()["kind"], "center");
    EXPECT_EQ(after.back()["status"], "pending");
    EXPECT_EQ(after.back()["block"], 2);
}

TEST_F(DesignCommand, SameSeedSameOrder)
{
    const auto orders = [this](const std::vector<std::string>& extra) {
        std::filesystem::remove(file("s.quadric"));
        makeStudy("s.quadric");
        std::vector<std::string> arguments = {"design", "s.quadric", "--type", "box-behnken", "--json"};
        arguments.insert(arguments.end(), extra.begin(), extra.end());
        const Json study = quadric(arguments).json();
        std::vector<int> list;
        for (const Json& run : study["runs"])
            list.push_back(run["order"]);
        return list;
    };
    const auto first = orders({"--seed", "7"});
    EXPECT_EQ(orders({"--seed", "7"}), first);
    EXPECT_NE(orders({"--seed", "8"}), first);
    EXPECT_TRUE(std::ranges::is_sorted(orders({"--no-randomize"})));
}

TEST_F(DesignCommand, NeverThrowsResultsAway)
{
    const std::string study = example("resnet50-scaling.quadric");
    const Json before = readJson("resnet50-scaling.quadric");
    EXPECT_EQ(quadric({"design", study, "--type", "box-behnken"}).status, 2);
    EXPECT_EQ(readJson("resnet50-scaling.quadric"), before);
}

TEST_F(DesignCommand, LeavesARunningStudyAlone)
{
    makeStudy("s.quadric");
    const quadric::study::StudyLock lock(file("s.quadric"));
    const CommandResult result = quadric({"design", "s.quadric", "--type", "box-behnken"});
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(std::to_string(::getpid())), std::string::npos) << result.err;
}

TEST_F(DesignCommand, AddsRunsBesideARunner)
{
    const std::string study = example("resnet50-scaling.quadric");
    const std::size_t before = readJson("resnet50-scaling.quadric")["runs"].size();
    const quadric::study::StudyLock lock(file("resnet50-scaling.quadric"));
    EXPECT_EQ(quadric({"design", study, "--augment", "center", "--runs", "2"}).status, 0);
    EXPECT_EQ(readJson("resnet50-scaling.quadric")["runs"].size(), before + 2);
}

// What is published as good fails nothing: screening designs and fractions are made without repeated runs and
// for fewer terms than a quadratic model has.
TEST_F(DesignCommand, EvaluatePassesPublishedDesigns)
{
    for (const char* type : {"definitive-screening", "plackett-burman", "fractional-factorial",
                             "full-factorial", "central-composite", "box-behnken"}) {
        const std::string name = std::string(type) + ".quadric";
        ASSERT_EQ(quadric({"new", name, "--factor", "a:0:1", "--factor", "b:0:1", "--factor", "c:0:1",
                           "--factor", "d:0:1", "--response", "y:maximize"})
                      .status,
                  0);
        ASSERT_EQ(quadric({"design", name, "--type", type}).status, 0) << type;
        const CommandResult result = quadric({"evaluate", name, "--json"});
        EXPECT_EQ(result.status, 0) << type;
        for (const Json& check : result.json()["checks"])
            EXPECT_TRUE(check["ok"] || check["remark"]) << check.dump();
    }
}

// The full factorial is D-optimal for the first-order model.
TEST_F(DesignCommand, EvaluateComparesWithTheBestDesignOfItsSize)
{
    ASSERT_EQ(quadric({"new", "s.quadric", "--factor", "a:0:1", "--factor", "b:0:1", "--factor", "c:0:1",
                       "--response", "y:maximize"})
                  .status,
              0);
    ASSERT_EQ(quadric({"design", "s.quadric", "--type", "full-factorial"}).status, 0);
    const CommandResult best =
        quadric({"evaluate", "s.quadric", "--model", "linear", "--relative", "--json"});
    EXPECT_NEAR(best.json()["d_efficiency_relative"].get<double>(), 100.0, 1e-6);
}

namespace {

class EvaluateCommand : public quadric::test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        write(quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; }), "bb.quadric");
    }

    /// The same with one corner a = b forbidden: 10 * 10 is above 60.
    void writeConstrained() const
    {
        quadric::study::Study study =
            quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; });
        study.runs.clear();
        study.constraints = {"a * b <= 60"};
        write(study, "legal.quadric");
    }
};

} // namespace

TEST_F(EvaluateCommand, PrintsWhatMatters)
{
    const CommandResult result = quadric({"evaluate", "bb.quadric"});
    EXPECT_EQ(result.status, 0);
    for (const char* text : {"Efficiency: D", "standard error at most", "Power (2 σ)", "ok   Run count"})
        EXPECT_THAT(result.out, testing::HasSubstr(text));
}

TEST_F(EvaluateCommand, PutsTwoDesignsSideBySide)
{
    quadric::study::Study twice = quadric::test::boxBehnkenStudy([](double, double, double) { return 0.0; });
    const auto once = twice.runs;
    for (quadric::study::Run run : once) {
        run.id += 15;
        run.order += 15;
        twice.runs.push_back(run);
    }
    twice.design.replicates = 2;
    twice.design.centerRuns = 6;
    write(twice, "twice.quadric");
    const Json json = ask({"evaluate", "bb.quadric", "--compare", "twice.quadric"});
    EXPECT_EQ(json["first"]["runs"], 15);
    EXPECT_EQ(json["second"]["runs"], 30);
    for (const Json& row : json["comparison"]) {
        if (row["name"] == "D efficiency") {
            EXPECT_EQ(row["better"], 0) << "the same design twice is as efficient for each run";
        }
        if (row["name"] == "Average prediction variance") {
            EXPECT_EQ(row["better"], 2);
            EXPECT_NEAR(row["first"].get<double>(), 2.0 * row["second"].get<double>(), 1e-9);
        }
    }
    const CommandResult table = quadric({"evaluate", "bb.quadric", "--compare", "twice.quadric"});
    EXPECT_THAT(table.out, testing::HasSubstr("twice"));
    EXPECT_THAT(table.out, testing::HasSubstr("Power a*b"));
}

TEST_F(EvaluateCommand, SaysWhatWasMovedToLegalSettings)
{
    writeConstrained();
    const CommandResult laidOut = quadric({"design", "legal.quadric", "--type", "box-behnken"});
    ASSERT_EQ(laidOut.status, 0) << laidOut.err;
    EXPECT_THAT(laidOut.out, testing::HasSubstr("1 of 15 runs was changed"));
    const Json json = quadric({"evaluate", "legal.quadric", "--json"}).json();
    EXPECT_EQ(json["legal"]["repaired_runs"].size(), 1U);
    EXPECT_LT(json["legal"]["d_efficiency"]["legal"], json["legal"]["d_efficiency"]["designed"]);
    EXPECT_LT(json["region"]["share"], 1.0);
    EXPECT_THAT(quadric({"evaluate", "legal.quadric"}).out, testing::HasSubstr("1 of 15 runs was changed"));
}

TEST_F(EvaluateCommand, RefusesBadInput)
{
    expectWrong({"evaluate", "bb.quadric", "--effect-sd", "0"}, {"--effect-sd"});
    expectWrong({"evaluate", "bb.quadric", "--effect-sd", "two"}, {"--effect-sd"});
    expectWrong({"evaluate", "bb.quadric", "--compare", "none.quadric"}, {"none.quadric"});
    expectWrong({"evaluate", "bb.quadric", "--model", "a*q"}, {"q"});
}
