// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"
#include "core/study/document/json.h"

#include <limits>
#include <tuple>
#include <type_traits>

namespace quadric::study {

inline constexpr int kLargestNumber = 1'000'000'000; ///< of a run, a GPU, attempts

template <class Value> Value readValue(const JsonReader& reader);
template <class Value> OrderedJson writeValue(const Value& value);

template <int least, int most = std::numeric_limits<int>::max()> int readWhole(const JsonReader& reader)
{
    return static_cast<int>(reader.integer(least, most));
}

enum class Need {
    Optional, ///< read where it is there, written where it is not the default of its struct
    Written,  ///< read where it is there, and always written
    Required  ///< always there: without it the whole struct cannot be read
};

/// A member of a struct and its key in the document. How it is read and written follows from its type unless
/// functions of its own are named.
template <class Owner, class Value> struct Member {
    using Read = Value (*)(const JsonReader&);
    using Write = OrderedJson (*)(const Value&);

    constexpr Member(const char* itsKey, Value Owner::*itsPlace, Need itsNeed = Need::Optional,
                     std::type_identity_t<Read> itsRead = &readValue<Value>,
                     std::type_identity_t<Write> itsWrite = &writeValue<Value>)
        : key(itsKey)
        , place(itsPlace)
        , need(itsNeed)
        , read(itsRead)
        , write(itsWrite)
    {
    }

    const char* key;
    Value Owner::*place;
    Need need;
    Read read;
    Write write;

    void readInto(ObjectReader& object, Owner& owner) const
    {
        if (need == Need::Required)
            owner.*place = read(object.require(key));
        else if (const auto found = object.find(key))
            owner.*place = read(*found);
    }
    void writeInto(OrderedJson& object, const Owner& owner) const
    {
        static const Owner standard{};
        if (need != Need::Optional || owner.*place != standard.*place)
            object[key] = write(owner.*place);
    }
};
/// What is no single member has code of its own, at its place among them.
template <class Owner> struct Part {
    void (*readInto)(ObjectReader&, Owner&);
    void (*writeInto)(OrderedJson&, const Owner&);
};

/// A struct of the document: membersOf() lists what it is read and written by.
template <class Item>
concept HasMembers = requires(const Item* item)
{
    membersOf(item);
};

/// A struct of what workers and the system tell, listed by factsOf(): nothing that they tell is an error.
template <class Item>
concept HasFacts = requires(const Item* item)
{
    factsOf(item);
};

template <class List, class Use> void forEach(const List& list, Use use)
{
    std::apply([&use](const auto&... member) { (use(member), ...); }, list);
}

template <class List, class Item> void readMembers(const List& list, ObjectReader& object, Item& item)
{
    forEach(list, [&](const auto& member) { member.readInto(object, item); });
}

template <class List, class Item> OrderedJson writeMembers(const List& list, const Item& item)
{
    OrderedJson object = OrderedJson::object();
    forEach(list, [&](const auto& member) { member.writeInto(object, item); });
    return object;
}

/// What a page of the window keeps beside its arrangement; a member that cannot be read stays as it is.
template <class List, class Item> void readPage(const PageView& page, const List& list, Item& item)
{
    Json kept = Json::object();
    for (const auto& [key, text] : page.unknown)
        kept[key] = rawJson(text);
    ReadContext context;
    ObjectReader object(JsonReader(kept, {}, context));
    forEach(list, [&](const auto& member) {
        try {
            member.readInto(object, item);
        } catch (const DocumentError&) {
            // No user wrote the page by hand, so that there is no line of a file to name.
        }
    });
}

template <class List, class Item> void writePage(const List& list, const Item& item, PageView& page)
{
    forEach(list, [&](const auto& member) { page.unknown.erase(member.key); });
    const OrderedJson written = writeMembers(list, item);
    for (const auto& [key, value] : written.items())
        page.unknown.emplace(key, toLine(value));
}

/// "linear or log2", each in these quotes.
template <NamedEnum Enum> std::string listNames(const std::string& quote = {})
{
    std::string list;
    for (std::size_t i = 0; i < kEnumNames<Enum>.size(); ++i) {
        if (i > 0)
            list += i + 1 == kEnumNames<Enum>.size() ? " or " : ", ";
        list.append(quote).append(kEnumNames<Enum>[i].name).append(quote);
    }
    return list;
}

template <NamedEnum Enum> Enum readName(const JsonReader& reader, const std::string& expected)
{
    const auto value = reader.value().is_string() ? valueNamed<Enum>(reader.text()) : std::nullopt;
    if (!value)
        reader.fail(expected);
    return *value;
}

/// Reads members of any type; the functions call each other for what an item holds. Throw DocumentError.
struct MemberReader {
    static void read(const JsonReader& reader, std::string& text) { text = reader.text(); }
    static void read(const JsonReader& reader, bool& flag) { flag = reader.flag(); }
    static void read(const JsonReader& reader, double& number) { number = reader.number(); }
    static void read(const JsonReader& reader, Value& setting) { setting = reader.setting(); }
    static void read(const JsonReader& reader, std::uint64_t& seed) { seed = reader.seed(); }
    static void read(const JsonReader& reader, int& number) { number = readWhole<0, kLargestNumber>(reader); }
    static void read(const JsonReader& reader, JsonText& json)
    {
        json.text = toLine(OrderedJson(reader.value()));
    }
    template <NamedEnum Enum> static void read(const JsonReader& reader, Enum& value)
    {
        value = readName<Enum>(reader, listNames<Enum>());
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
    template <class Value, class Order>
    static void read(const JsonReader& reader, std::map<std::string, Value, Order>& values)
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
        readMembers(membersOf(&item), object, item);
        item.unknown = object.unknown();
    }
    template <HasFacts Item> static void read(const JsonReader& reader, Item& item)
    {
        ObjectReader object(reader);
        forEach(factsOf(&item), [&](const auto& fact) {
            if (fact.need == Need::Required)
                fact.readInto(object, item);
            else
                take(object, fact.key, item.*fact.place);
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

/// Writes what MemberReader reads, with the unknown keys last.
struct MemberWriter {
    static OrderedJson json(const std::string& text) { return text; }
    static OrderedJson json(bool flag) { return flag; }
    static OrderedJson json(int number) { return number; }
    static OrderedJson json(std::int64_t number) { return number; }
    static OrderedJson json(std::uint64_t number) { return number; }
    static OrderedJson json(double number) { return numberJson(number); }
    static OrderedJson json(const JsonText& value) { return rawJson(value.text); }
    static OrderedJson json(const Value& value)
    {
        return std::visit([](const auto& held) { return json(held); }, value);
    }
    template <NamedEnum Enum> static OrderedJson json(Enum value) { return nameOf(value); }
    template <class Value> static OrderedJson json(const std::optional<Value>& value) { return json(*value); }
    template <class Value> static OrderedJson json(const std::vector<Value>& values)
    {
        OrderedJson list = OrderedJson::array();
        for (const Value& value : values)
            list.push_back(json(value));
        return list;
    }
    template <class Value, class Order>
    static OrderedJson json(const std::map<std::string, Value, Order>& values)
    {
        OrderedJson object = OrderedJson::object();
        for (const auto& [key, value] : values)
            object[key] = json(value);
        return object;
    }
    static OrderedJson json(const ThrottledPct& shares)
    {
        if (shares.size() == 1 && shares.contains(""))
            return json(shares.at(""));
        OrderedJson object = OrderedJson::object();
        for (const auto& [reason, share] : shares)
            object[reason] = json(share);
        return object;
    }
    template <class Item>
    requires HasMembers<Item> || HasFacts<Item>
    static OrderedJson json(const Item& item)
    {
        OrderedJson object = OrderedJson::object();
        if constexpr (HasMembers<Item>)
            object = writeMembers(membersOf(&item), item);
        else
            object = writeMembers(factsOf(&item), item);
        addUnknown(object, item.unknown);
        return object;
    }
};

template <class Value> Value readValue(const JsonReader& reader)
{
    Value value = {};
    MemberReader::read(reader, value);
    return value;
}

template <class Value> OrderedJson writeValue(const Value& value)
{
    return MemberWriter::json(value);
}

} // namespace quadric::study
