// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/node_record.h"

#include "core/machine/json_text.h"
#include "core/machine/record.h"

namespace quadric::machine {

namespace {

using Json = nlohmann::ordered_json;

/// What is said of a node that says anything, behind what is said of others.
void add(std::string& text, const std::string& node, const std::string& more)
{
    if (!more.empty())
        text += (text.empty() ? "" : "; ") + node + ": " + more;
}

bool isRecord(const Json& json)
{
    return json.is_object() && !stringIn(json, "node").empty() && json.contains("telemetry") &&
           json["telemetry"].is_object();
}

} // namespace

Findings findingsOf(const Summary& summary)
{
    return {.entries = provenanceOf(summary),
            .disturbance = disturbance(summary, false),
            .otherDisturbance = disturbance(summary, true),
            .loss = lostDevice(summary)};
}

std::string nodeRecord(const std::string& node, const Summary& summary)
{
    const Findings findings = findingsOf(summary);
    Json json = {{"node", node}};
    for (const auto& [key, text] : findings.entries)
        json[key] = Json::parse(text);
    json["disturbance"] = findings.disturbance;
    json["other_disturbance"] = findings.otherDisturbance;
    json["loss"] = findings.loss;
    return textOf(json);
}

Findings findingsOfNodes(const std::vector<std::string>& records)
{
    Findings all;
    Json nodes = Json::array();
    for (const std::string& record : records) {
        const Json json = Json::parse(record, nullptr, false);
        if (!isRecord(json))
            continue;
        const std::string node = stringIn(json, "node");
        Json entry = {{"node", node}};
        entry.update(json["telemetry"]);
        nodes.push_back(entry);
        if (json.contains("driver"))
            all.entries.try_emplace("driver", textOf(json["driver"]));
        add(all.disturbance, node, stringIn(json, "disturbance"));
        add(all.otherDisturbance, node, stringIn(json, "other_disturbance"));
        add(all.loss, node, stringIn(json, "loss"));
    }
    if (!nodes.empty())
        all.entries["telemetry"] = textOf(Json{{"nodes", nodes}});
    return all;
}

} // namespace quadric::machine
