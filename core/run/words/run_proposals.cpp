// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_proposals.h"

#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"

#include <sstream>

namespace quadric::run {

namespace {

using study::Json;
using study::OrderedJson;

constexpr std::size_t kMostBytes = std::size_t{1} << 20; ///< that are read
constexpr const char* kConfirmation = "confirmation";
constexpr const char* kImprovement = "improvement";

OrderedJson jsonOf(const RunProposal& proposal)
{
    const bool isConfirmation = proposal.purpose == RunProposal::Purpose::Confirmation;
    return {{"run", proposal.run},
            {"purpose", isConfirmation ? kConfirmation : kImprovement},
            {"settings", OrderedJson::parse(proposal.settings, nullptr, false)},
            {"gain", proposal.gain},
            {"runs_probability", proposal.runsProbability},
            {"seconds", proposal.seconds},
            {"repeat", proposal.isRepeat}};
}

RunProposal proposalFrom(const Json& json)
{
    RunProposal proposal;
    proposal.run = json.value("run", 0);
    if (json.value("purpose", "") == kConfirmation)
        proposal.purpose = RunProposal::Purpose::Confirmation;
    proposal.settings = json.value("settings", Json::object()).dump();
    proposal.gain = json.value("gain", 0.0);
    proposal.runsProbability = json.value("runs_probability", 1.0);
    proposal.seconds = json.value("seconds", 0.0);
    proposal.isRepeat = json.value("repeat", false);
    return proposal;
}

/// Throws what nlohmann::json throws for a line that is none of ours.
ProposalRecord recordFrom(const std::string& line)
{
    const Json json = Json::parse(line);
    ProposalRecord record;
    record.end = json.value("end", "");
    record.spent = json.value("spent", 0.0);
    record.budget = json.value("budget", 0.0);
    for (const Json& proposal : json.value("runs", Json::array()))
        record.runs.push_back(proposalFrom(proposal));
    return record;
}

std::string canonical(const std::string& settings)
{
    return Json::parse(settings, nullptr, false).dump();
}

} // namespace

bool isProposed(const RunProposal& proposal, const study::Run& run)
{
    return proposal.run == run.id &&
           canonical(proposal.settings) == canonical(study::writeSettings(run.settings));
}

std::filesystem::path proposalsPath(const std::filesystem::path& document)
{
    return logFolder(document) / "next-runs.jsonl";
}

void appendProposals(const std::filesystem::path& document, const ProposalRecord& record)
{
    OrderedJson json = {{"spent", record.spent}, {"budget", record.budget}};
    if (!record.end.empty())
        json["end"] = record.end;
    json["runs"] = OrderedJson::array();
    for (const RunProposal& proposal : record.runs)
        json["runs"].push_back(jsonOf(proposal));
    try {
        const study::FileHandle file =
            study::openCompanion(proposalsPath(document), study::CompanionUse::Append, logFolder(document));
        [[maybe_unused]] const int ignored = study::writeAll(file.get(), study::toLine(json) + "\n");
    } catch (const study::DocumentError&) {
        return;
    }
}

std::vector<ProposalRecord> readProposals(const std::filesystem::path& document)
{
    std::vector<ProposalRecord> records;
    std::optional<std::string> text;
    try {
        text = study::readCompanion(proposalsPath(document), logFolder(document));
    } catch (const study::DocumentError&) {
        return records;
    }
    if (!text)
        return records;
    if (text->size() > kMostBytes)
        text->erase(0, text->size() - kMostBytes);
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
        try {
            records.push_back(recordFrom(line));
        } catch (const Json::exception&) {
            continue; // torn, or cut
        }
    }
    return records;
}

} // namespace quadric::run
