// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace quadric::test {

/// A folder of its own that contains the user's settings, too ($XDG_CONFIG_HOME), for as long as it lives.
class TemporaryHome {
public:
    TemporaryHome()
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "quadric-XXXXXX").string();
        m_path = ::mkdtemp(pattern.data());
        const char* before = std::getenv("XDG_CONFIG_HOME");
        m_before = before ? before : "";
        ::setenv("XDG_CONFIG_HOME", (m_path / "config").c_str(), 1);
    }
    ~TemporaryHome()
    {
        ::setenv("XDG_CONFIG_HOME", m_before.c_str(), 1);
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    TemporaryHome(const TemporaryHome&) = delete;
    TemporaryHome& operator=(const TemporaryHome&) = delete;

    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
    std::string m_before;
};

} // namespace quadric::test
