// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// Makes icons, help and examples known. Resources of a static library are only there once somebody asks for
/// them.
void loadResources();

} // namespace quadric::app
