// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <string>

namespace quadric::widgets {

/// Style rules of the profiler that a reader of the HTML report can drag.
QString profilerStyle();

/// The one script that may run in a report, by its hash: a Content-Security-Policy source.
QString profilerSource();

/// The models (exchange::profilerModel()) and the script that draws them in place of the picture in the
/// element "profiler".
QString profilerMarkup(const std::string& models);

} // namespace quadric::widgets
