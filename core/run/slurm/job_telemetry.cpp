// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_telemetry.h"

#include "core/machine/json_text.h"
#include "core/machine/record.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace quadric::run {

namespace {

constexpr std::size_t kMostNodes = 4096;

/// The nodes that have a file of this kind, in the order of their names.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder, const char* kind)
{
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == kind && files.size() < kMostNodes)
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// Empty where the line is no sample.
std::string withNode(const std::string& line, const std::string& node)
{
    if (!machine::parseReading(line))
        return {};
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line);
    json["node"] = node;
    return machine::textOf(json);
}

} // namespace

JobTelemetry::JobTelemetry(JobFolder folder)
    : m_job(std::move(folder))
    , m_folder(folderIn(m_job.path()))
{
}

std::vector<std::string> JobTelemetry::readMore()
{
    std::vector<std::string> samples;
    for (const std::filesystem::path& file : filesOf(m_folder, ".samples")) {
        const std::string name = file.stem().string();
        Node& node = m_nodes.try_emplace(name, Node{m_job.tailOf(file), {}}).first->second;
        const QByteArray more = node.file.read().text;
        for (const Line& line : node.lines.feed({more.constData(), static_cast<std::size_t>(more.size())})) {
            if (const std::string sample = withNode(line.text, name); !sample.empty())
                samples.push_back(sample);
        }
    }
    return samples;
}

machine::Findings JobTelemetry::findings() const
{
    std::vector<std::string> records;
    for (const std::filesystem::path& file : filesOf(m_folder, ".summary"))
        records.push_back(m_job.tailOf(file).read().text.toStdString());
    return machine::findingsOfNodes(records);
}

} // namespace quadric::run
