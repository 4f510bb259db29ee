// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/record_size.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"

#include <algorithm>
#include <functional>

namespace quadric::study {
namespace {

constexpr std::size_t kMostNamed = 5;
constexpr std::size_t kLongestName = 100;

/// Where a worker can tell what nobody but itself understands.
std::vector<UnknownKeys*> findDetails(Run& run)
{
    std::vector<UnknownKeys*> details = {&run.unknown, &run.provenance.unknown};
    if (run.provenance.device)
        details.push_back(&run.provenance.device->unknown);
    if (run.provenance.baseline)
        details.push_back(&run.provenance.baseline->unknown);
    if (run.provenance.telemetry)
        details.push_back(&run.provenance.telemetry->unknown);
    if (run.provenance.earlierFailure)
        details.push_back(&run.provenance.earlierFailure->unknown);
    if (run.failure)
        details.push_back(&run.failure->unknown);
    return details;
}

struct Detail {
    UnknownKeys* owner = nullptr;
    std::string key;
    std::size_t bytes = 0;
};

std::vector<Detail> findLargestDetails(Run& run)
{
    std::vector<Detail> found;
    for (UnknownKeys* owner : findDetails(run)) {
        for (const auto& [key, text] : *owner)
            found.push_back({owner, key, key.size() + text.size()});
    }
    std::ranges::sort(found, std::ranges::greater(), &Detail::bytes);
    return found;
}

void trim(Run& run, std::size_t most)
{
    std::size_t bytes = writeRun(run).size();
    if (bytes <= most)
        return;
    OrderedJson names = OrderedJson::array();
    for (const Detail& detail : findLargestDetails(run)) {
        if (bytes <= most)
            break;
        bytes -= std::min(bytes, detail.bytes);
        detail.owner->erase(detail.key);
        if (names.size() < kMostNamed)
            names.push_back(detail.key.substr(0, kLongestName));
    }
    run.provenance.unknown["left_out"] = toLine(names);
}

} // namespace

void trimRecords(Study& study, std::size_t most)
{
    const std::size_t runs = study.runs.size() + study.baselines.size();
    // An eighth for everything but the runs.
    const std::size_t share = most / 8 * 7 / std::max<std::size_t>(runs, 1);
    for (Run& run : study.runs)
        trim(run, share);
    for (Run& run : study.baselines)
        trim(run, share);
}

} // namespace quadric::study
