// SPDX-License-Identifier: GPL-3.0-or-later
// A journal belongs to its study: what is beside a document and of another one is neither applied nor lost.
#include "core/study/files/journal.h"
#include "core/study/files/study_identity.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <functional>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;

Study withId(std::string id)
{
    Study study = testing::smallStudy();
    study.id = std::move(id);
    return study;
}

Run measured(const Study& study, int id)
{
    Run run = *findRun(study, id);
    run.status = RunStatus::Done;
    run.results = {{"y", 10.0 * id}};
    return run;
}

/// A study is measured in part, its runner is killed, and somebody does this to the document.
struct Change {
    std::string name;
    bool hasId = true;
    std::function<void(Study&)> change;
    std::string refusedBecause; ///< empty: the journal still belongs to it
};

class ChangedStudyTest : public ::testing::TestWithParam<Change> {
protected:
    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
    std::filesystem::path m_journal = m_folder / "s.quadric-journal";
};

TEST_P(ChangedStudyTest, TakesItsOwnRecordsOnly)
{
    Study study = withId(GetParam().hasId ? "first" : "");
    {
        JournalWriter writer(m_document, makeOwner(study));
        writer.append(measured(study, 1));
        writer.append(measured(study, 2));
    }
    const std::string journal = contentOf(m_journal);
    EXPECT_THAT(journal, ::testing::StartsWith(R"({"journal_of": ")"));
    GetParam().change(study);
    saveStudy(study, m_document);
    const std::string document = contentOf(m_document);
    const LoadedStudy loaded = loadStudy(m_document);
    if (GetParam().refusedBecause.empty()) {
        EXPECT_EQ(loaded.refusedJournal, "");
        EXPECT_EQ(findRun(loaded.study, 2)->results.at("y"), 20.0);
        return;
    }
    EXPECT_EQ(loaded.study, study);
    EXPECT_THAT(loaded.refusedJournal,
                ::testing::AllOf(HasSubstr("s.quadric-journal: "), HasSubstr(GetParam().refusedBecause),
                                 HasSubstr("move")));
    EXPECT_THAT(loaded.warnings, ::testing::Contains(loaded.refusedJournal));
    EXPECT_EQ(messageOf<DocumentError>([this] { foldJournal(m_document); }), loaded.refusedJournal);
    EXPECT_EQ(contentOf(m_document), document);
    EXPECT_EQ(contentOf(m_journal), journal);
}

const auto kNothing = [](Study&) {};
const auto kOtherSettings = [](Study& study) { study.runs[1].settings["a"] = 7.5; };
const auto kOtherFactors = [](Study& study) {
    study.factors[0].name = "z";
    for (Run& run : study.runs)
        run.settings = {{"z", 1.0 * run.id}};
};
const auto kResponses = [](Study& study) {
    study.description = "edited";
    study.responses.push_back(Response{.name = "z"});
};
const auto kOtherId = [](Study& study) { study.id = "second"; };
const auto kRename = [](Study& study) { study.name = "renamed"; };
const auto kFewerRuns = [](Study& study) { study.runs.resize(1); };
const auto kOtherCommand = [](Study& study) { study.fixed["network"] = std::string("other"); };
const auto kOtherKind = [](Study& study) { study.runs[0].kind = RunKind::Center; };
const auto kLimits = [](Study& study) { study.benchmark.timeoutSeconds = 7.0; };

INSTANTIATE_TEST_SUITE_P(
    Changes, ChangedStudyTest,
    ::testing::Values(Change{"Nothing", true, kNothing, ""}, Change{"NothingWithoutId", false, kNothing, ""},
                      Change{"Responses", true, kResponses, ""},
                      Change{"ResponsesWithoutId", false, kResponses, ""},
                      Change{"LimitsWithoutId", false, kLimits, ""}, Change{"Name", true, kRename, ""},
                      Change{"FixedSettings", true, kOtherCommand, ""},
                      Change{"AnOlderVersion", true, kFewerRuns, ""},
                      Change{"AnOlderVersionWithoutId", false, kFewerRuns, ""},
                      Change{"MadeAnewTheSame", true, kOtherId, "another study, \"small\""},
                      Change{"OtherSettings", true, kOtherSettings, "run 2 has other settings"},
                      Change{"OtherSettingsWithoutId", false, kOtherSettings, "run 2 has other settings"},
                      Change{"OtherFactors", true, kOtherFactors, "run 1 has other settings"},
                      Change{"OtherFactorsWithoutId", false, kOtherFactors, "run 1 has other settings"},
                      Change{"OtherKind", true, kOtherKind, "run 1 is of kind design"},
                      Change{"OtherCommandWithoutId", false, kOtherCommand, "another study"},
                      Change{"OtherNameWithoutId", false, kRename, "another study"}),
    [](const auto& change) { return change.param.name; });

class OldJournalTest : public ChangedStudyTest {};

/// Journals of versions that did not say to whom they belong.
TEST_P(OldJournalTest, IsTakenWhereAllItsSettingsAgree)
{
    Study study = withId("first");
    {
        JournalWriter writer(m_document);
        writer.append(measured(study, 1));
        writer.append(measured(study, 2));
    }
    GetParam().change(study);
    saveStudy(study, m_document);
    EXPECT_THAT(loadStudy(m_document).refusedJournal, HasSubstr(GetParam().refusedBecause));
    EXPECT_EQ(loadStudy(m_document).refusedJournal.empty(), GetParam().refusedBecause.empty());
    const auto fold = [this] { foldJournal(m_document); };
    EXPECT_EQ(messageOf<DocumentError>(fold).empty(), GetParam().refusedBecause.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Changes, OldJournalTest,
    ::testing::Values(Change{"Nothing", true, kNothing, ""}, Change{"AnOlderVersion", true, kFewerRuns, ""},
                      Change{"OtherSettings", true, kOtherSettings, "run 2 has other settings"},
                      Change{"OtherFactors", true, kOtherFactors, "run 1 has other settings"},
                      Change{"NoSuchRuns", true,
                             [](Study& study) {
                                 kOtherFactors(study);
                                 study.runs.clear();
                             },
                             "has no value for z"}),
    [](const auto& change) { return change.param.name; });

TEST(JournalOwnerTest, RecordsThatWouldMakeTheStudyUnusableAreLeftAlone)
{
    const TemporaryFolder folder;
    const std::filesystem::path document = folder / "s.quadric";
    saveStudy(testing::smallStudy(), document);
    study::Run planted = measured(testing::smallStudy(), 1);
    planted.id = 9;
    planted.block = 1;
    planted.settings["a"] = std::string("no number");
    JournalWriter(document).append(planted);
    const LoadedStudy loaded = loadStudy(document);
    EXPECT_EQ(loaded.study, testing::smallStudy());
    EXPECT_THAT(loaded.refusedJournal, HasSubstr("the study cannot be used"));
}

TEST(JournalOwnerTest, AWriterThatGoesOnSaysOnceToWhomTheRecordsBelong)
{
    const TemporaryFolder folder;
    const std::filesystem::path document = folder / "s.quadric";
    const Study study = withId("first");
    JournalWriter(document).append(measured(study, 1)); // as an older version has left it
    for (int i = 0; i < 2; ++i)
        JournalWriter(document, makeOwner(study)).append(measured(study, 2));
    const JournalContents contents = readJournal(document);
    EXPECT_EQ(contents.runs.size(), 3U);
    EXPECT_EQ(contents.owners, std::vector{makeOwner(study)});
    const std::string text = contentOf(folder / "s.quadric-journal");
    EXPECT_EQ(text.find("journal_of"), text.rfind("journal_of"));
}

TEST(JournalOwnerTest, AnIdIsKeptAndNoTwoAreAlike)
{
    EXPECT_NE(makeStudyId(), makeStudyId());
    EXPECT_EQ(makeStudyId().size(), 32U);
    const Study study = withId("first");
    const LoadedStudy loaded = parseStudy(writeStudy(study), "s");
    EXPECT_EQ(loaded.study, study);
    EXPECT_TRUE(loaded.warnings.empty());
    EXPECT_EQ(computeIdentity(loaded.study), "first");
}

TEST(JournalOwnerTest, AWriterSeesWhatOthersDoToItsFile)
{
    const TemporaryFolder folder;
    const std::filesystem::path document = folder / "s.quadric";
    const std::filesystem::path journal = folder / "s.quadric-journal";
    JournalWriter writer(document);
    writer.append(measured(testing::smallStudy(), 1));
    EXPECT_TRUE(writer.isIntact() && writer.isInPlace());
    std::filesystem::rename(journal, folder / "moved");
    EXPECT_TRUE(writer.isIntact() && !writer.isInPlace());
    EXPECT_EQ(writer.findPlace(), std::filesystem::canonical(folder.path()) / "moved");
    std::filesystem::rename(folder / "moved", journal);
    testing::writeFile(journal, "");
    EXPECT_TRUE(!writer.isIntact() && writer.isInPlace());
    std::filesystem::remove(journal);
    EXPECT_FALSE(writer.isIntact() || writer.isInPlace());
}

} // namespace
} // namespace quadric::study
