// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document_read.h"
#include "core/study/document/provenance_json.h"
#include "core/text/secrets.h"

#include <limits>

namespace quadric::study {
namespace {

constexpr int kAnyInt = std::numeric_limits<int>::min();

std::map<std::string, double, std::less<>> readResults(ObjectReader& object, const std::string& key)
{
    std::map<std::string, double, std::less<>> results;
    if (const auto found = object.find(key)) {
        for (const auto& [name, value] : ObjectReader(*found).entries())
            results.emplace(name, value.number());
    }
    return results;
}

Failure readFailure(const JsonReader& reader)
{
    ObjectReader object(reader);
    Failure failure{object.text("kind"), text::withoutSecrets(object.text("message"))};
    failure.unknown = object.unknown();
    return failure;
}

} // namespace

Settings readSettings(const JsonReader& reader)
{
    Settings settings;
    for (const auto& [key, value] : ObjectReader(reader).entries())
        settings.emplace(key, value.setting());
    return settings;
}

Run readRun(const JsonReader& reader)
{
    ObjectReader object(reader);
    Run run;
    run.id = static_cast<int>(object.require("id").integer(1, std::numeric_limits<int>::max()));
    run.order = object.integer("order", run.id, kAnyInt);
    run.block = object.integer("block", run.block, 1);
    run.kind = object.choice("kind", RunKind::Design, &runKindFrom,
                             "design, center, axial, baseline, confirmation or augment");
    run.settings = readSettings(object.require("settings"));
    run.status = object.choice("status", RunStatus::Pending, &runStatusFrom,
                               "pending, running, done, failed or excluded");
    if (const auto failure = object.find("failure"))
        run.failure = readFailure(*failure);
    run.reason = object.text("reason");
    run.results = readResults(object, "results");
    run.spread = readResults(object, "spread");
    if (const auto provenance = object.find("provenance"))
        run.provenance = readProvenance(*provenance);
    run.unknown = object.unknown();
    return run;
}

Settings parseSettings(std::string_view text, const std::string& name)
{
    const Json json = parseJson(text, name);
    ReadContext context{name, {}};
    return readSettings(JsonReader(json, {}, context));
}

} // namespace quadric::study
