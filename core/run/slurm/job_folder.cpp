// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_folder.h"

#include "core/run/cluster/number_from.h"
#include "core/run/words/run_log.h"
#include "core/run/words/worker_protocol.h"
#include "core/study/document/document.h"

#include <map>

namespace quadric::run {

JobFolder::JobFolder(const std::filesystem::path& document, const std::string& name)
    : m_logs(std::filesystem::absolute(logFolder(document)))
    , m_path(m_logs / name)
{
}

FileTail JobFolder::tailOf(const std::filesystem::path& file) const
{
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    return FileTail(file, m_logs, {kMostBytes, kMostBytes});
}

/// The job's shell follows links: none may be there, nor a file that has another name.
void JobFolder::refuseImpostors() const
{
    study::refuseImpostorOfFolder(m_logs);
    study::refuseImpostorOfFolder(m_path);
    std::error_code none;
    std::filesystem::recursive_directory_iterator entry(m_path, none);
    for (; !none && entry != std::filesystem::recursive_directory_iterator(); entry.increment(none)) {
        if (entry->is_symlink() || !entry->is_directory())
            study::refuseImpostor(entry->path(), study::CompanionUse::Append);
    }
}

void JobFolder::write(const std::string& text) const
{
    refuseImpostors();
    const study::FileHandle file = study::openCompanion(script(), study::CompanionUse::CreateAnew, m_logs);
    if (const int error = study::writeAll(file.get(), text))
        study::failWithErrno(script(), "cannot be written", error);
}

/// Of small files that a job writes; empty where there is none of ours.
std::string JobFolder::noteIn(const char* name) const
{
    constexpr std::size_t kMostBytes = 65536;
    try {
        const std::filesystem::path path = m_path / name;
        const study::FileHandle file = study::openCompanion(path, study::CompanionUse::Read, m_logs);
        return file.isOpen() ? study::readPart(file, 0, kMostBytes, path) : std::string();
    } catch (const study::DocumentError&) {
        return {};
    }
}

std::string JobFolder::claim() const
{
    return jobIdFrom(noteIn("claim"));
}

std::optional<JobEnd> JobFolder::end() const
{
    return jobEndFrom(noteIn("end"));
}

std::optional<int> JobFolder::setupStep() const
{
    const std::string note = noteIn("setup");
    return note.empty() ? std::nullopt : std::optional(numberFrom(note));
}

std::string JobFolder::setupErrors() const
{
    return noteIn("setup-errors");
}

std::vector<study::Failure> JobFolder::rankFailures() const
{
    constexpr std::string_view kBegin = "failure-", kEnd = ".json";
    std::map<int, study::Failure> failures;
    std::error_code none;
    for (std::filesystem::directory_iterator entry(m_path, none);
         !none && entry != std::filesystem::directory_iterator(); entry.increment(none)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(kBegin) || !name.ends_with(kEnd))
            continue;
        const std::string note = noteIn(name.c_str());
        const WorkerMessage message = WorkerProtocol::parseLine(note.substr(0, note.find('\n')));
        if (const auto* failure = std::get_if<WorkerFailure>(&message))
            failures.emplace(numberFrom(name.substr(kBegin.size())), failure->failure);
    }
    std::vector<study::Failure> all;
    for (const auto& [rank, failure] : failures)
        all.push_back(failure);
    return all;
}

bool JobFolder::tooMuch() const
{
    return std::filesystem::exists(m_path / "too-much");
}

} // namespace quadric::run
