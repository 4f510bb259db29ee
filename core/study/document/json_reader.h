// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"
#include "core/study/study.h"

#include <set>

namespace quadric::study {

/// The name of what is read, for messages, and what is worth a warning.
struct ReadContext {
    std::string name;
    std::vector<std::string> warnings;

    void warn(const std::string& path, const std::string& what);
};

/// One value of a document and its path ("factors[1].low"). Every conversion throws DocumentError naming
/// file, path, the value found and what was expected.
class JsonReader {
public:
    JsonReader(const Json& value, std::string path, ReadContext& context)
        : m_value(&value)
        , m_path(std::move(path))
        , m_context(&context)
    {
    }

    const Json& value() const { return *m_value; }
    const std::string& path() const { return m_path; }
    ReadContext& context() const { return *m_context; }

    double number() const;
    /// `expected` stands in the message in the place of the range.
    std::int64_t integer(std::int64_t least, std::int64_t most, const std::string& expected = {}) const;
    std::uint64_t seed() const;
    bool flag() const;
    std::string text() const;
    Value setting() const; ///< a number or a text
    std::vector<JsonReader> elements() const;
    std::vector<double> numbers() const;
    std::vector<std::string> texts() const;

    [[noreturn]] void fail(const std::string& expected) const;

private:
    const Json* m_value;
    std::string m_path;
    ReadContext* m_context;
};

/// An object of a document that remembers which of its keys were asked for.
class ObjectReader {
public:
    explicit ObjectReader(const JsonReader& reader);

    std::optional<JsonReader> find(const std::string& key);
    JsonReader require(const std::string& key);
    std::vector<JsonReader> list(const std::string& key); ///< empty where there is none

    double number(const std::string& key, double fallback);
    int integer(const std::string& key, int fallback, int least);
    bool flag(const std::string& key, bool fallback);
    std::string text(const std::string& key, const std::string& fallback = {});

    /// The value of a key whose text is one of the names that `from` knows; `expected` lists them.
    template <class Enum>
    Enum choice(const std::string& key, Enum fallback, std::optional<Enum> (*from)(std::string_view),
                const std::string& expected)
    {
        const auto found = find(key);
        if (!found)
            return fallback;
        const auto value = found->value().is_string() ? from(found->text()) : std::nullopt;
        if (!value)
            found->fail(expected);
        return *value;
    }

    /// The keys nobody asked for, as JSON text; each is named in a warning.
    UnknownKeys unknown();
    /// The same without warnings, for objects that may hold anything.
    UnknownKeys rest() const;

    const JsonReader& reader() const { return m_reader; }
    /// Every entry, in alphabetical order of the keys.
    std::vector<std::pair<std::string, JsonReader>> entries();

private:
    std::string pathOf(const std::string& key) const;

    JsonReader m_reader;
    std::set<std::string> m_known;
};

} // namespace quadric::study
