// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/document_state.h"

#include "core/study/document/document.h"
#include "core/study/document/document_json.h"
#include "core/study/document/member_json.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <functional>
#include <random>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>

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

std::string hexadecimal(std::uint64_t number)
{
    std::array<char, 17> text{};
    std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(number));
    return text.data();
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo): it tells studies apart, and protects from nobody.
std::uint64_t hashText(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : text)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
}

/// What is measured; limits, repetitions and places of execution are none of it.
Benchmark withoutExecution(const Benchmark& benchmark)
{
    Benchmark measured;
    measured.workload = benchmark.workload;
    measured.engine = benchmark.engine;
    measured.options = benchmark.options;
    measured.argv = benchmark.argv;
    measured.env = benchmark.env;
    measured.cwd = benchmark.cwd;
    measured.writes = benchmark.writes;
    measured.parse = benchmark.parse;
    return measured;
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
    const std::optional<std::string> text = readDocumentIfThere(document);
    return text ? makeState(identity, *text) : DocumentState{};
}

SaveLock::SaveLock(const std::filesystem::path& document)
    : m_folder(::open(folderOf(document).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    for (int attempt = 0; attempt < kLockAttempts; ++attempt) {
        if (!m_folder.isOpen() || ::flock(m_folder.get(), LOCK_EX | LOCK_NB) == 0)
            return;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return;
        std::this_thread::sleep_for(kLockPause);
    }
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

std::string makeStudyId()
{
    std::random_device device;
    const auto random = [&device] { return (std::uint64_t{device()} << 32) | device(); };
    return hexadecimal(random()) + hexadecimal(random());
}

std::string computeIdentity(const Study& study)
{
    if (!study.id.empty())
        return study.id;
    const OrderedJson measured = {{"name", study.name},
                                  {"fixed", writeValue(study.fixed)},
                                  {"benchmark", benchmarkJson(withoutExecution(study.benchmark))}};
    return "content-" + hexadecimal(hashText(toLine(measured)));
}

} // namespace quadric::study
