// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/provenance_json.h"

#include "core/study/document.h"
#include "core/study/json_writer.h"

#include <tuple>

namespace quadric::study {
namespace {

constexpr int kLargestNumber = 1'000'000'000; ///< of a run, a GPU, attempts

/// A member of a struct and its key in the document. One that is always there is written whatever it holds,
/// and without it the whole struct cannot be read.
template <class Owner, class Value> struct Member {
    const char* key;
    Value Owner::*place;
    bool isAlways = false;
};

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

constexpr auto membersOf(const SlurmJob*)
{
    return std::tuple{Member{"job_name", &SlurmJob::name}, Member{"job", &SlurmJob::job},
                      Member{"request", &SlurmJob::request}, Member{"settings", &SlurmJob::settings},
                      Member{"nodes", &SlurmJob::nodes}};
}

constexpr auto membersOf(const CodeState*)
{
    return std::tuple{Member{"commit", &CodeState::commit, true},
                      Member{"changed", &CodeState::isChanged, true}};
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
                      Member{"no_shared_baseline_because", &Provenance::noSharedBaselineBecause},
                      Member{"repeats", &Provenance::repeats},
                      Member{"seconds", &Provenance::seconds},
                      Member{"slurm", &Provenance::slurm},
                      Member{"spread_is", &Provenance::spreadIs},
                      Member{"started", &Provenance::started},
                      Member{"telemetry", &Provenance::telemetry},
                      Member{"throttled_pct", &Provenance::throttledPct}};
}

template <class Item>
concept HasMembers = requires(const Item* item)
{
    membersOf(item);
};

template <class Item, class Use> void forEachMember(const Item* item, Use use)
{
    std::apply([&use](const auto&... member) { (use(member), ...); }, membersOf(item));
}

// Reading: the functions call each other for what an item holds.

struct FactReader {
    static void read(const JsonReader& reader, std::string& text) { text = reader.text(); }
    static void read(const JsonReader& reader, bool& flag) { flag = reader.flag(); }
    static void read(const JsonReader& reader, double& number) { number = reader.number(); }
    static void read(const JsonReader& reader, int& number)
    {
        number = static_cast<int>(reader.integer(0, kLargestNumber));
    }
    static void read(const JsonReader& reader, JsonText& json)
    {
        json.text = toLine(OrderedJson(reader.value()));
    }
    template <class Value> static void read(const JsonReader& reader, std::optional<Value>& value)
    {
        read(reader, value.emplace());
    }
    template <class Value> static void read(const JsonReader& reader, std::vector<Value>& values)
    {
        for (const JsonReader& element : reader.elements())
            read(element, values.emplace_back());
    }
    template <class Value> static void read(const JsonReader& reader, std::map<std::string, Value>& values)
    {
        for (const auto& [key, value] : ObjectReader(reader).entries())
            read(value, values[key]);
    }
    static void read(const JsonReader& reader, ThrottledPct& shares)
    {
        if (reader.value().is_number())
            read(reader, shares[""]);
        else
            for (const auto& [reason, share] : ObjectReader(reader).entries())
                read(share, shares[reason]);
    }
    template <HasMembers Item> static void read(const JsonReader& reader, Item& item)
    {
        ObjectReader object(reader);
        forEachMember(&item, [&](const auto& member) {
            if (member.isAlways)
                read(object.require(member.key), item.*member.place);
            else
                take(object, member.key, item.*member.place);
        });
        item.unknown = object.rest();
    }

    /// What is of another type, or says nothing, is left in the rest of the object.
    template <class Value> static void take(ObjectReader& object, const char* key, Value& member)
    {
        const Json& all = object.reader().value();
        const auto found = all.find(key);
        if (found == all.end())
            return;
        Value value = {};
        try {
            read(JsonReader(*found, key, object.reader().context()), value);
        } catch (const DocumentError&) {
            return;
        }
        if (value == Value{})
            return;
        object.find(key);
        member = std::move(value);
    }
};

struct FactWriter {
    static Json json(const std::string& text) { return text; }
    static Json json(bool flag) { return flag; }
    static Json json(int number) { return number; }
    static Json json(double number) { return numberJson(number); }
    static Json json(const JsonText& value) { return rawJson(value.text); }
    template <class Value> static Json json(const std::optional<Value>& value) { return json(*value); }
    template <class Value> static Json json(const std::vector<Value>& values)
    {
        Json list = Json::array();
        for (const Value& value : values)
            list.push_back(json(value));
        return list;
    }
    template <class Value> static Json json(const std::map<std::string, Value>& values)
    {
        Json object = Json::object();
        for (const auto& [key, value] : values)
            object[key] = json(value);
        return object;
    }
    static Json json(const ThrottledPct& shares)
    {
        if (shares.size() == 1 && shares.contains(""))
            return json(shares.at(""));
        Json object = Json::object();
        for (const auto& [reason, share] : shares)
            object[reason] = json(share);
        return object;
    }
    template <HasMembers Item> static Json json(const Item& item)
    {
        Json object = Json::object();
        forEachMember(&item, [&](const auto& member) {
            const auto& value = item.*member.place;
            if (member.isAlways || value != std::remove_cvref_t<decltype(value)>{})
                object[member.key] = json(value);
        });
        for (const auto& [key, text] : item.unknown) {
            if (!object.contains(key))
                object[key] = rawJson(text);
        }
        return object;
    }
};

} // namespace

Provenance readProvenance(const JsonReader& reader)
{
    ObjectReader object(reader);
    Provenance provenance;
    FactReader::read(reader, provenance);
    provenance.unknown.erase("source");
    provenance.source = object.choice("source", Source::Unknown, &sourceFrom,
                                      "measured, simulated, imported, typed or unknown");
    return provenance;
}

OrderedJson provenanceJson(const Provenance& provenance)
{
    OrderedJson object = OrderedJson::object();
    object["source"] = nameOf(provenance.source);
    const Json facts = FactWriter::json(provenance);
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
        FactReader::take(object, member.key, provenance.*member.place);
    });
    provenance.unknown.merge(object.rest());
}

void takeFacts(Provenance& provenance, const Facts& facts)
{
    for (const auto& [key, json] : facts)
        takeFact(provenance, key, json);
}

} // namespace quadric::study
