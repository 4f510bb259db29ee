// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/json_reader.h"

#include "core/study/document/document.h"
#include "core/study/limits.h"

#include <cmath>
#include <limits>

namespace quadric::study {
namespace {

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

std::vector<double> JsonReader::numbers() const
{
    std::vector<double> values;
    for (const JsonReader& element : elements())
        values.push_back(element.number());
    return values;
}

std::vector<std::string> JsonReader::texts() const
{
    std::vector<std::string> values;
    for (const JsonReader& element : elements())
        values.push_back(element.text());
    return values;
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

double ObjectReader::number(const std::string& key, double fallback)
{
    const auto found = find(key);
    return found ? found->number() : fallback;
}

int ObjectReader::integer(const std::string& key, int fallback, int least)
{
    const auto found = find(key);
    return found ? static_cast<int>(found->integer(least, std::numeric_limits<int>::max())) : fallback;
}

bool ObjectReader::flag(const std::string& key, bool fallback)
{
    const auto found = find(key);
    return found ? found->flag() : fallback;
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
