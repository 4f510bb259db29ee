// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/import/table_import.h"
#include "core/study/document/json.h"

#include <initializer_list>
#include <set>

namespace quadric::exchange {

/// The value of the first of the keys that the object has; none where it has none of them or is no object.
const study::Json* find(const study::Json& object, std::initializer_list<const char*> keys);

/// Empty for anything but a text.
std::string textOf(const study::Json* value);

/// The number in a number or in a text: doehelper writes either.
std::optional<double> numberOf(const study::Json& value);

/// A number where there is one, otherwise the text.
study::Value valueOf(const study::Json& value);

/// The factors, responses, fixed settings and design of a configuration. `name` stands in messages; what is
/// ignored is added to `warnings`. Throws ImportError.
study::Study readDoehelperConfig(const study::Json& config, const std::string& name,
                                 std::vector<std::string>& warnings);

} // namespace quadric::exchange
