// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/study/study.h"

#include <QString>

namespace quadric::widgets {

/// The state of a run, with what the living runner tells about it: how far it is, what it waits for, on which
/// devices; of one that waits whether it comes next or is skipped.
QString statusWords(const study::Run& run, const run::RunnerNews& news);

/// What the run took; of one in progress what it has taken and what is left.
QString timeWords(const study::Run& run, const run::RunnerNews& news);

} // namespace quadric::widgets
