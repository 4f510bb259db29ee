// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document_json.h"

#include "core/study/document/member_json.h"
#include "core/text/secrets.h"

#include <algorithm>

namespace quadric::study {

namespace {

/// In every text of the value.
void leaveSecretsOut(Json& value)
{
    if (auto* const text = value.get_ptr<std::string*>()) {
        *text = text::withoutSecrets(*text);
    } else if (value.is_structured()) {
        for (Json& inner : value)
            leaveSecretsOut(inner);
    }
}

} // namespace

constexpr auto factsOf(const Failure*)
{
    return std::tuple{Member{"kind", &Failure::kind, Need::Required},
                      Member{"message", &Failure::message, Need::Required}};
}

constexpr auto factsOf(const ReservedGpu*)
{
    return std::tuple{Member{"index", &ReservedGpu::index, Need::Required},
                      Member{"uuid", &ReservedGpu::uuid}, Member{"name", &ReservedGpu::name}};
}

constexpr auto factsOf(const WorkerDevice*)
{
    return std::tuple{Member{"name", &WorkerDevice::name}};
}

constexpr auto factsOf(const WorkerBaseline*)
{
    return std::tuple{Member{"own_because", &WorkerBaseline::ownBecause}};
}

constexpr auto factsOf(const ShortLook*)
{
    return std::tuple{Member{"response", &ShortLook::response}, Member{"worse_than", &ShortLook::worseThan}};
}

constexpr auto factsOf(const SlurmJob*)
{
    return std::tuple{Member{"job_name", &SlurmJob::name}, Member{"job", &SlurmJob::job},
                      Member{"request", &SlurmJob::request}, Member{"settings", &SlurmJob::settings},
                      Member{"nodes", &SlurmJob::nodes}};
}

constexpr auto factsOf(const CodeState*)
{
    return std::tuple{Member{"commit", &CodeState::commit, Need::Required},
                      Member{"changed", &CodeState::isChanged}};
}

constexpr auto factsOf(const Meters*)
{
    return std::tuple{Member{"throttled_pct", &Meters::throttledPct}};
}

constexpr auto factsOf(const Telemetry*)
{
    return std::tuple{Member{"cpu", &Telemetry::cpu}, Member{"devices", &Telemetry::devices},
                      Member{"nodes", &Telemetry::nodes}};
}

constexpr auto factsOf(const Provenance*)
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

constexpr Member kSource{"source", &Provenance::source};

Provenance readProvenance(const JsonReader& reader)
{
    ObjectReader object(reader);
    auto provenance = readValue<Provenance>(reader);
    provenance.unknown.erase("source");
    kSource.readInto(object, provenance);
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

void setProvenanceFact(Provenance& provenance, const std::string& key, const std::string& json)
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
    forEach(factsOf(&provenance), [&](const auto& member) {
        if (member.key != key)
            return;
        provenance.*member.place = {};
        MemberReader::take(object, member.key, provenance.*member.place);
    });
    provenance.unknown.merge(object.rest());
    provenance.unknown.erase("environment"); // of another type: nobody could tell which names are harmless
}

void setProvenanceFacts(Provenance& provenance, const Facts& facts)
{
    for (const auto& [key, json] : facts)
        setProvenanceFact(provenance, key, json);
}

namespace {

std::string readable(const OrderedJson& value);

/// `item` makes a part of each entry.
template <class Item> std::string joined(const OrderedJson& values, const char* separator, Item item)
{
    std::string text;
    for (const auto& entry : values.items())
        text += (text.empty() ? "" : separator) + item(entry.key(), entry.value());
    return text;
}

/// "gradient_bytes" → "gradient bytes".
std::string words(std::string key)
{
    std::ranges::replace(key, '_', ' ');
    return key;
}

std::string readable(const OrderedJson& value)
{
    if (value.is_object())
        return joined(value, ", ", [](const std::string& key, const OrderedJson& inner) {
            return words(key) + ": " + readable(inner);
        });
    if (value.is_array())
        return joined(value, " ",
                      [](const std::string&, const OrderedJson& inner) { return readable(inner); });
    if (value.is_boolean())
        return value.get<bool>() ? "yes" : "no";
    if (value.is_number())
        return toText(value.get<double>());
    return value.is_string() ? value.get<std::string>() : std::string();
}

} // namespace

std::map<std::string, std::string> factsInWords(const Provenance& provenance)
{
    std::map<std::string, std::string> facts;
    const OrderedJson json = provenanceJson(provenance);
    for (const auto& [key, value] : json.items()) {
        if (key != "source")
            facts.emplace(key, readable(value));
    }
    return facts;
}

} // namespace quadric::study
