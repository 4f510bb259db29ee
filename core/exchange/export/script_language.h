// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::exchange {

/// What differs between the languages.
struct Language {
    const char* listOpen;
    const char* listClose;
    const char* assign;
    const char* power;
    const char* missing;
    const char* log;
    const char* log2;
    const char* sqrt;
    const char* itemOpen; ///< coded[["A"]] and coded["A"]
    const char* itemClose;
};

inline constexpr Language kR = {"c(", ")", "<-", "^", "NA", "log", "log2", "sqrt", "[[", "]]"};
inline constexpr Language kPython = {"np.array([", "])",      "=",       "**", "np.nan",
                                     "np.log",     "np.log2", "np.sqrt", "[",  "]"};

/// A text in double quotes that both languages read; control characters are written as escapes, but for the
/// zero byte, which no text of R can hold.
std::string quoted(const std::string& text);

/// c(1, 2) or np.array([1, 2])
std::string list(const Language& language, const std::vector<std::string>& items);

/// runs[["name"]] or runs["name"]
std::string item(const Language& language, const std::string& table, const std::string& name);

/// The coded values of a numeric factor from the column of its settings.
std::string codedText(const Language& language, const study::Factor& factor);

/// +1 at the level, −1 at the last one, 0 elsewhere.
std::string contrastText(const std::string& values, const std::string& level, const std::string& last);

/// A column of the model matrix from coded values and contrasts.
std::string columnText(const Language& language, const model::Column& column,
                       const std::vector<study::Factor>& factors);

/// The transformed response from the text of the response.
std::string transformText(const Language& language, const study::Transform& transform, const std::string& y);

} // namespace quadric::exchange
