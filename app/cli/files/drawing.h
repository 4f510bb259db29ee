// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"
#include "widgets/base/page.h"

class QApplication;

namespace quadric::app {

/// What has to be there before anything can be drawn: fonts and the theme of the window, but no display.
class Drawing {
public:
    explicit Drawing(CommandLine& line);
    ~Drawing();

private:
    std::unique_ptr<QApplication> m_application;
};

/// The study with its fitted models, as the pages of the window get it.
widgets::ContextPointer contextOf(const std::string& path);

} // namespace quadric::app
