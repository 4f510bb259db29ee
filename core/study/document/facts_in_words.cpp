// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/provenance_json.h"

#include <algorithm>

namespace quadric::study {
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
