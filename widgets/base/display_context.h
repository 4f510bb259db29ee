// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

namespace quadric::widgets {

/// The context with names as they are shown (study::withDisplayNames()), for what is drawn or written for
/// people. Where all names are fit to be shown it is the same context.
ContextPointer withDisplayNames(ContextPointer context);

} // namespace quadric::widgets
