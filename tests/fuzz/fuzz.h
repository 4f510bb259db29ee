// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <unistd.h>

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

/// A folder of this process that goes away with it.
class Folder {
public:
    Folder()
        : m_path(std::filesystem::temp_directory_path() / ("quadric-fuzz-" + std::to_string(::getpid())))
    {
        std::filesystem::create_directories(m_path);
    }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }

    /// A file in it with this content; its folders are made.
    std::filesystem::path write(const std::string& name, std::string_view content) const
    {
        const std::filesystem::path path = m_path / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

private:
    std::filesystem::path m_path;
};

} // namespace quadric::fuzz
