// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace quadric {

/// A table of a document that a test writes: it stands between `<!-- NAME: written by TEST -->` and `<!-- end
/// of NAME -->`. Fails when the document has another one; QUADRIC_WRITE_TABLES=1 writes it instead.
inline void expectTableInDocument(const std::string& path, const std::string& name, const std::string& test,
                                  const std::string& table)
{
    std::ostringstream content;
    content << std::ifstream(path).rdbuf();
    std::string text = content.str();
    const std::string first = "<!-- " + name + ": written by " + test + " -->\n";
    const std::size_t begin = text.find(first), end = text.find("<!-- end of " + name + " -->");
    ASSERT_TRUE(begin != std::string::npos && end != std::string::npos)
        << path << " has no place for the table " << name;
    const std::size_t start = begin + first.size();
    if (std::getenv("QUADRIC_WRITE_TABLES") != nullptr) {
        text.replace(start, end - start, table);
        std::ofstream(path) << text;
        return;
    }
    EXPECT_EQ(text.substr(start, end - start), table)
        << "bring " << path << " up to date: run this test with QUADRIC_WRITE_TABLES=1";
}

} // namespace quadric
