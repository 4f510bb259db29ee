// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/file.h"

#include "core/study/files/document_state.h"
#include "core/study/files/journal.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <functional>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;
using testing::writeFile;

/// What somebody may put where a file of Quadric's own belongs. `victim` is a file of the user elsewhere.
struct Impostor {
    std::string kind;
    void (*plant)(const std::filesystem::path& path, const std::filesystem::path& victim);
};

void plantSocket(const std::filesystem::path& path, const std::filesystem::path&)
{
    const FileHandle listener(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    path.string().copy(static_cast<char*>(address.sun_path), sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
}

class CompanionImpostor : public ::testing::TestWithParam<Impostor> {
protected:
    CompanionImpostor()
    {
        writeFile(victim, "the user's own\n");
        GetParam().plant(path, victim);
    }

    TemporaryFolder folder;
    const std::filesystem::path path = folder / "study.quadric-journal", victim = folder / "victim";
};

TEST_P(CompanionImpostor, IsNeitherReadNorWritten)
{
    for (const CompanionUse use : {CompanionUse::Read, CompanionUse::Append}) {
        const std::string message = messageOf<DocumentError>([&] { openCompanion(path, use); });
        EXPECT_THAT(message, HasSubstr(path.string() + ": " + GetParam().kind));
        EXPECT_THAT(message, HasSubstr("remove it"));
    }
    EXPECT_THAT(messageOf<DocumentError>([&] { readCompanion(path); }), HasSubstr(GetParam().kind));
    EXPECT_EQ(contentOf(victim), "the user's own\n");
}

TEST_P(CompanionImpostor, GivesWayToANewFile)
{
    if (std::filesystem::is_directory(std::filesystem::symlink_status(path))) {
        EXPECT_THAT(messageOf<DocumentError>([&] { openCompanion(path, CompanionUse::CreateAnew); }),
                    HasSubstr("a folder, expected a file"));
        return;
    }
    const FileHandle file = openCompanion(path, CompanionUse::CreateAnew);
    EXPECT_EQ(writeAll(file.get(), "ours\n"), 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(std::filesystem::symlink_status(path)));
    EXPECT_EQ(contentOf(path), "ours\n");
    EXPECT_EQ(contentOf(victim), "the user's own\n");
}

const std::vector<Impostor> kImpostors = {
    {"a link to",
     [](const auto& path, const auto& victim) { std::filesystem::create_symlink(victim, path); }},
    {"a link to",
     [](const auto& path, const auto& victim) {
         std::filesystem::create_symlink(victim.string() + "-missing", path);
     }},
    {"a link to", [](const auto& path, const auto&) { std::filesystem::create_symlink("/dev/zero", path); }},
    {"a pipe", [](const auto& path, const auto&) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }},
    {"a socket", plantSocket},
    {"a folder", [](const auto& path, const auto&) { std::filesystem::create_directory(path); }},
};

INSTANTIATE_TEST_SUITE_P(All, CompanionImpostor, ::testing::ValuesIn(kImpostors));

TEST(CompanionFile, IsMadeWhereThereIsNoneAndContinuedWhereThereIs)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "companion";
    EXPECT_FALSE(openCompanion(path, CompanionUse::Read).isOpen());
    EXPECT_EQ(readCompanion(path), std::nullopt);
    EXPECT_EQ(writeAll(openCompanion(path, CompanionUse::Append).get(), "one\n"), 0);
    EXPECT_EQ(writeAll(openCompanion(path, CompanionUse::Append).get(), "two\n"), 0);
    EXPECT_EQ(readCompanion(path), "one\ntwo\n");
    EXPECT_EQ(writeAll(openCompanion(path, CompanionUse::CreateAnew).get(), "three\n"), 0);
    EXPECT_EQ(readCompanion(path), "three\n");
}

TEST(CompanionFile, ThatIsALinkIsNamedWithoutWhatATerminalObeys)
{
    const TemporaryFolder folder;
    std::filesystem::create_symlink("\x1b[2K\nall is well", folder / "companion");
    EXPECT_THAT(messageOf<DocumentError>([&] { openCompanion(folder / "companion", CompanionUse::Read); }),
                HasSubstr("a link to \\x1b[2K\\nall is well, expected"));
}

TEST(CompanionFile, WithASecondNameIsReadAndNotWritten)
{
    const TemporaryFolder folder;
    writeFile(folder / "victim", "the user's own\n");
    const std::filesystem::path path = folder / "companion";
    std::filesystem::create_hard_link(folder / "victim", path);
    EXPECT_EQ(readCompanion(path), "the user's own\n");
    EXPECT_THAT(messageOf<DocumentError>([&] { openCompanion(path, CompanionUse::Append); }),
                HasSubstr("a file with 2 names (hard links)"));
    EXPECT_EQ(writeAll(openCompanion(path, CompanionUse::CreateAnew).get(), "ours\n"), 0);
    EXPECT_EQ(contentOf(folder / "victim"), "the user's own\n");
    EXPECT_EQ(contentOf(path), "ours\n");
}

TEST(CompanionFile, IsNotReachedThroughALinkedFolderOfOurs)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    writeFile(folder / "elsewhere" / "run-1.log", "the user's own\n");
    const std::filesystem::path logs = folder / "study.quadric-logs";
    std::filesystem::create_directory_symlink("elsewhere", logs);
    for (const CompanionUse use : {CompanionUse::Read, CompanionUse::Append, CompanionUse::CreateAnew}) {
        const std::string message =
            messageOf<DocumentError>([&] { openCompanion(logs / "run-1.log", use, logs); });
        EXPECT_THAT(message, HasSubstr(logs.string() + ": a link to elsewhere, expected a folder"));
    }
    EXPECT_EQ(contentOf(folder / "elsewhere" / "run-1.log"), "the user's own\n");
}

TEST(CompanionFile, HasItsFoldersMadeForWritingOnly)
{
    const TemporaryFolder folder;
    const std::filesystem::path logs = folder / "study.quadric-logs", file = logs / "slurm-1" / "out";
    EXPECT_FALSE(openCompanion(file, CompanionUse::Read, logs).isOpen());
    EXPECT_FALSE(std::filesystem::exists(logs));
    EXPECT_EQ(writeAll(openCompanion(file, CompanionUse::CreateAnew, logs).get(), "out\n"), 0);
    EXPECT_EQ(readCompanion(file, logs), "out\n");
}

TEST(CompanionFile, MayBeInAFolderThatTheUserReachesThroughALink)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "real");
    std::filesystem::create_directory_symlink("real", folder / "linked");
    const std::filesystem::path logs = folder / "linked" / "study.quadric-logs";
    EXPECT_TRUE(openCompanion(logs / "run-1.log", CompanionUse::CreateAnew, logs).isOpen());
    EXPECT_TRUE(std::filesystem::exists(folder / "real" / "study.quadric-logs" / "run-1.log"));
}

TEST(CompanionFile, CannotBeMadeWhereTheFolderIsGone)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder / "gone" / "companion";
    EXPECT_FALSE(openCompanion(path, CompanionUse::Read).isOpen());
    EXPECT_THAT(messageOf<DocumentError>([&] { openCompanion(path, CompanionUse::Append); }),
                HasSubstr(path.string() + ": cannot be written: No such file or directory"));
}

// A journal belongs to its study: what is beside a document and of another one is neither applied nor lost.

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
