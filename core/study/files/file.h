// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <sys/types.h>

namespace quadric::study {

/// The mode of new files, less the umask.
inline constexpr mode_t kNewFileMode = 0666;

/// An open file descriptor that closes itself.
class FileHandle {
public:
    explicit FileHandle(int descriptor = -1)
        : m_descriptor(descriptor)
    {
    }
    ~FileHandle();
    FileHandle(FileHandle&& other) noexcept
        : m_descriptor(other.release())
    {
    }
    FileHandle(const FileHandle&) = delete;
    FileHandle& operator=(const FileHandle&) = delete;
    FileHandle& operator=(FileHandle&& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }

    int get() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }
    int release();

private:
    int m_descriptor;
};

/// Tells one state of a file from the next: another file under the same name, or the same one changed.
struct FileIdentity {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = 0;
    std::int64_t changedNs = 0;
    bool operator==(const FileIdentity&) const = default;
};

/// All zero where there is no such file.
FileIdentity identityOf(const std::filesystem::path& path);
/// Of an open file; all zero where it is not open.
FileIdentity identityOf(const FileHandle& file);

/// Whether there is a file, or whatever else, with this name.
bool isThere(const std::filesystem::path& path);

/// Whether there is an ordinary file with this name: a link is none.
bool isFileThere(const std::filesystem::path& path);

/// The path itself, or what it points to where it is a link. For paths that come in (a command line, a
/// dialog): a document that becomes a link later is one that was moved.
std::filesystem::path resolved(const std::filesystem::path& path);

/// The folder of a file's name: "." where it names none.
std::filesystem::path folderOf(const std::filesystem::path& path);

/// The whole file. Throws DocumentError when it cannot be read, is not an ordinary file, or is larger than
/// kLargestFile.
std::string readTextFile(const std::filesystem::path& path);

/// The same, and empty where there is no such file: asking first and reading then would leave a gap in which
/// it can vanish.
std::optional<std::string> readTextFileIfThere(const std::filesystem::path& path);

/// The same of a document, whose path was resolved() when it came in: a link is refused.
std::optional<std::string> readDocumentIfThere(const std::filesystem::path& path);

/// At most `most` bytes of the open file from `offset` on. Throws DocumentError.
std::string readPart(const FileHandle& file, std::int64_t offset, std::size_t most,
                     const std::filesystem::path& path);

/// Writes everything. Returns 0 or the errno of the write that failed.
int writeAll(int descriptor, std::string_view text);

/// Makes the names in the folder of `path` survive a power failure. Errors are ignored: not every file system
/// can.
void syncFolderOf(const std::filesystem::path& path);

/// Atomic replace through a synced temporary file in the same folder; keeps the permissions. A link is not
/// followed but refused. `check` is called when only the renaming is left, and may throw. Returns the
/// identity of the new file. Throws DocumentError; what was there before stays whole.
FileIdentity replaceFile(const std::filesystem::path& path, std::string_view text,
                         const std::function<void()>& check = {});

/// Gives the file a name that is free (".damaged" or another `ending`, and a number where that is taken).
/// Returns it. Throws DocumentError.
std::filesystem::path setAside(const std::filesystem::path& file, const std::string& ending = ".damaged");

/// Throws DocumentError "PATH: what: reason of the errno".
[[noreturn]] void failWithErrno(const std::filesystem::path& path, const std::string& what, int error);

/// What a companion file is opened for: a file that Quadric itself keeps beside a document (journal, events,
/// logs).
enum class CompanionUse {
    Read,      ///< the handle is not open where there is no such file
    Append,    ///< for reading and for writing at the end; made where there is none
    CreateAnew ///< whatever has the name is removed first, so that nothing else is written through it
};

/// Opens a companion file without following a link and without waiting for a pipe. `ownFolder`, where it is
/// given, is the folder of Quadric's own in which the file is: it and all folders below it are no links
/// either, and are made for writing where they are missing. Throws DocumentError, which names the file, what
/// it is and what to do, for all that is not an ordinary file, and for writing into a file that has a second
/// name (a hard link). Reading through one is harmless: backups make such names.
FileHandle openCompanion(const std::filesystem::path& path, CompanionUse use,
                         const std::filesystem::path& ownFolder = {});

/// The whole companion file; empty where there is none. Throws DocumentError, also where it is larger than
/// kLargestFile.
std::optional<std::string> readCompanion(const std::filesystem::path& path,
                                         const std::filesystem::path& ownFolder = {});

/// Throws DocumentError, in the words of openCompanion(), where something else has the name of a companion
/// file that is to be used like this, or of a folder of them.
void refuseImpostor(const std::filesystem::path& path, CompanionUse use);
void refuseImpostorOfFolder(const std::filesystem::path& path);

} // namespace quadric::study
