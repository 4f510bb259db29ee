// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/merge.h"
#include "core/study/run_records.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/document_state.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <random>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::messageOf;
using testing::smallStudy;
using testing::TemporaryFolder;
using testing::writeFile;

using Edit = std::function<void(Study&)>;

Study edited(Study study, const Edit& edit)
{
    edit(study);
    return study;
}

/// Two factors, two responses, six runs of which the first two are measured.
Study commonStudy()
{
    Study study;
    study.name = "common";
    study.factors = {Factor{.name = "a", .low = 0.0, .high = 10.0},
                     Factor{.name = "b", .low = 0.0, .high = 1.0}};
    study.responses = {Response{.name = "y"}, Response{.name = "z"}};
    study.constraints = {"a <= 9"};
    for (int id = 1; id <= 6; ++id)
        study.runs.push_back(study::Run{.id = id, .order = id, .settings = {{"a", double(id)}, {"b", 0.5}}});
    return study;
}

void measure(Study& study, int id, double y, Source source = Source::Measured)
{
    study::Run& run = *findRun(study, id);
    run.status = RunStatus::Done;
    run.results = {{"y", y}, {"z", 1.0}};
    run.provenance.source = source;
}

Study measuredStudy()
{
    return edited(commonStudy(), [](Study& study) {
        measure(study, 1, 10.0);
        measure(study, 2, 20.0);
    });
}

void addRun(Study& study, double a)
{
    study = withRuns(std::move(study), {{{"a", a}, {"b", 0.25}}}, RunKind::Augment);
}

TEST(Merge, TakesWhatOnlyOneSideHasChanged)
{
    struct Case {
        const char* what;
        Edit mine, theirs;
    };
    const std::vector<Case> cases = {
        {"weight and goal of a response", [](Study& s) { s.responses[0].weight = 3.0; },
         [](Study& s) { s.responses[0].goal = Goal::Minimize; }},
        {"two responses", [](Study& s) { s.responses[0].weight = 3.0; },
         [](Study& s) { s.responses[1].weight = 0.5; }},
        {"name and description", [](Study& s) { s.name = "other"; },
         [](Study& s) { s.description = "text"; }},
        {"two factors", [](Study& s) { s.factors[0].high = 12.0; },
         [](Study& s) { s.factors[1].unit = "s"; }},
        {"models", [](Study& s) { s.model["y"] = "linear"; }, [](Study& s) { s.model["z"] = "quadratic"; }},
        {"constraints", [](Study& s) { s.constraints.push_back("b <= 0.75"); },
         [](Study& s) { s.constraints.insert(s.constraints.begin(), "a + b <= 100"); }},
        {"benchmark", [](Study& s) { s.benchmark.timeoutSeconds = 5.0; },
         [](Study& s) { s.benchmark.retry.crash = 7; }},
        {"fixed settings", [](Study& s) { s.fixed["p"] = 1.0; }, [](Study& s) { s.fixed["q"] = "text"; }},
        {"unknown keys", [](Study& s) { s.unknown["p"] = "1"; }, [](Study& s) { s.unknown["q"] = "2"; }},
        {"a result and an excluded run", [](Study& s) { measure(s, 3, 30.0); },
         [](Study& s) { s.runs[3].status = RunStatus::Excluded; }},
        {"a result and the run order", [](Study& s) { measure(s, 3, 30.0); },
         [](Study& s) { std::swap(s.runs[2].order, s.runs[3].order); }},
    };
    for (const Case& each : cases) {
        const Study base = measuredStudy();
        const MergeResult merged = merge(base, edited(base, each.mine), edited(base, each.theirs));
        EXPECT_THAT(merged.conflicts, IsEmpty()) << each.what;
        const Study both = edited(edited(base, each.theirs), each.mine);
        const auto sorted = [](Study study) {
            std::ranges::sort(study.constraints);
            return study;
        };
        EXPECT_EQ(sorted(merged.study), sorted(both)) << each.what;
    }
}

TEST(Merge, SaysWhatBothHaveChanged)
{
    struct Case {
        Edit mine, theirs;
        std::string words;
    };
    const std::vector<Case> cases = {
        {[](Study& s) { s.responses[0].weight = 3.0; }, [](Study& s) { s.responses[0].weight = 2.5; },
         "the weight of the response y is 3 here and 2.5 in the file"},
        {[](Study& s) { s.responses[0].goal = Goal::Minimize; },
         [](Study& s) { s.responses[0].goal = Goal::None; },
         "the goal of the response y is \"minimize\" here and \"none\" in the file"},
        {[](Study& s) { s.name = "A"; }, [](Study& s) { s.name = "B"; },
         "the name is \"A\" here and \"B\" in the file"},
        {[](Study& s) { s.factors[0].low = 1.0; }, [](Study& s) { s.factors[0].high = 20.0; },
         "factor a was changed both here and in the file"},
        {[](Study& s) { s.responses.pop_back(); }, [](Study& s) { s.responses[1].unit = "s"; },
         "response z was removed here and changed in the file"},
        {[](Study& s) { s.benchmark.timeoutSeconds = 5.0; },
         [](Study& s) { s.benchmark.timeoutSeconds = 6.0; },
         "the timeout seconds of the benchmark is 5 here and 6 in the file"},
        {[](Study& s) { s.design.replicates = 2; }, [](Study& s) { s.design.type = "factorial"; },
         "the design was changed both here and in the file"},
        {[](Study& s) { measure(s, 3, 1.0); }, [](Study& s) { measure(s, 3, 2.0); },
         "run 3 has other results in the file than here"},
        {[](Study& s) { s.runs[4].settings["a"] = 7.0; }, [](Study& s) { s.runs[4].settings["a"] = 8.0; },
         "run 5 was changed both here and in the file"},
    };
    for (const Case& each : cases) {
        const Study base = commonStudy(), mine = edited(base, each.mine), theirs = edited(base, each.theirs);
        const MergeResult merged = merge(base, mine, theirs, Prefer::Mine);
        EXPECT_THAT(merged.conflicts, ElementsAre(each.words));
        EXPECT_EQ(merged.study, mine) << each.words;
        EXPECT_EQ(merge(base, mine, theirs, Prefer::Theirs).study, theirs) << each.words;
    }
}

TEST(Merge, WhatOnlyThisSideHasDoneIsLeftAsItIs)
{
    const Study base = measuredStudy();
    const Study mine = edited(base, [](Study& s) {
        s.runs.erase(s.runs.begin());
        std::ranges::reverse(s.runs);
    });
    EXPECT_EQ(merge(base, mine, base).study, mine);
}

TEST(Merge, HowPagesAreArrangedIsNoConflict)
{
    const Study base = commonStudy();
    const Study mine = edited(base, [](Study& s) { s.view["explore"].views = {{"a"}}; });
    const Study theirs = edited(base, [](Study& s) {
        s.view["explore"].views = {{"b"}};
        s.view["design"].views = {{"c"}};
        s.description = "text";
    });
    const MergeResult merged = merge(base, mine, theirs);
    EXPECT_THAT(merged.conflicts, IsEmpty());
    EXPECT_EQ(merged.study.view.at("explore"), mine.view.at("explore"));
    EXPECT_EQ(merged.study.view.at("design"), theirs.view.at("design"));
    EXPECT_EQ(merged.study.description, "text");
}

TEST(Merge, ResultsThatTheFileLacksAreKept)
{
    const Study base = measuredStudy();
    const std::vector<Edit> losses = {
        [](Study& s) { s = commonStudy(); },
        [](Study& s) { s.runs.erase(s.runs.begin()); },
        [](Study& s) { s.runs.clear(); },
    };
    for (const Edit& loss : losses) {
        const Study theirs = edited(edited(base, loss), [](Study& s) { s.description = "older"; });
        const MergeResult merged = merge(base, base, theirs);
        EXPECT_THAT(merged.conflicts, IsEmpty());
        EXPECT_EQ(merged.study.description, "older");
        EXPECT_EQ(*findRun(merged.study, 1), base.runs[0]);
        EXPECT_EQ(*findRun(merged.study, 2), base.runs[1]);
    }
}

TEST(Merge, TypedResultsThatTheFileLacksAreAskedFor)
{
    const Study base = edited(commonStudy(), [](Study& s) { measure(s, 1, 5.0, Source::Typed); });
    const Study theirs = commonStudy();
    EXPECT_THAT(merge(base, base, theirs).conflicts,
                ElementsAre("run 1 has results here and none in the file"));
    EXPECT_EQ(merge(base, base, theirs, Prefer::Mine).study, base);
    EXPECT_EQ(merge(base, base, theirs, Prefer::Theirs).study, theirs);
}

TEST(Merge, OtherResultsOfAMeasuredRunAreTakenAndNamed)
{
    const Study base = measuredStudy();
    const Study theirs = edited(base, [](Study& s) { measure(s, 2, 21.0); });
    const MergeResult merged = merge(base, base, theirs);
    EXPECT_EQ(merged.study, theirs);
    EXPECT_THAT(merged.replacedRuns, ElementsAre(2));
    EXPECT_THAT(merge(base, theirs, theirs).replacedRuns, IsEmpty());
}

TEST(Merge, ARunThatIsDoneAnywhereIsDone)
{
    const Study base = commonStudy();
    const Study done = edited(base, [](Study& s) { measure(s, 3, 30.0); });
    const std::vector<Edit> others = {
        [](Study& s) {
            s.runs[2].status = RunStatus::Failed;
            s.runs[2].failure = Failure{"crash", "gone"};
        },
        [](Study& s) { s.runs.erase(s.runs.begin() + 2); },
        [](Study& s) { s.runs[2].order = 20; },
    };
    for (const Edit& other : others) {
        for (const bool isMine : {true, false}) {
            const Study edit = edited(base, other);
            const MergeResult merged = isMine ? merge(base, done, edit) : merge(base, edit, done);
            EXPECT_THAT(merged.conflicts, IsEmpty());
            const study::Run* run = findRun(merged.study, 3);
            ASSERT_TRUE(run);
            EXPECT_EQ(run->status, RunStatus::Done);
            EXPECT_EQ(run->results, done.runs[2].results);
        }
    }
}

TEST(Merge, RunsAddedOnBothSidesAreAllKept)
{
    const Study base = measuredStudy();
    const Study mine = edited(base, [](Study& s) {
        addRun(s, 2.0);
        measure(s, 7, 70.0);
    });
    const Study theirs = edited(base, [](Study& s) {
        addRun(s, 3.0);
        addRun(s, 4.0);
    });
    const MergeResult merged = merge(base, mine, theirs);
    EXPECT_THAT(merged.conflicts, IsEmpty());
    ASSERT_EQ(merged.study.runs.size(), 9U);
    EXPECT_EQ(merged.study.runs[6], theirs.runs[6]);
    EXPECT_EQ(merged.study.runs[7], theirs.runs[7]);
    EXPECT_EQ(merged.study.runs[8].id, 9);
    EXPECT_EQ(merged.study.runs[8].settings, mine.runs[6].settings);
    EXPECT_EQ(merged.study.runs[8].results, mine.runs[6].results);
    EXPECT_THAT(validate(merged.study), IsEmpty());
}

TEST(Merge, ARunThatGotOtherSettingsThereKeepsTheResultsMeasuredHere)
{
    const Study base = commonStudy();
    const Study mine = edited(base, [](Study& s) { measure(s, 3, 30.0); });
    const Study theirs = edited(base, [](Study& s) { s.runs[2].settings["a"] = 8.5; });
    const MergeResult merged = merge(base, mine, theirs);
    EXPECT_THAT(merged.conflicts, IsEmpty());
    EXPECT_EQ(*findRun(merged.study, 3), theirs.runs[2]);
    ASSERT_TRUE(findRun(merged.study, 7));
    EXPECT_EQ(findRun(merged.study, 7)->settings, mine.runs[2].settings);
    EXPECT_EQ(findRun(merged.study, 7)->results, mine.runs[2].results);
}

TEST(Merge, AnotherStudyIsNeverMergedRunByRun)
{
    Study base = measuredStudy();
    Study otherSettings = edited(commonStudy(), [](Study& s) {
        s.name = "another";
        for (study::Run& run : s.runs)
            run.settings["a"] = 9.0 - std::get<double>(run.settings["a"]);
        measure(s, 1, 99.0);
    });
    Study otherFactors = smallStudy();
    otherFactors.name = "another";
    otherFactors.factors[0].name = "q";
    for (study::Run& run : otherFactors.runs)
        run.settings = {{"q", 1.0}};
    Study otherId = edited(commonStudy(), [](Study& s) { s.name = "another"; });
    otherId.id = "2";
    base.id = "1";
    for (const Study& another : {otherSettings, otherFactors, otherId}) {
        const MergeResult merged =
            merge(base, edited(base, [](Study& s) { s.description = "mine"; }), another);
        EXPECT_THAT(merged.conflicts, ElementsAre("the file contains another study, \"another\""));
        EXPECT_EQ(merged.study.runs, base.runs);
        EXPECT_EQ(merge(base, base, another, Prefer::Theirs).study, another);
    }
}

TEST(Merge, ARenamedFactorIsNoOtherStudy)
{
    const Study base = measuredStudy();
    const Study theirs = edited(base, [](Study& s) {
        s.factors[0].name = "alpha";
        s.constraints = {"alpha <= 9"};
        for (study::Run& run : s.runs) {
            run.settings["alpha"] = run.settings["a"];
            run.settings.erase("a");
        }
    });
    const MergeResult merged = merge(base, edited(base, [](Study& s) { s.description = "mine"; }), theirs);
    EXPECT_THAT(merged.conflicts, IsEmpty());
    EXPECT_EQ(merged.study, edited(theirs, [](Study& s) { s.description = "mine"; }));
}

TEST(Merge, SidesThatMakeNoSoundStudyAreAConflict)
{
    const Study base = measuredStudy();
    const Study mine = edited(base, [](Study& s) { s.factors[1].high = 0.75; });
    const Study theirs = edited(base, [](Study& s) {
        s.factors.erase(s.factors.begin());
        s.constraints.clear();
        for (study::Run& run : s.runs)
            run.settings.erase("a");
    });
    const Study larger = edited(mine, [](Study& s) { addRun(s, 3.0); });
    const MergeResult merged = merge(base, larger, theirs);
    ASSERT_EQ(merged.conflicts.size(), 1U);
    EXPECT_THAT(merged.conflicts[0], HasSubstr("the two versions do not fit together"));
    EXPECT_EQ(merged.study, larger);
    EXPECT_EQ(merge(base, larger, theirs, Prefer::Theirs).study, theirs);
}

TEST(Merge, BaselinesAreRunsToo)
{
    const Study base = commonStudy();
    const study::Run baseline{
        .id = 7, .order = 1, .kind = RunKind::Baseline, .status = RunStatus::Done, .results = {{"y", 1.0}}};
    const Study mine = edited(base, [&](Study& s) { insertOrReplaceRuns(s, {baseline}); });
    const Study theirs = edited(base, [](Study& s) { s.description = "theirs"; });
    const Study merged = merge(base, mine, theirs).study;
    EXPECT_THAT(merged.baselines, ElementsAre(baseline));
    EXPECT_EQ(merge(mine, mine, theirs).study.baselines, mine.baselines);
}

/// Edits by chance, of which no two on different sides touch the same thing in different ways.
class RandomEdits {
public:
    explicit RandomEdits(unsigned seed)
        : m_chance(seed)
    {
    }

    /// Side 0 and side 1 have different things of their own.
    void edit(Study& study, int side)
    {
        const int many = pick(1, 6);
        for (int i = 0; i < many; ++i)
            change(study, side, pick(0, 8));
    }

    int pick(int low, int high) { return std::uniform_int_distribution(low, high)(m_chance); }

private:
    void change(Study& study, int side, int what)
    {
        study::Run& own = study.runs[static_cast<std::size_t>(2 * pick(0, 2) + side)];
        if (what == 0)
            study.responses[static_cast<std::size_t>(side)].weight = pick(0, 100);
        else if (what == 1)
            (side == 0 ? study.name : study.description) = std::to_string(pick(0, 99));
        else if (what == 2)
            study.model[side == 0 ? "y" : "z"] = pick(0, 1) ? "linear" : "quadratic";
        else if (what == 3)
            study.fixed[side == 0 ? "p" : "q"] = double(pick(0, 9));
        else if (what == 4)
            study.factors[static_cast<std::size_t>(side)].unit = std::to_string(pick(0, 9));
        else if (what == 5 && own.results.empty())
            measure(study, own.id, pick(1, 1000));
        else if (what == 6 && own.results.empty())
            own.status = RunStatus::Failed;
        else if (what == 7)
            own.block = pick(1, 3);
        else if (what == 8)
            study.responses[side == 0 ? 0 : 1].goal = pick(0, 1) ? Goal::Minimize : Goal::None;
    }

    std::mt19937 m_chance;
};

TEST(Merge, KeepsEveryResultAndIsSymmetricWhateverIsEdited)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomEdits edits(seed);
        Study base = commonStudy();
        edits.edit(base, 0);
        edits.edit(base, 1);
        Study mine = base, theirs = base;
        edits.edit(mine, 0);
        edits.edit(theirs, 1);
        EXPECT_EQ(merge(base, mine, base).study, mine) << seed;
        EXPECT_EQ(merge(base, base, theirs).study, theirs) << seed;
        EXPECT_EQ(merge(base, mine, mine).study, mine) << seed;
        const MergeResult merged = merge(base, mine, theirs);
        EXPECT_THAT(merged.conflicts, IsEmpty()) << seed;
        EXPECT_EQ(merged.study, merge(base, theirs, mine).study) << seed;
        EXPECT_EQ(merge(theirs, merged.study, theirs).study, merged.study) << seed;
        for (const Study* side : {&mine, &theirs}) {
            for (const study::Run& run : side->runs)
                EXPECT_TRUE(run.results.empty() || findRun(merged.study, run.id)->results == run.results)
                    << seed;
        }
    }
}

/// Anything at all on both sides: there may be conflicts, and no result that was measured is lost in the
/// version that is kept and the one that is kept beside it.
TEST(Merge, LosesNoMeasuredRunWhereSidesDisagree)
{
    for (unsigned seed = 0; seed < 300; ++seed) {
        RandomEdits edits(seed);
        Study base = measuredStudy();
        Study mine = base, theirs = base;
        for (Study* side : {&mine, &theirs}) {
            for (const int which : {0, 1})
                edits.edit(*side, which);
            if (edits.pick(0, 1))
                addRun(*side, edits.pick(1, 9));
            if (edits.pick(0, 1))
                measure(*side, side->runs.back().id, edits.pick(1, 1000));
        }
        if (edits.pick(0, 2) == 0)
            theirs.runs.erase(theirs.runs.begin(), theirs.runs.begin() + edits.pick(1, 4));
        const MergeResult merged = merge(base, mine, theirs);
        EXPECT_THAT(validate(merged.study), IsEmpty()) << seed;
        for (const study::Run& run : mine.runs) {
            const bool isKept =
                run.results.empty() || std::ranges::any_of(merged.study.runs, [&](const study::Run& kept) {
                    return kept.settings == run.settings && kept.results == run.results;
                });
            EXPECT_TRUE(isKept) << "seed " << seed << ", run " << run.id;
        }
        for (const study::Run& run : theirs.runs) {
            const bool isKept = run.results.empty() || !merged.conflicts.empty() ||
                                std::ranges::any_of(merged.study.runs, [&](const study::Run& kept) {
                                    return kept.settings == run.settings && kept.results == run.results;
                                });
            EXPECT_TRUE(isKept) << "seed " << seed << ", run " << run.id;
        }
    }
}

TEST(Merge, TenThousandRunsAreMatchedById)
{
    Study base = commonStudy();
    base.runs.clear();
    std::vector<Settings> settings(10000, {{"a", 1.0}, {"b", 0.5}});
    base = withRuns(base, settings, RunKind::Design);
    const Study mine = edited(base, [](Study& s) { measure(s, 9999, 1.0); });
    const Study theirs = edited(base, [](Study& s) { s.runs[5].block = 2; });
    const MergeResult merged = merge(base, mine, theirs);
    EXPECT_THAT(merged.conflicts, IsEmpty());
    EXPECT_EQ(findRun(merged.study, 9999)->results.at("y"), 1.0);
    EXPECT_EQ(merged.study.runs[5].block, 2);
}

TEST(ChangesInWords, CountsAndNames)
{
    const Study before = measuredStudy();
    EXPECT_EQ(changesInWords(before, before), "");
    EXPECT_EQ(changesInWords(before, edited(before, [](Study& s) { s.view["explore"].views = {{"a"}}; })),
              "");
    EXPECT_EQ(changesInWords(before, edited(before,
                                            [](Study& s) {
                                                s.factors.push_back(Factor{.name = "c"});
                                                addRun(s, 1.0);
                                            })),
              "1 factor and 1 run were added");
    EXPECT_EQ(changesInWords(before, edited(before,
                                            [](Study& s) {
                                                measure(s, 3, 1.0);
                                                s.runs[3].block = 2;
                                                s.responses[0].weight = 4.0;
                                                s.description = "text";
                                            })),
              "1 run was given results, 1 response and 1 run were changed, the description was changed");
    EXPECT_EQ(changesInWords(before, edited(before, [](Study& s) { s.runs.pop_back(); })),
              "1 run was removed");
}

class SaveMergedTest : public ::testing::Test {
protected:
    SaveMergedTest() { saveStudy(measuredStudy(), m_document); }

    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
};

TEST_F(SaveMergedTest, TakesWhatAnotherProgramHasSavedMeanwhile)
{
    const LoadedStudy loaded = loadStudy(m_document);
    saveStudy(edited(loaded.study, [](Study& s) { measure(s, 4, 40.0); }), m_document);
    const Study saved =
        saveMerged(edited(loaded.study, [](Study& s) { addRun(s, 2.0); }), loaded, m_document);
    EXPECT_EQ(loadStudy(m_document).study, saved);
    EXPECT_EQ(saved.runs.size(), 7U);
    EXPECT_EQ(saved.runs[3].results.at("y"), 40.0);
}

TEST_F(SaveMergedTest, RefusesWhatBothHaveChanged)
{
    const LoadedStudy loaded = loadStudy(m_document);
    const Study theirs = edited(loaded.study, [](Study& s) { s.name = "theirs"; });
    saveStudy(theirs, m_document);
    const auto save = [&] {
        saveMerged(edited(loaded.study, [](Study& s) { s.name = "mine"; }), loaded, m_document);
    };
    EXPECT_THAT(messageOf<DocumentChanged>(save),
                HasSubstr("the name is \"mine\" here and \"theirs\" in the file"));
    EXPECT_EQ(loadStudy(m_document).study, theirs);
}

Run doneWith(int id, double y)
{
    Run run = *findRun(testing::smallStudy(), id);
    run.status = RunStatus::Done;
    run.results = {{"y", y}};
    return run;
}

TEST(RecordMergeTest, TakesResultsIntoAStudyThatWasEdited)
{
    Study study = testing::smallStudy();
    study.description = "edited";
    insertOrReplaceRuns(study, {study::Run{.id = 61,
                                           .order = 61,
                                           .settings = {{"a", 1.0}},
                                           .status = RunStatus::Done,
                                           .results = {{"y", 6.0}}}});
    const study::Run first = doneWith(1, 1.0);
    const study::Run second = doneWith(2, 2.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&first}, {&second}}, study).empty());
    EXPECT_EQ(*findRun(study, 1), first);
    EXPECT_EQ(*findRun(study, 2), second);
    EXPECT_EQ(findRun(study, 61)->results.at("y"), 6.0);
    EXPECT_EQ(study.description, "edited");
}

TEST(RecordMergeTest, LeavesResultsOfOtherSettings)
{
    Study study = testing::smallStudy();
    study.runs[0].settings["a"] = 3.0;
    const Study before = study;
    const study::Run first = doneWith(1, 1.0);
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&first}}, study), std::vector{1});
    EXPECT_EQ(study, before);
}

TEST(RecordMergeTest, NeverReplacesAResultOfSomebodyElse)
{
    Study study = testing::smallStudy();
    study.runs[0] = doneWith(1, 42.0);
    const Study before = study;
    const study::Run own = doneWith(1, 1.0);
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&own}}, study), std::vector{1});
    EXPECT_EQ(study, before);
    // The result that was there when the runner began is what was to be measured again.
    const study::Run former = doneWith(1, 42.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&own, &former}}, study).empty());
    EXPECT_EQ(study.runs[0], own);
}

TEST(RecordMergeTest, BringsBackRunsThatHaveEndedAndNoOthers)
{
    Study study = testing::smallStudy();
    study.runs.resize(1);
    const study::Run second = doneWith(2, 2.0);
    study::Run third = doneWith(3, 3.0);
    third.status = RunStatus::Pending;
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&second}, {&third}}, study).empty());
    EXPECT_EQ(study.runs.size(), 2U);
}

TEST(RecordMergeTest, KeepsBaselinesAndRunsApart)
{
    Study study = testing::smallStudy();
    study::Run baseline = doneWith(2, 5.0);
    baseline.kind = RunKind::Baseline;
    EXPECT_EQ(mergeRecords(std::vector<KnownRun>{{&baseline}}, study), std::vector{2});
    baseline.id = 4;
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&baseline}}, study).empty());
    EXPECT_EQ(study.baselines.size(), 1U);
}

TEST(RecordMergeTest, GivesBackWhatAnOlderVersionLacksAndNoMore)
{
    Study study = testing::smallStudy();
    study.runs[1] = doneWith(2, 42.0);
    study.runs[2].status = RunStatus::Excluded;
    study.runs[2].reason = "by hand";
    const study::Run first = doneWith(1, 1.0);
    const study::Run second = doneWith(2, 2.0);
    const study::Run third = doneWith(3, 3.0);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&first, &first, false},
                                                   {&second, &second, false},
                                                   {&third, &third, false}},
                             study)
                    .empty());
    EXPECT_EQ(study.runs[0], first);
    EXPECT_EQ(study.runs[1], doneWith(2, 42.0));
    EXPECT_EQ(study.runs[2].status, RunStatus::Excluded);
    EXPECT_TRUE(mergeRecords(std::vector<KnownRun>{{&third}}, study).empty());
    EXPECT_EQ(study.runs[2].status, RunStatus::Excluded);
    EXPECT_EQ(study.runs[2].reason, "by hand");
    EXPECT_EQ(study.runs[2].results, third.results);
}

TEST(RecordSizeTest, TheLargestDetailsGoFirstAndAreNamed)
{
    Study study = testing::smallStudy();
    study.runs[0] = doneWith(1, 1.0);
    study.runs[0].provenance.host = "here";
    study.runs[0].provenance.unknown = {{"large", '"' + std::string(30000, 'x') + '"'}, {"small", "1"}};
    study.runs[1].provenance.unknown = {{"small", "2"}};
    const Study before = study;
    trimRecords(study, 24000);
    EXPECT_LE(writeStudy(study).size(), 24000U);
    EXPECT_EQ(study.runs[0].provenance.unknown, (UnknownKeys{{"left_out", R"(["large"])"}, {"small", "1"}}));
    EXPECT_EQ(study.runs[0].results, before.runs[0].results);
    EXPECT_EQ(study.runs[0].provenance.host, "here");
    EXPECT_EQ(study.runs[1], before.runs[1]);
}

} // namespace
} // namespace quadric::study
