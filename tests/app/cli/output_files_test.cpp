// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

namespace quadric::test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class OutputFilesTest : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        example("resnet50-scaling.quadric");
        fs::rename(file("resnet50-scaling.quadric"), file("s.quadric"));
    }

    void writeText(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name), std::ios::binary) << text;
    }

    std::string content(const std::string& name) const
    {
        std::ifstream in(file(name), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    /// A line for the shell in which $Q is the program; standard error is what is returned in `err`.
    CommandResult shell(const std::string& line) const
    {
        return program("/bin/bash", {"-c", std::string("Q=") + builtPath("bin/quadric") + "; " + line});
    }

    /// The null (3) or full (7) device; not that of the machine where root could replace it.
    std::string device(const std::string& name, unsigned number) const
    {
        const std::string own = file(name);
        const bool isMade =
            ::mknod(own.c_str(), S_IFCHR | 0666, makedev(1, number)) == 0 && std::ofstream(own).is_open();
        return isMade ? own : "/dev/" + name;
    }

    std::vector<std::string> names() const
    {
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(m_folder))
            if (!entry.path().filename().string().starts_with(".out") &&
                !entry.path().filename().string().starts_with(".err"))
                found.push_back(entry.path().filename().string());
        return found;
    }
};

const std::vector<std::vector<std::string>> kWriters = {
    {"report", "s.quadric", "--sections", "summary", "-o", "r.pdf"},
    {"report", "s.quadric", "--sections", "summary", "-o", "r.html"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.pdf"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.png"},
    {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "p.svg"},
    {"thumbnail", "s.quadric", "-o", "t.png"},
    {"export", "s.quadric", "-o", "e.json"},
    {"export", "s.quadric", "-o", "e.csv"},
    {"export", "s.quadric", "-o", "e.tsv"},
    {"export", "s.quadric", "-o", "e.R"},
    {"export", "s.quadric", "-o", "e.py"},
    {"export", "s.quadric", "-o", "e.md"},
    {"export", "s.quadric", "-o", "e.tex"},
};

TEST_F(OutputFilesTest, ReplacesItsOwnFilesWholeOrNotAtAll)
{
    for (const std::vector<std::string>& writer : kWriters) {
        ASSERT_EQ(quadric(writer).status, 0) << writer.back();
        const CommandResult again = quadric(writer);
        ASSERT_EQ(again.status, 0) << again.err;
        const std::string before = content(writer.back());
        const auto files = names();
        std::string line = "trap '' XFSZ; ulimit -f 0; $Q";
        for (const std::string& argument : writer)
            line += " " + argument;
        // Through a pipe: where there is no room for files, there is none for the files of this test.
        const CommandResult failed = shell("(" + line + ") 2>&1 | cat; exit ${PIPESTATUS[0]}");
        EXPECT_EQ(failed.status, 1) << writer.back();
        EXPECT_EQ(failed.out, "quadric: " + writer.back() + ": cannot be written: File too large\n");
        EXPECT_EQ(content(writer.back()), before) << writer.back();
        EXPECT_EQ(names(), files) << "a temporary file was left";
    }
}

TEST_F(OutputFilesTest, ReplacesFilesOfAnotherKindOnlyWithForce)
{
    const std::string foreign = "import sys\n\nprint(sys.argv)\n";
    for (const std::vector<std::string>& writer : kWriters) {
        writeText(writer.back(), foreign);
        const CommandResult refused = quadric(writer);
        EXPECT_EQ(refused.status, 2) << writer.back();
        EXPECT_THAT(refused.err, HasSubstr("--force"));
        EXPECT_EQ(content(writer.back()), foreign);
    }
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "e.csv", "--force"}).status, 0);
    EXPECT_THAT(content("e.csv"), StartsWith("order,run"));
    fs::create_directory(file("plots"));
    writeText("plots/half-normal-images_per_sec.svg", foreign);
    EXPECT_EQ(quadric({"plot", "s.quadric", "--all", "plots"}).status, 2);
    EXPECT_EQ(std::distance(fs::directory_iterator(file("plots")), {}), 1) << "nothing is half done";
    writeText("package.json", R"({"name": "of something else", "runs": [{"coded": 1}]})");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "package.json"}).status, 2);
    writeText("lines.csv", "{\"a\": 1, \"b\": 2}\n{\"a\": 3, \"b\": 4}\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "lines.csv"}).status, 2);
    writeText("README.md", "# A project\n\nIn words.\n\nAnd more.\n\n| a | b |\n| - | - |\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "README.md"}).status, 2);
    writeText("other.csv", "name;value\none;1\n");
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", "other.csv"}).status, 0) << "any table may be replaced";
}

TEST_F(OutputFilesTest, NeverReplacesAStudyOrAFileOfOne)
{
    const std::string study = content("s.quadric");
    writeText("copy.csv", study);
    writeText("copy.json", study);
    writeText("copy.pdf", "\n " + study);
    writeText("torn.svg", study.substr(0, study.size() / 2));
    fs::create_symlink("copy.csv", file("link.html"));
    writeText("s.quadric-journal", "{\"id\": 1}\n");
    writeText("copy.csv-journal", "{\"id\": 1}\n");
    const std::vector<std::vector<std::string>> writers = {
        {"export", "s.quadric", "-o", "s.quadric", "--format", "csv"},
        {"export", "s.quadric", "-o", "s.quadric", "--format", "json"},
        {"export", "s.quadric", "-o", "copy.csv"},
        {"export", "copy.csv", "-o", "copy.json"},
        {"report", "s.quadric", "-o", "copy.pdf"},
        {"report", "s.quadric", "-o", "link.html"},
        {"plot", "s.quadric", "--kind", "half-normal", "--response", "images_per_sec", "-o", "torn.svg"},
        {"export", "s.quadric", "-o", "s.quadric-journal", "--format", "csv"},
        {"export", "s.quadric", "-o", "s.quadric-lock", "--format", "csv"},
        {"export", "s.quadric", "-o", "copy.csv-journal", "--format", "csv"},
    };
    for (std::vector<std::string> writer : writers) {
        writer.emplace_back("--force");
        const std::string target = *std::next(std::ranges::find(writer, "-o"));
        const std::string before = content(target);
        const CommandResult result = quadric(writer);
        EXPECT_EQ(result.status, 2) << target;
        EXPECT_THAT(result.err, HasSubstr(target)) << result.err;
        EXPECT_EQ(content(target), before) << target;
    }
    EXPECT_NE(quadric({"thumbnail", "s.quadric", "-o", "copy.csv"}).status, 0);
    EXPECT_EQ(content("copy.csv"), study);
    EXPECT_FALSE(fs::exists(file("s.quadric-lock"))) << "no file of a study is made either";
}

TEST_F(OutputFilesTest, WritesIntoDevicesAndPipes)
{
    const std::string fullDevice = device("full", 7), nullDevice = device("null", 3);
    const CommandResult full = quadric({"export", "s.quadric", "-o", fullDevice, "--format", "csv"});
    EXPECT_EQ(full.status, 1);
    EXPECT_THAT(full.err, HasSubstr(fullDevice + ": cannot be written: No space left on device"));
    EXPECT_TRUE(fs::is_character_file(fullDevice));
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", nullDevice, "--format", "csv"}).status, 0);
    EXPECT_TRUE(fs::is_character_file(nullDevice));
    const CommandResult pipe =
        shell("mkfifo f; cat f > got & $Q export s.quadric -o f --format csv; wait; head -c 14 got");
    EXPECT_THAT(pipe.out, HasSubstr("order,run,bloc")) << pipe.err;
    ASSERT_EQ(quadric({"export", "s.quadric", "-o", "e.csv"}).status, 0);
    for (const char* output : {"-", "/dev/stdout", "/proc/self/fd/1"}) {
        const CommandResult data =
            quadric({"export", "s.quadric", "-o", output, "--format", "csv", "--json"});
        EXPECT_EQ(data.out, content("e.csv")) << output;
        const CommandResult piped =
            shell("$Q export s.quadric --format csv -o " + std::string(output) + " | cat");
        EXPECT_EQ(piped.out, content("e.csv")) << output;
    }
    EXPECT_EQ(quadric({"export", "s.quadric", "-o", ".", "--format", "csv"}).status, 1);
}

TEST_F(OutputFilesTest, SaysWhatOfStandardOutputIsLost)
{
    const std::vector<std::string> commands = {
        "info s.quadric",
        "info s.quadric --json",
        "analyze s.quadric --json",
        "evaluate s.quadric",
        "export s.quadric -o - --format csv",
        "status s.quadric",
        "--help",
        "--version",
        "plot --list",
        "manual --",
    };
    for (const std::string& command : commands) {
        const CommandResult full = shell("$Q " + command + " > /dev/full");
        EXPECT_EQ(full.status, 1) << command;
        EXPECT_EQ(full.err, "quadric: standard output: not all of it was written: No space left on device\n");
        const CommandResult closed = shell("$Q " + command + " >&-");
        EXPECT_EQ(closed.status, 1) << command;
        EXPECT_THAT(closed.err, StartsWith("quadric: standard output")) << command;
    }
    EXPECT_EQ(shell("$Q new n.quadric --factor a:0:1 --response y:maximize >&-").status, 1);
    EXPECT_THAT(content("n.quadric"), StartsWith("{\n  \"quadric\": 1")) << "it is no place for messages";
}

TEST_F(OutputFilesTest, IsQuietWhereTheReaderIsGone)
{
    const CommandResult ignored =
        shell("trap '' PIPE; $Q analyze s.quadric --json | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(ignored.status, 1);
    EXPECT_EQ(ignored.err, "");
    const CommandResult ended = shell("$Q analyze s.quadric --json | true; exit ${PIPESTATUS[0]}");
    EXPECT_EQ(ended.status, 128 + SIGPIPE);
    EXPECT_EQ(ended.err, "");
}

} // namespace
} // namespace quadric::test
