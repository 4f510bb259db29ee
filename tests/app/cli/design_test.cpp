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
    const CommandResult tooFew =
        quadric({"design", "s.quadric", "--type", "i-optimal", "--runs", "13", "--digits", "1"});
    EXPECT_EQ(tooFew.status, 2);
    EXPECT_NE(tooFew.err.find("allow more digits"), std::string::npos) << tooFew.err;
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
    const CommandResult result =
        quadric({"design", "s.quadric", "--type", "box-behnken", "--center", "3", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json study = result.json();
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
    EXPECT_EQ(quadric({"info", "s.quadric", "--json"}).json()["runs"], study["runs"]);
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
        const CommandResult result = quadric(all);
        EXPECT_EQ(result.status, 2);
        EXPECT_NE(result.err.find(expected), std::string::npos) << result.err;
    }
    EXPECT_EQ(readJson("s.quadric"), before);
}

TEST_F(DesignCommand, AddsRunsAndKeepsTheOldOnes)
{
    const std::string study = example("resnet50-scaling.quadric");
    const Json before = quadric({"info", study, "--json"}).json()["runs"];
    const CommandResult result = quadric({"design", study, "--augment", "center", "--runs", "2", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    const Json after = result.json()["runs"];
    ASSERT_EQ(after.size(), before.size() + 2);
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(after[i], before[i]);
    EXPECT_EQ(after.back()["kind"], "center");
    EXPECT_EQ(after.back()["status"], "pending");
    EXPECT_EQ(after.back()["block"], 2);
}

TEST_F(DesignCommand, NewLaysOutADesignAtOnce)
{
    const CommandResult result = quadric({"new", "n.quadric", "--factor", "a:0:1", "--factor", "b:0:1",
                                          "--factor", "c:x|y:::categorical", "--response", "y:maximize",
                                          "--type", "full-factorial", "--center", "2", "--json"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(result.json()["runs"].size(), 10U);
    EXPECT_EQ(quadric({"new", "m.quadric", "--factor", "a:0:1", "--response", "y:maximize", "--type",
                       "plackett-burman", "--runs", "9"})
                  .status,
              2);
    EXPECT_FALSE(std::filesystem::exists(file("m.quadric")));
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

// For this design (three center runs) R gives condition number 4.2385 and largest leverage 0.75
// (tests/references/oracles/04_trebuchet_bbd3.json).
TEST_F(DesignCommand, EvaluatesBeforeAnythingIsRun)
{
    makeStudy("s.quadric");
    ASSERT_EQ(quadric({"design", "s.quadric", "--type", "box-behnken", "--center", "3"}).status, 0);
    const CommandResult result = quadric({"evaluate", "s.quadric", "--json"});
    const Json json = result.json();
    EXPECT_EQ(json["runs"], 15);
    EXPECT_EQ(json["df"]["model"], 9);
    EXPECT_EQ(json["df"]["pure_error"], 2);
    EXPECT_EQ(json["df"]["lack_of_fit"], 3);
    EXPECT_NEAR(json["max_leverage"].get<double>(), 0.75, 1e-9);
    EXPECT_FALSE(json["power"].empty());
    EXPECT_TRUE(json["vif"].contains("ranks"));
    EXPECT_EQ(quadric({"evaluate", "s.quadric"}).status, result.status);
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

double powerOf(const Json& json, const std::string& term)
{
    for (const Json& row : json["power"]) {
        if (row["term"] == term)
            return row["power"];
    }
    ADD_FAILURE() << term;
    return 0.0;
}

} // namespace

// Power of the Box–Behnken design by R: tests/references/designs/evaluation.json.
TEST_F(EvaluateCommand, GivesEveryDocumentedKey)
{
    const CommandResult result = quadric({"evaluate", "bb.quadric", "--json", "--effect-sd", "1"});
    EXPECT_EQ(result.status, 0) << result.err;
    const Json json = result.json();
    for (const char* key :
         {"runs",         "model",       "df",           "d_efficiency",      "a_efficiency",
          "g_efficiency", "i_value",     "condition",    "max_leverage",      "vif",
          "power",        "fds",         "aliases",      "defining_relation", "resolution",
          "checks",       "correlation", "alias_matrix", "leverage",          "region",
          "legal",        "warnings"})
        EXPECT_TRUE(json.contains(key)) << key;
    EXPECT_NEAR(powerOf(json, "a"), 0.211414087749, 1e-8);
    EXPECT_NEAR(powerOf(json, "a^2"), 0.345008894356, 1e-8);
    EXPECT_EQ(json["power"][0]["effect_sd"], 1.0);
    ASSERT_EQ(json["fds"].size(), 101U);
    EXPECT_EQ(json["fds"][100]["fraction"], 1.0);
    EXPECT_EQ(json["leverage"].size(), 15U);
    EXPECT_EQ(json["correlation"]["rows"].size(), 9U);
    EXPECT_EQ(json["correlation"]["values"][0].size(), 9U);
    EXPECT_EQ(json["alias_matrix"]["rows"].size(), 10U);
    EXPECT_TRUE(json["resolution"].is_null());
}

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
    const Json json = quadric({"evaluate", "bb.quadric", "--compare", "twice.quadric", "--json"}).json();
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
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--effect-sd", "0"}).status, 2);
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--effect-sd", "two"}).status, 2);
    EXPECT_EQ(quadric({"evaluate", "bb.quadric", "--compare", "none.quadric"}).status, 2);
    EXPECT_THAT(quadric({"evaluate", "bb.quadric", "--model", "a*q"}).err, testing::HasSubstr("q"));
}
