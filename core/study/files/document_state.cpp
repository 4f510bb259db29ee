// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/document_state.h"

#include "core/study/document/document.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <functional>
#include <sys/file.h>
#include <thread>

namespace quadric::study {
namespace {

constexpr int kLockAttempts = 50;
constexpr std::chrono::milliseconds kLockPause{10};
constexpr int kMostConflicts = 1000;

std::filesystem::path makeConflictPath(const std::filesystem::path& document, int number)
{
    std::filesystem::path path = document;
    const std::string mark = number == 1 ? " (conflict)" : " (conflict " + std::to_string(number) + ")";
    path.replace_filename(document.stem().string() + mark + document.extension().string());
    return path;
}

} // namespace

bool hasSameContent(const DocumentState& a, const DocumentState& b)
{
    const bool isMissing = a.identity == FileIdentity{};
    return isMissing == (b.identity == FileIdentity{}) && a.identity.size == b.identity.size &&
           a.hash == b.hash;
}

DocumentState makeState(const FileIdentity& identity, std::string_view text)
{
    DocumentState state{identity, std::hash<std::string_view>{}(text)};
    state.identity.size = static_cast<std::int64_t>(text.size());
    return state;
}

DocumentState readState(const std::filesystem::path& document)
{
    const FileIdentity identity = identityOf(document);
    const std::optional<std::string> text = readTextFileIfThere(document);
    return text ? makeState(identity, *text) : DocumentState{};
}

SaveLock::SaveLock(const std::filesystem::path& document)
    : m_folder(::open(folderOf(resolved(document)).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    for (int attempt = 0; attempt < kLockAttempts; ++attempt) {
        if (!m_folder.isOpen() || ::flock(m_folder.get(), LOCK_EX | LOCK_NB) == 0)
            return;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return;
        std::this_thread::sleep_for(kLockPause);
    }
    throw DocumentChanged(document.string() +
                          ": not saved: another program is saving a study in this folder; try again");
}

std::filesystem::path keepBeside(const std::filesystem::path& document, std::string_view text)
{
    const SaveLock lock(document);
    for (int number = 1; number <= kMostConflicts; ++number) {
        const std::filesystem::path path = makeConflictPath(document, number);
        if (isThere(path))
            continue;
        replaceFile(path, text);
        return path;
    }
    failWithErrno(document, "no further version can be kept beside it", EEXIST);
}

} // namespace quadric::study
