// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::smallStudy;
using testing::TemporaryFolder;
using testing::writeFile;

class DocumentStateTest : public ::testing::Test {
protected:
    DocumentStateTest() { m_state = saveStudy(smallStudy(), m_document); }

    std::string saveError(const DocumentState& expected) const
    {
        Study study = smallStudy();
        study.description = "mine";
        return messageOf<DocumentChanged>([&] { saveStudy(study, m_document, expected); });
    }

    TemporaryFolder m_folder;
    std::filesystem::path m_document = m_folder / "s.quadric";
    DocumentState m_state;
};

TEST_F(DocumentStateTest, WhatWasSavedOrLoadedIsExpected)
{
    EXPECT_TRUE(hasSameContent(loadStudy(m_document).state, m_state));
    EXPECT_EQ(loadStudy(m_document).state.identity, m_state.identity);
    EXPECT_EQ(saveError(m_state), "");
    EXPECT_EQ(loadStudy(m_document).study.description, "mine");
}

TEST_F(DocumentStateTest, AFileOfTheSameContentIsExpectedWhoeverWroteIt)
{
    const std::string text = contentOf(m_document);
    std::filesystem::remove(m_document);
    writeFile(m_document, text);
    EXPECT_EQ(saveError(m_state), "");
}

TEST_F(DocumentStateTest, AChangedFileIsNotOverwritten)
{
    std::string text = contentOf(m_document);
    text.replace(text.find("small"), 5, "SMALL"); // as long as before, and its time put back
    struct stat before = {};
    ASSERT_EQ(::stat(m_document.c_str(), &before), 0);
    writeFile(m_document, text);
    const timespec times[] = {before.st_atim, before.st_mtim};
    ASSERT_EQ(::utimensat(AT_FDCWD, m_document.c_str(), times, 0), 0);
    EXPECT_THAT(saveError(m_state), HasSubstr("another program has changed the file"));
    EXPECT_EQ(contentOf(m_document), text);
    EXPECT_EQ(saveError(readState(m_document)), "");
}

TEST_F(DocumentStateTest, AMissingFileIsAChange)
{
    std::filesystem::remove(m_document);
    EXPECT_NE(saveError(m_state), "");
    EXPECT_FALSE(std::filesystem::exists(m_document));
    EXPECT_EQ(saveError(DocumentState{}), "");
    EXPECT_NE(saveError(DocumentState{}), "") << "there is one now";
}

TEST_F(DocumentStateTest, TwoWritersNeverOverwriteEachOther)
{
    constexpr int kEdits = 40;
    const auto write = [&](const char* key) {
        for (int i = 0; i < kEdits;) {
            const LoadedStudy loaded = loadStudy(m_document);
            Study study = loaded.study;
            study.unknown[key] = std::to_string(++i);
            try {
                saveStudy(study, m_document, loaded.state);
            } catch (const DocumentChanged&) {
                --i;
            }
        }
    };
    std::thread other([&] { write("theirs"); });
    for (int i = 0; i < kEdits;) {
        const LoadedStudy loaded = loadStudy(m_document);
        const auto known = loaded.study.unknown.find("mine");
        ASSERT_EQ(known == loaded.study.unknown.end() ? "0" : known->second, std::to_string(i))
            << "an edit is lost";
        Study study = loaded.study;
        study.unknown["mine"] = std::to_string(i + 1);
        try {
            saveStudy(study, m_document, loaded.state);
            ++i;
        } catch (const DocumentChanged&) { // the other one was faster
        }
    }
    other.join();
    EXPECT_EQ(loadStudy(m_document).study.unknown.at("theirs"), std::to_string(kEdits));
    EXPECT_EQ(loadStudy(m_document).study.unknown.at("mine"), std::to_string(kEdits));
}

TEST_F(DocumentStateTest, AWriterThatHangsIsNotWaitedForWithoutEnd)
{
    const FileHandle folder(::open(m_folder.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    ASSERT_EQ(::flock(folder.get(), LOCK_EX), 0);
    EXPECT_THAT(saveError(m_state), HasSubstr("try again"));
}

TEST_F(DocumentStateTest, OtherVersionsAreKeptUnderNamesOfTheirOwn)
{
    EXPECT_EQ(keepBeside(m_document, "one"), m_folder / "s (conflict).quadric");
    EXPECT_EQ(keepBeside(m_document, "two"), m_folder / "s (conflict 2).quadric");
    EXPECT_EQ(contentOf(m_folder / "s (conflict).quadric"), "one");
    EXPECT_EQ(contentOf(m_folder / "s (conflict 2).quadric"), "two");
}

} // namespace
} // namespace quadric::study
