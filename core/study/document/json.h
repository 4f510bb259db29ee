// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "core/study/study.h"

#include <nlohmann/json.hpp>

#include <set>
#include <string>
#include <string_view>

namespace quadric::study {

using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

/// What a document may hold at most; more is a broken or hostile file, not a study.
inline constexpr std::size_t kLargestFile = std::size_t{64} << 20;
inline constexpr std::size_t kLongestText = std::size_t{1} << 20;
inline constexpr std::size_t kDeepestNesting = 64;

/// Whole numbers up to this are exact in a double; they are written without a decimal point.
inline constexpr double kLargestWhole = 9007199254740992.0;

/// JSON text → value. Refuses deep nesting, overlong texts, keys that appear twice, NaN, infinity and text
/// that is not UTF-8. Throws DocumentError with `name`, the place and what was expected.
Json parseJson(std::string_view text, const std::string& name);

/// The value on one line with a space after each comma and colon; bytes that are not UTF-8 become U+FFFD.
std::string toLine(const OrderedJson& value);

/// A short form of the value for messages: `"abc"`, `12`, `a list`.
std::string describe(const Json& value);

/// Whole numbers without a decimal point. Throws DocumentError for one that is not finite.
OrderedJson numberJson(double number);

/// JSON text → value; text that is not JSON becomes a JSON text, so that nothing is lost.
OrderedJson rawJson(const std::string& text);

/// Known keys win: a key may have been unknown only for the former type of a factor.
void addUnknown(OrderedJson& object, const UnknownKeys& unknown);

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

    std::string text(const std::string& key, const std::string& fallback = {});

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
