// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"
#include "core/study/document/json_reader.h"
#include "core/study/document/json_writer.h"

#include <tuple>

namespace quadric::study {

inline constexpr int kLargestNumber = 1'000'000'000; ///< of a run, a GPU, attempts

/// A member of a struct and its key in the document. One that is always there is written whatever it holds,
/// and without it the whole struct cannot be read.
template <class Owner, class Value> struct Member {
    const char* key;
    Value Owner::*place;
    bool isAlways = false;
};
template <class Owner, class Value>
Member(const char*, Value Owner::*, bool = false) -> Member<Owner, Value>; // Clang 14 finds none by itself

/// A struct is read and written by the table that membersOf() gives for it; it has a member `unknown`.
template <class Item>
concept HasMembers = requires(const Item* item)
{
    membersOf(item);
};

template <class Item, class Use> void forEachMember(const Item* item, Use use)
{
    std::apply([&use](const auto&... member) { (use(member), ...); }, membersOf(item));
}

/// Reads members of any type; the functions call each other for what an item holds. Throw DocumentError.
struct MemberReader {
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

/// Writes what MemberReader reads, keys in alphabetical order.
struct MemberWriter {
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

} // namespace quadric::study
