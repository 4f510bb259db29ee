// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/json.h"

#include "core/study/document/document.h"

#include <cmath>
#include <limits>
#include <vector>

namespace quadric::study {

namespace {

constexpr std::size_t kLongestShownText = 60;
constexpr int kNumberOutOfRange = 406; ///< the parser's own number for a number such as 1e999

std::string dumped(const OrderedJson& value)
{
    return value.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
}

/// Builds the value from the parser's events; each limit is checked before anything grows.
class Builder : public nlohmann::json_sax<Json> {
public:
    explicit Builder(const std::string& name)
        : m_name(name)
    {
    }

    Json takeResult() { return std::move(m_root); }

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t&) override { return add(value); }
    bool binary(binary_t&) override { return false; }
    bool string(string_t& text) override
    {
        checkLength(text);
        return add(std::move(text));
    }
    bool start_object(std::size_t) override { return open(Json::object()); }
    bool start_array(std::size_t) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override;
    bool parse_error(std::size_t position, const std::string& token, const Json::exception& error) override;

private:
    [[noreturn]] void fail(const std::string& what) const
    {
        const std::string where = path();
        throw DocumentError(m_name + ": " + (where.empty() ? "" : where + ": ") + what);
    }
    void checkLength(const std::string& text) const;
    std::string path() const;
    Json& place(Json&& value);
    bool add(Json value)
    {
        place(std::move(value));
        return true;
    }
    bool open(Json&& container);
    bool close()
    {
        m_open.pop_back();
        return true;
    }

    struct Level {
        Json* container;
        std::string key;
    };

    std::string m_name;
    Json m_root;
    std::vector<Level> m_open;
    std::size_t m_values = 0;
};

void Builder::checkLength(const std::string& text) const
{
    if (text.size() > kLongestText)
        fail("a text of " + std::to_string(text.size()) + " bytes, expected at most " +
             std::to_string(kLongestText));
}

std::string Builder::path() const
{
    std::string text;
    for (std::size_t i = 0; i < m_open.size(); ++i) {
        const Level& level = m_open[i];
        const bool isInnermost = i + 1 == m_open.size();
        if (level.container->is_array()) // an inner container already stands in its list
            text += "[" + std::to_string(level.container->size() - (isInnermost ? 0 : 1)) + "]";
        else if (!level.key.empty())
            text += (text.empty() ? "" : ".") + level.key;
    }
    return text;
}

Json& Builder::place(Json&& value)
{
    if (++m_values > kMostValues)
        fail("more than " + std::to_string(kMostValues) + " values, expected a study");
    if (m_open.empty())
        return m_root = std::move(value);
    Level& top = m_open.back();
    if (top.container->is_array()) {
        top.container->push_back(std::move(value));
        return top.container->back();
    }
    return (*top.container)[top.key] = std::move(value);
}

bool Builder::open(Json&& container)
{
    if (m_open.size() >= kDeepestNesting)
        fail("nested more than " + std::to_string(kDeepestNesting) + " levels deep, expected a study");
    Json& placed = place(std::move(container));
    m_open.push_back({&placed, {}});
    return true;
}

bool Builder::key(string_t& key)
{
    checkLength(key);
    Level& top = m_open.back();
    top.key = std::move(key);
    if (top.container->contains(top.key))
        fail("the key appears twice in the same object, expected once");
    return true;
}

bool Builder::parse_error(std::size_t, const std::string& token, const Json::exception& error)
{
    if (error.id == kNumberOutOfRange)
        fail("found " + token.substr(0, kLongestShownText) + ", expected a finite number");
    std::string what = error.what();
    if (const auto end = what.find("] "); what.starts_with('[') && end != std::string::npos)
        what.erase(0, end + 2);
    if (what.size() > 400)
        what = what.substr(0, 200) + " … " + what.substr(what.size() - 150);
    fail("not a valid JSON document, " + what);
}

void printTo(std::string& out, const OrderedJson& value)
{
    if (!value.is_structured()) {
        out += dumped(value);
        return;
    }
    out += value.is_array() ? '[' : '{';
    const char* separator = "";
    for (const auto& item : value.items()) {
        out += separator;
        if (value.is_object())
            out += dumped(item.key()) + ": ";
        printTo(out, item.value());
        separator = ", ";
    }
    out += value.is_array() ? ']' : '}';
}

std::string wholeNumber(std::int64_t least, std::int64_t most)
{
    std::string text = "a whole number";
    if (least > std::numeric_limits<int>::min())
        text += " of at least " + std::to_string(least);
    if (most < std::numeric_limits<int>::max())
        text += " of at most " + std::to_string(most);
    return text;
}

} // namespace

Json parseJson(std::string_view text, const std::string& name)
{
    if (text.size() > kLargestFile)
        throw DocumentError(name + ": " + std::to_string(text.size()) + " bytes, expected at most " +
                            std::to_string(kLargestFile));
    Builder builder(name);
    Json::sax_parse(text.begin(), text.end(), &builder);
    return builder.takeResult();
}

std::string toLine(const OrderedJson& value)
{
    std::string out;
    printTo(out, value);
    return out;
}

std::string describe(const Json& value)
{
    if (value.is_array())
        return "a list";
    if (value.is_object())
        return "an object";
    std::string text = dumped(value);
    if (text.size() > kLongestShownText)
        text = dumped(value.get<std::string>().substr(0, kLongestShownText)) + "…";
    return text;
}

OrderedJson numberJson(double number)
{
    if (!std::isfinite(number))
        throw DocumentError("a number that is not finite cannot be written, expected a finite number");
    if (number == std::floor(number) && std::abs(number) <= kLargestWhole)
        return static_cast<std::int64_t>(number);
    return number;
}

OrderedJson rawJson(const std::string& text)
{
    try {
        return OrderedJson(parseJson(text, {}));
    } catch (const DocumentError&) {
        return text;
    }
}

void addUnknown(OrderedJson& object, const UnknownKeys& unknown)
{
    for (const auto& [key, text] : unknown) {
        if (!object.contains(key))
            object[key] = rawJson(text);
    }
}

void ReadContext::warn(const std::string& path, const std::string& what)
{
    if (warnings.size() < kMostProblems)
        warnings.push_back(name + ": " + path + ": " + what);
    else if (warnings.size() == kMostProblems)
        warnings.push_back(name + ": further warnings are left out");
}

void JsonReader::fail(const std::string& expected) const
{
    const std::string file = m_context->name.empty() ? "" : m_context->name + ": ";
    throw DocumentError(file + (m_path.empty() ? "" : m_path + ": ") + "found " + describe(*m_value) +
                        ", expected " + expected);
}

double JsonReader::number() const
{
    if (!m_value->is_number())
        fail("a number");
    const double number = m_value->get<double>();
    if (!std::isfinite(number))
        fail("a finite number");
    return number;
}

std::int64_t JsonReader::integer(std::int64_t least, std::int64_t most, const std::string& expected) const
{
    const double number = m_value->is_number() ? m_value->get<double>() : 0.5;
    const bool isWhole = std::abs(number) <= kLargestWhole && number == std::floor(number);
    const auto whole = isWhole ? static_cast<std::int64_t>(number) : 0;
    if (!isWhole || whole < least || whole > most)
        fail(expected.empty() ? wholeNumber(least, most) : expected);
    return whole;
}

std::uint64_t JsonReader::seed() const
{
    if (!m_value->is_number_unsigned())
        fail("a whole number of at least 0");
    return m_value->get<std::uint64_t>();
}

bool JsonReader::flag() const
{
    if (!m_value->is_boolean())
        fail("true or false");
    return m_value->get<bool>();
}

std::string JsonReader::text() const
{
    if (!m_value->is_string())
        fail("a text in quotes");
    return m_value->get<std::string>();
}

Value JsonReader::setting() const
{
    if (m_value->is_string())
        return text();
    if (!m_value->is_number())
        fail("a number or a text in quotes");
    return number();
}

std::vector<JsonReader> JsonReader::elements() const
{
    if (!m_value->is_array())
        fail("a list");
    std::vector<JsonReader> readers;
    readers.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i)
        readers.emplace_back((*m_value)[i], m_path + "[" + std::to_string(i) + "]", *m_context);
    return readers;
}

ObjectReader::ObjectReader(const JsonReader& reader)
    : m_reader(reader)
{
    if (!reader.value().is_object())
        reader.fail("an object");
}

std::string ObjectReader::pathOf(const std::string& key) const
{
    return m_reader.path().empty() ? key : m_reader.path() + "." + key;
}

std::optional<JsonReader> ObjectReader::find(const std::string& key)
{
    m_known.insert(key);
    const auto found = m_reader.value().find(key);
    if (found == m_reader.value().end())
        return std::nullopt;
    return JsonReader(*found, pathOf(key), m_reader.context());
}

JsonReader ObjectReader::require(const std::string& key)
{
    if (auto found = find(key))
        return *found;
    throw DocumentError(m_reader.context().name + ": " + pathOf(key) + ": missing, expected a value");
}

std::vector<JsonReader> ObjectReader::list(const std::string& key)
{
    const auto found = find(key);
    return found ? found->elements() : std::vector<JsonReader>{};
}

std::string ObjectReader::text(const std::string& key, const std::string& fallback)
{
    const auto found = find(key);
    return found ? found->text() : fallback;
}

UnknownKeys ObjectReader::unknown()
{
    UnknownKeys keys = rest();
    for (const auto& [key, text] : keys)
        m_reader.context().warn(pathOf(key), "this version does not know the key; it is kept as it is");
    return keys;
}

UnknownKeys ObjectReader::rest() const
{
    UnknownKeys keys;
    for (const auto& item : m_reader.value().items()) {
        if (!m_known.contains(item.key()))
            keys.emplace(item.key(), toLine(OrderedJson(item.value())));
    }
    return keys;
}

std::vector<std::pair<std::string, JsonReader>> ObjectReader::entries()
{
    std::vector<std::pair<std::string, JsonReader>> found;
    for (const auto& item : m_reader.value().items())
        found.emplace_back(item.key(), JsonReader(item.value(), pathOf(item.key()), m_reader.context()));
    return found;
}

} // namespace quadric::study
