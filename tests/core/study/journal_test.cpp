// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/document/json.h"
#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::TemporaryFolder;
using testing::writeFile;

class JournalTest : public ::testing::Test {
protected:
    JournalTest() { saveStudy(testing::smallStudy(), m_document); }

    static study::Run doneRun(int id, double y)
    {
        return {.id = id,
                .order = 4 - id,
                .settings = {{"a", 5.0 * (id - 1)}},
                .status = RunStatus::Done,
                .results = {{"y", y}},
                .provenance = {Source::Measured, {}}};
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
    std::filesystem::path m_journal = m_folder / "s.quadric-journal";
};

TEST_F(JournalTest, LiesBesideTheDocument)
{
    EXPECT_EQ(journalPath(m_document), m_journal);
    std::filesystem::create_symlink(m_document, m_folder / "link.quadric");
    EXPECT_EQ(journalPath(resolved(m_folder / "link.quadric")),
              std::filesystem::canonical(m_folder.path()) / "s.quadric-journal");
}

TEST_F(JournalTest, NoJournalIsAnEmptyOne)
{
    EXPECT_TRUE(readJournal(m_document).runs.empty());
    EXPECT_EQ(loadStudy(m_document).journalRecords, 0);
    foldJournal(m_document);
    EXPECT_FALSE(std::filesystem::exists(m_journal));
}

TEST_F(JournalTest, TheLastRecordOfARunWins)
{
    {
        JournalWriter writer(m_document);
        study::Run running = doneRun(2, 0.0);
        running.status = RunStatus::Running;
        running.results.clear();
        writer.append(running);
        writer.append(doneRun(2, 7.5));
        writer.append(doneRun(9, 1.0));
    }
    const LoadedStudy loaded = loadStudy(m_document);
    EXPECT_EQ(loaded.journalRecords, 3);
    ASSERT_EQ(loaded.study.runs.size(), 4U);
    EXPECT_EQ(*findRun(loaded.study, 2), doneRun(2, 7.5));
    EXPECT_EQ(*findRun(loaded.study, 9), doneRun(9, 1.0));
    EXPECT_EQ(findRun(loaded.study, 1)->status, RunStatus::Pending);
}

TEST_F(JournalTest, RecordsAreOneLineWhateverTheyHold)
{
    study::Run run = doneRun(1, 0.1 + 0.2);
    run.status = RunStatus::Failed;
    run.failure = Failure{"crash", "first\nsecond\r\n\"third\""};
    run.unknown = {{"note", R"({"x": [1, 2]})"}};
    JournalWriter(m_document).append(run);
    const std::string text = contentOf(m_journal);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
    EXPECT_EQ(readJournal(m_document).runs, std::vector<study::Run>{run});
}

TEST_F(JournalTest, EveryTornTailIsDroppedAndCutByTheNextWriter)
{
    JournalWriter(m_document).append(doneRun(1, 1.0));
    const std::string first = contentOf(m_journal);
    const std::string second = writeRun(doneRun(2, 2.0));
    for (std::size_t size = 1; size <= second.size(); ++size) {
        writeFile(m_journal, first + second.substr(0, size));
        const JournalContents contents = readJournal(m_document);
        EXPECT_TRUE(contents.tornLine);
        EXPECT_EQ(contents.runs, std::vector<study::Run>{doneRun(1, 1.0)});
    }
    EXPECT_THAT(loadStudy(m_document).warnings,
                ::testing::Contains(HasSubstr("the last line is incomplete")));
    JournalWriter(m_document).append(doneRun(3, 3.0));
    const JournalContents contents = readJournal(m_document);
    EXPECT_FALSE(contents.tornLine);
    EXPECT_EQ(contents.runs, (std::vector<study::Run>{doneRun(1, 1.0), doneRun(3, 3.0)}));
}

TEST_F(JournalTest, ALastLineOfRubbishCountsAsTorn)
{
    JournalWriter(m_document).append(doneRun(1, 1.0));
    writeFile(m_journal, contentOf(m_journal) + std::string(4096, '\0') + "\n");
    EXPECT_TRUE(readJournal(m_document).tornLine);
    JournalWriter(m_document).append(doneRun(2, 2.0));
    EXPECT_EQ(readJournal(m_document).runs.size(), 2U);
}

struct Damage {
    std::string name;
    std::string between; ///< that stands between the records of run 1 and run 2
    std::size_t broken = 1;
};

class DamagedJournalTest : public JournalTest, public ::testing::WithParamInterface<Damage> {};

TEST_P(DamagedJournalTest, CostsTheBrokenLinesAndIsKeptAside)
{
    {
        JournalWriter writer(m_document, makeOwner(testing::smallStudy()));
        writer.append(doneRun(1, 1.0));
    }
    const std::string damaged = contentOf(m_journal) + GetParam().between + writeRun(doneRun(2, 2.0)) + "\n";
    writeFile(m_journal, damaged);
    const LoadedStudy loaded = loadStudy(m_document);
    EXPECT_EQ(*findRun(loaded.study, 1), doneRun(1, 1.0));
    EXPECT_EQ(*findRun(loaded.study, 2), doneRun(2, 2.0));
    EXPECT_EQ(loaded.isJournalBroken, GetParam().broken > 0);
    const auto named = ::testing::AllOf(HasSubstr("s.quadric-journal: left out"), HasSubstr("line 3 ("));
    EXPECT_EQ(::testing::Value(loaded.warnings, ::testing::Contains(named)), GetParam().broken > 0);
    EXPECT_EQ(readJournal(m_document).brokenLines, GetParam().broken);
    foldJournal(m_document);
    EXPECT_EQ(findRun(loadWithoutJournal(m_document).study, 2)->results.at("y"), 2.0);
    EXPECT_FALSE(std::filesystem::exists(m_journal));
    EXPECT_EQ(contentOf(m_folder / "s.quadric-journal.damaged"), GetParam().broken > 0 ? damaged : "");
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, DamagedJournalTest,
    ::testing::Values(Damage{"Garbage", "{\"id\": }\n"}, Damage{"EmptyLine", "\n"},
                      Damage{"Nulls", std::string(4096, '\0') + "\n"},
                      Damage{"NullsInARecord", "{\"id\": 2" + std::string(100, '\0') + "}\n"},
                      Damage{"OtherJson", "[1, 2]\n"}, Damage{"ADocument", "{\"quadric\": 1}\n"},
                      Damage{"Binary", "\xff\xfe\x80\n\x01\x02\n\n\n", 4}, Damage{"CarriageReturn", "\r\n"},
                      Damage{"DoubledLine",
                             writeRun(Run{.id = 3, .order = 1, .settings = {{"a", 10.0}}}) + "\r\n" +
                                 writeRun(Run{.id = 3, .order = 1, .settings = {{"a", 10.0}}}) + "\n",
                             0}),
    [](const auto& damage) { return damage.param.name; });

TEST_F(JournalTest, WhatIsSetAsideReplacesNothing)
{
    for (const char* text : {"first", "second", "third"}) {
        writeFile(m_journal, text);
        setAside(m_journal);
    }
    EXPECT_EQ(contentOf(m_folder / "s.quadric-journal.damaged"), "first");
    EXPECT_EQ(contentOf(m_folder / "s.quadric-journal.damaged-2"), "second");
    EXPECT_EQ(contentOf(m_folder / "s.quadric-journal.damaged-3"), "third");
}

/// A hole in the file: what a journal of a terabyte costs is one broken line, which nobody keeps or reads.
TEST_F(JournalTest, IsReadWhateverItsSize)
{
    JournalWriter(m_document).append(doneRun(1, 1.0));
    const auto size = std::filesystem::file_size(m_journal) + (std::uintmax_t{1} << 40);
    std::filesystem::resize_file(m_journal, size);
    std::ofstream(m_journal, std::ios::app) << "\n" << writeRun(doneRun(2, 2.0)) << "\n";
    const JournalContents contents = readJournal(m_document);
    EXPECT_EQ(contents.runs, (std::vector<study::Run>{doneRun(1, 1.0), doneRun(2, 2.0)}));
    ASSERT_EQ(contents.brokenLines, 1U);
    EXPECT_THAT(contents.broken.front().why, HasSubstr("longer than"));
    JournalWriter(m_document).append(doneRun(3, 3.0)); // behind the last record, not into the hole
    EXPECT_EQ(readJournal(m_document).runs.size(), 3U);
}

TEST_F(JournalTest, FoldingMovesTheRecordsIntoTheDocument)
{
    JournalWriter(m_document).append(doneRun(2, 7.5));
    foldJournal(m_document);
    EXPECT_FALSE(std::filesystem::exists(m_journal));
    const LoadedStudy loaded = loadStudy(m_document);
    EXPECT_EQ(loaded.journalRecords, 0);
    EXPECT_EQ(*findRun(loaded.study, 2), doneRun(2, 7.5));
}

TEST_F(JournalTest, ACrashBetweenReplaceAndRemovalIsHarmless)
{
    JournalWriter(m_document).append(doneRun(2, 7.5));
    const std::string journal = contentOf(m_journal);
    foldJournal(m_document);
    const std::string folded = contentOf(m_document);
    writeFile(m_journal, journal); // as if it had not been removed
    EXPECT_EQ(writeStudy(loadStudy(m_document).study), folded);
    foldJournal(m_document);
    EXPECT_EQ(contentOf(m_document), folded);
}

TEST_F(JournalTest, ARunLeftRunningStaysAsItIs)
{
    study::Run running = doneRun(1, 0.0);
    running.results.clear();
    running.status = RunStatus::Running;
    JournalWriter(m_document).append(running);
    EXPECT_EQ(findRun(loadStudy(m_document).study, 1)->status, RunStatus::Running);
}

TEST_F(JournalTest, AResultThatIsNotFiniteIsRefusedBeforeAnythingIsWritten)
{
    JournalWriter writer(m_document);
    EXPECT_THROW(writer.append(doneRun(1, HUGE_VAL)), DocumentError);
    EXPECT_EQ(contentOf(m_journal), "");
}

/// In the child: append until killed, and tell the parent each id after append() has returned.
[[noreturn]] void appendForever(const std::filesystem::path& document, int confirm)
{
    JournalWriter writer(document);
    for (int id = 1;; ++id) {
        writer.append({.id = id, .order = id, .settings = {{"a", 1.0}}, .results = {{"y", 0.5 * id}}});
        if (::write(confirm, &id, sizeof id) != sizeof id)
            ::_exit(1);
    }
}

TEST_F(JournalTest, NothingConfirmedIsLostWhenTheWriterIsKilled)
{
    for (int round = 0; round < 5; ++round) {
        std::filesystem::remove(m_journal);
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0)
            appendForever(m_document, ends[1]);
        ::close(ends[1]);
        int id = 0;
        int confirmed = 0;
        while (::read(ends[0], &id, sizeof id) == sizeof id) {
            confirmed = id;
            if (id == 20 + 7 * round)
                ::kill(child, SIGKILL);
        }
        ::close(ends[0]);
        ::waitpid(child, nullptr, 0);
        const JournalContents contents = readJournal(m_document);
        ASSERT_GE(contents.runs.size(), static_cast<std::size_t>(confirmed));
        for (int i = 0; i < confirmed; ++i) {
            EXPECT_EQ(contents.runs[static_cast<std::size_t>(i)].id, i + 1);
            EXPECT_EQ(contents.runs[static_cast<std::size_t>(i)].results.at("y"), 0.5 * (i + 1));
        }
    }
}

/// In a child whose files may only grow by a little: the append must fail, say so, and leave no half line.
int appendToAFullDisk(const std::filesystem::path& document, const study::Run& run)
{
    ::signal(SIGXFSZ, SIG_IGN);
    JournalWriter writer(document);
    const auto room = static_cast<rlim_t>(std::filesystem::file_size(journalPath(document)) + 20);
    const rlimit limit{room, room};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 2;
    try {
        writer.append(run);
    } catch (const DocumentError& error) {
        return std::string(error.what()).find("run 2 cannot be written: File too large") != std::string::npos
                   ? 0
                   : 3;
    }
    return 4;
}

TEST_F(JournalTest, AFullDiskLeavesNoHalfLine)
{
    JournalWriter(m_document).append(doneRun(1, 1.0));
    const std::string before = contentOf(m_journal);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        ::_exit(appendToAFullDisk(m_document, doneRun(2, 2.0)));
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
    EXPECT_EQ(contentOf(m_journal), before);
}

/// In the child: write records and fold them, over and over.
[[noreturn]] void foldForever(const std::filesystem::path& document, int ready)
{
    for (int value = 1;; ++value) {
        study::Run run{.id = 1, .order = 3, .settings = {{"a", 0.0}}, .status = RunStatus::Running};
        JournalWriter(document).append(run);
        run.status = RunStatus::Done;
        run.results = {{"y", double(value)}};
        JournalWriter(document).append(run);
        foldJournal(document);
        if (value == 1 && ::write(ready, "x", 1) != 1)
            ::_exit(1);
    }
}

TEST_F(JournalTest, ReadingWhileItIsFoldedNeverGoesBackInTime)
{
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0)
        foldForever(m_document, ends[1]);
    ::close(ends[1]);
    char byte = 0;
    ASSERT_EQ(::read(ends[0], &byte, 1), 1);
    double last = 0.0;
    for (int i = 0; i < 300; ++i) {
        const LoadedStudy loaded = loadStudy(m_document);
        const study::Run& run = *findRun(loaded.study, 1);
        if (run.status != RunStatus::Done)
            continue;
        EXPECT_GE(run.results.at("y"), last);
        last = run.results.at("y");
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(ends[0]);
    EXPECT_GE(last, 1.0);
}

} // namespace
} // namespace quadric::study
