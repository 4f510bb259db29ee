// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/status_row.h"

#include "app/shell/visible_output.h"
#include "core/text/visible_text.h"

#include <cstdlib>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace quadric::app {

namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::string_view kEraseRow = "\r\x1b[K";

bool canErase()
{
    const char* terminal = std::getenv("TERM");
    return terminal && *terminal != '\0' && std::string_view(terminal) != "dumb";
}

std::size_t terminalWidth()
{
    winsize size = {};
    const bool isKnown = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return isKnown ? size.ws_col : kUsualWidth;
}

/// The first so many code points of UTF-8.
std::string cut(const std::string& text, std::size_t length)
{
    std::size_t end = 0, points = 0;
    for (; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U;
        if (begins && points++ == length)
            break;
    }
    return text.substr(0, end);
}

} // namespace

StatusRow::StatusRow()
    : m_isShown(printsToTerminal() && canErase())
{
}

void StatusRow::draw(const std::string& text)
{
    if (!m_isShown)
        return;
    // The last column stays free: a terminal that is written full to it goes to the next row.
    printControl(std::string(kEraseRow) + cut(text::makeVisible(text), terminalWidth() - 1));
    m_isDrawn = true;
}

void StatusRow::erase()
{
    if (m_isDrawn)
        printControl(kEraseRow);
    m_isDrawn = false;
}

} // namespace quadric::app
