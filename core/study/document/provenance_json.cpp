// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/provenance_json.h"

#include "core/study/document/json_writer.h"
#include "core/study/document/member_json.h"
#include "core/study/document/secret_json.h"

namespace quadric::study {

constexpr auto membersOf(const Failure*)
{
    return std::tuple{Member{"kind", &Failure::kind, true}, Member{"message", &Failure::message, true}};
}

constexpr auto membersOf(const ReservedGpu*)
{
    return std::tuple{Member{"index", &ReservedGpu::index, true}, Member{"uuid", &ReservedGpu::uuid},
                      Member{"name", &ReservedGpu::name}};
}

constexpr auto membersOf(const WorkerDevice*)
{
    return std::tuple{Member{"name", &WorkerDevice::name}};
}

constexpr auto membersOf(const WorkerBaseline*)
{
    return std::tuple{Member{"own_because", &WorkerBaseline::ownBecause}};
}

constexpr auto membersOf(const ShortLook*)
{
    return std::tuple{Member{"response", &ShortLook::response}, Member{"worse_than", &ShortLook::worseThan}};
}

constexpr auto membersOf(const SlurmJob*)
{
    return std::tuple{Member{"job_name", &SlurmJob::name}, Member{"job", &SlurmJob::job},
                      Member{"request", &SlurmJob::request}, Member{"settings", &SlurmJob::settings},
                      Member{"nodes", &SlurmJob::nodes}};
}

constexpr auto membersOf(const CodeState*)
{
    return std::tuple{Member{"commit", &CodeState::commit, true}, Member{"changed", &CodeState::isChanged}};
}

constexpr auto membersOf(const Meters*)
{
    return std::tuple{Member{"throttled_pct", &Meters::throttledPct}};
}

constexpr auto membersOf(const Telemetry*)
{
    return std::tuple{Member{"cpu", &Telemetry::cpu}, Member{"devices", &Telemetry::devices},
                      Member{"nodes", &Telemetry::nodes}};
}

constexpr auto membersOf(const Provenance*)
{
    return std::tuple{Member{"attempt", &Provenance::attempt},
                      Member{"baseline", &Provenance::baseline},
                      Member{"baseline_conditions", &Provenance::baselineConditions},
                      Member{"baseline_run", &Provenance::baselineRun},
                      Member{"code", &Provenance::code},
                      Member{"command", &Provenance::command},
                      Member{"cpus", &Provenance::cpus},
                      Member{"device", &Provenance::device},
                      Member{"devices", &Provenance::devices},
                      Member{"disturbed", &Provenance::disturbed},
                      Member{"disturbed_because", &Provenance::disturbedBecause},
                      Member{"earlier_failure", &Provenance::earlierFailure},
                      Member{"environment", &Provenance::environment},
                      Member{"file", &Provenance::file},
                      Member{"host", &Provenance::host},
                      Member{"kernel", &Provenance::kernel},
                      Member{"log", &Provenance::log},
                      Member{"memory_estimate_mib", &Provenance::memoryEstimateMib},
                      Member{"no_shared_baseline_because", &Provenance::noSharedBaselineBecause},
                      Member{"repeats", &Provenance::repeats},
                      Member{"seconds", &Provenance::seconds},
                      Member{"short_look", &Provenance::shortLook},
                      Member{"slurm", &Provenance::slurm},
                      Member{"spread_is", &Provenance::spreadIs},
                      Member{"started", &Provenance::started},
                      Member{"telemetry", &Provenance::telemetry},
                      Member{"throttled_pct", &Provenance::throttledPct}};
}

Provenance readProvenance(const JsonReader& reader)
{
    ObjectReader object(reader);
    Provenance provenance;
    MemberReader::read(reader, provenance);
    provenance.unknown.erase("source");
    provenance.source = object.choice("source", Source::Unknown, &sourceFrom,
                                      "measured, simulated, imported, typed or unknown");
    return provenance;
}

OrderedJson provenanceJson(const Provenance& provenance)
{
    OrderedJson object = OrderedJson::object();
    object["source"] = nameOf(provenance.source);
    Json facts = MemberWriter::json(provenance);
    leaveSecretsOut(facts);
    // What the study's own settings are compared with stays as it is.
    if (provenance.slurm && !provenance.slurm->settings.empty())
        facts["slurm"]["settings"] = provenance.slurm->settings;
    if (!provenance.baselineConditions.text.empty())
        facts["baseline_conditions"] = MemberWriter::json(provenance.baselineConditions);
    for (const auto& [key, value] : facts.items()) {
        if (key != "source")
            object[key] = value;
    }
    return object;
}

void takeFact(Provenance& provenance, const std::string& key, const std::string& json)
{
    Json document = Json::object();
    document[key] = rawJson(json);
    ReadContext context;
    ObjectReader object(JsonReader(document, {}, context));
    if (key == "source") {
        const Json& name = document[key];
        if (const auto source = name.is_string() ? sourceFrom(name.get<std::string>()) : std::nullopt)
            provenance.source = *source;
        return;
    }
    provenance.unknown.erase(key);
    forEachMember(&provenance, [&](const auto& member) {
        if (member.key != key)
            return;
        provenance.*member.place = {};
        MemberReader::take(object, member.key, provenance.*member.place);
    });
    provenance.unknown.merge(object.rest());
    provenance.unknown.erase("environment"); // of another type: nobody could tell which names are harmless
}

void takeFacts(Provenance& provenance, const Facts& facts)
{
    for (const auto& [key, json] : facts)
        takeFact(provenance, key, json);
}

} // namespace quadric::study
