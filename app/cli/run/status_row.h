// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::app {

/// The last row of a terminal, which is drawn over. Says nothing where standard output is no terminal, or one
/// that cannot erase a row (TERM=dumb).
class StatusRow {
public:
    StatusRow();

    bool isShown() const { return m_isShown; }
    /// Cut to the width of the terminal.
    void draw(const std::string& text);
    /// Before a line is printed.
    void erase();

private:
    bool m_isShown;
    bool m_isDrawn = false;
};

} // namespace quadric::app
