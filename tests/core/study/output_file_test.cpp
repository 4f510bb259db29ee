// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/output_file.h"

#include "core/study/files/file.h"

#include "study_fixtures.h"

#include <gmock/gmock.h>

#include <fcntl.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::study {
namespace {

using testing::contentOf;
using ::testing::HasSubstr;
using testing::messageOf;
using testing::smallStudy;
using testing::TemporaryFolder;

class OutputFileTest : public ::testing::Test {
protected:
    void put(const std::string& name, const std::string& text) const
    {
        std::ofstream(m_folder / name) << text;
    }

    TemporaryFolder m_folder;
};

TEST(DocumentKindTest, KnowsStudiesByTheirContent)
{
    const std::string text = writeStudy(smallStudy());
    EXPECT_EQ(documentKindOf(text), DocumentKind::Study);
    EXPECT_EQ(documentKindOf("\n  " + text), DocumentKind::Study);
    EXPECT_EQ(documentKindOf(text.substr(0, text.size() - 5)), DocumentKind::Study) << "torn";
    EXPECT_EQ(documentKindOf(R"({"name": "last", "quadric": 1})"), DocumentKind::Study);
    EXPECT_EQ(documentKindOf(R"({"quadric": 1, "runs": [{"id": 1, "coded": {}}]})"), DocumentKind::Export);
    EXPECT_EQ(documentKindOf(R"({"quadric": 1, "runs": [{"id": 1, "coded": {}}, {"id": 2}]})"),
              DocumentKind::Study);
    EXPECT_EQ(documentKindOf(R"({"name": "package", "inner": {"quadric": 1}})"), DocumentKind::Other);
    EXPECT_EQ(documentKindOf("[1]"), DocumentKind::Other);
    EXPECT_EQ(documentKindOf(""), DocumentKind::Other);
}

TEST_F(OutputFileTest, FindsStudiesAndTheirFiles)
{
    put("s.quadric", "");
    put("s.txt", writeStudy(smallStudy()));
    std::filesystem::create_symlink("s.txt", m_folder / "link");
    EXPECT_EQ(findProtected(m_folder / "s.quadric"), "a study") << "by its name";
    EXPECT_EQ(findProtected(m_folder / "s.txt"), "a study");
    EXPECT_EQ(findProtected(m_folder / "link"), "a study");
    EXPECT_EQ(findProtected(m_folder / "s.quadric-journal"), "the journal of a study");
    EXPECT_EQ(findProtected(m_folder / "gone.quadric-lock"), "the lock of a study");
    EXPECT_EQ(findProtected(m_folder / "s.txt-events"), "the events of a study");
    EXPECT_EQ(findProtected(m_folder / "notes-journal"), "");
    EXPECT_EQ(findProtected(m_folder / "new.quadric"), "");
    EXPECT_EQ(findProtected("/dev/null"), "");
}

TEST_F(OutputFileTest, RefusesThemAndWritesTheRest)
{
    put("s.txt", writeStudy(smallStudy()));
    EXPECT_THAT(messageOf<DocumentError>([&] { writeOutput(m_folder / "s.txt", "table"); }),
                HasSubstr("s.txt: a study, expected another file"));
    EXPECT_EQ(contentOf(m_folder / "s.txt"), writeStudy(smallStudy()));
    put("t.csv", "old");
    writeOutput(m_folder / "t.csv", "new");
    EXPECT_EQ(contentOf(m_folder / "t.csv"), "new");
}

TEST_F(OutputFileTest, WritesIntoAPipeAndReplacesNone)
{
    const std::filesystem::path pipe = m_folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const FileHandle reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
    writeOutput(pipe, "text");
    char text[8] = {};
    EXPECT_EQ(::read(reader.get(), text, sizeof text), 4);
    EXPECT_STREQ(text, "text");
    EXPECT_THAT(messageOf<DocumentError>([&] { saveStudy(smallStudy(), pipe); }),
                HasSubstr("pipe: cannot be written: not an ordinary file"));
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

} // namespace
} // namespace quadric::study
