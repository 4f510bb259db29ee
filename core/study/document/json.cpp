// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/json.h"

#include "core/study/document/document.h"
#include "core/study/limits.h"

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

} // namespace quadric::study
