// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/companion_file.h"

#include "study_fixtures.h"

#include <gmock/gmock.h>

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
    const std::filesystem::path path = folder / "study.quadric-lock", victim = folder / "victim";
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

} // namespace
} // namespace quadric::study
