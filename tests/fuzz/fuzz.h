// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace quadric::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size)
{
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program with a finding unless `holds`.
inline void expect(bool holds, const std::string& what)
{
    if (holds)
        return;
    std::cerr << "broken: " << what << std::endl;
    std::abort();
}

} // namespace quadric::fuzz
