// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadric::exchange {

/// The text of a file as UTF-8, without its byte order mark. Text that is not UTF-8 is read as Latin-1
/// (ISO 8859-1), which `notes` then says. `name` stands in messages. Throws ImportError for a zero byte: such
/// a file is UTF-16 or no text.
std::string asUtf8(std::string_view text, const std::string& name, std::vector<std::string>& notes);

} // namespace quadric::exchange
