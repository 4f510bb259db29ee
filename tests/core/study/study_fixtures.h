// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>

namespace quadric::study::testing {

/// A folder of its own that goes away with the test.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        static std::atomic<int> count = 0;
        m_path = std::filesystem::temp_directory_path() /
                 ("quadric-study-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
        std::filesystem::create_directories(m_path);
    }
    ~TemporaryFolder() { std::filesystem::remove_all(m_path); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    std::filesystem::path operator/(const std::string& name) const { return m_path / name; }
    const std::filesystem::path& path() const { return m_path; }

private:
    std::filesystem::path m_path;
};

inline std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void writeFile(const std::filesystem::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

/// The words of the exception that `action` throws; empty when it throws none of this type.
template <class Error, class Action> std::string messageOf(Action action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// A document with one factor, so that a test only writes what it is about.
inline std::string documentWith(const std::string& members)
{
    return R"({"quadric": 1, "name": "t", "factors": [{"name": "a", "low": 0, "high": 10}])" +
           (members.empty() ? "" : ", " + members) + "}";
}

inline Study smallStudy()
{
    Study study;
    study.name = "small";
    study.factors = {Factor{.name = "a", .low = 0.0, .high = 10.0}};
    study.responses = {Response{.name = "y"}};
    for (int id = 1; id <= 3; ++id)
        study.runs.push_back(Run{.id = id, .order = 4 - id, .settings = {{"a", 5.0 * (id - 1)}}});
    return study;
}

} // namespace quadric::study::testing
