// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/json.h"
#include "core/study/factor.h"

namespace quadric::study {

/// Whole numbers without a decimal point. Throws DocumentError for one that is not finite.
OrderedJson numberJson(double number);
OrderedJson valueJson(const Value& value);

template <class Map, class Convert> OrderedJson mapJson(const Map& map, Convert convert)
{
    OrderedJson object = OrderedJson::object();
    for (const auto& [key, value] : map)
        object[key] = convert(value);
    return object;
}

/// JSON text → value; text that is not JSON becomes a JSON text, so that nothing is lost.
OrderedJson rawJson(const std::string& text);

/// Known keys win: a key may have been unknown only for the former type of a factor.
void addUnknown(OrderedJson& object, const UnknownKeys& unknown);

/// Nothing where the text is empty.
void addText(OrderedJson& object, const char* key, const std::string& text);

} // namespace quadric::study
