// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/json_writer.h"

#include "core/study/document/document.h"

#include <cmath>

namespace quadric::study {

OrderedJson numberJson(double number)
{
    if (!std::isfinite(number))
        throw DocumentError("a number that is not finite cannot be written, expected a finite number");
    if (number == std::floor(number) && std::abs(number) <= kLargestWhole)
        return static_cast<std::int64_t>(number);
    return number;
}

OrderedJson valueJson(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return numberJson(std::get<double>(value));
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

void addText(OrderedJson& object, const char* key, const std::string& text)
{
    if (!text.empty())
        object[key] = text;
}

} // namespace quadric::study
