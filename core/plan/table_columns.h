// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::plan {

/// The first column with one of these names (in lower case), tried in their order; blanks and case of the
/// headings do not count.
std::optional<std::size_t> findColumn(const std::vector<std::string>& headers,
                                      std::initializer_list<std::string_view> names);

} // namespace quadric::plan
