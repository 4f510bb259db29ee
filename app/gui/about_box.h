// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace quadric::app {

/// Version, license with its text, libraries, and the web address where the build names one.
void showAbout(QWidget& window);

} // namespace quadric::app
