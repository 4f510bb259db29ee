// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::app {

/// Where the session names no runtime folder (XDG_RUNTIME_DIR: a container, cron, a job of a cluster), names
/// the one that Qt takes in that case, so that Qt does not remark on it in every command. Qt still checks
/// that the folder belongs to the user alone. Called before the first thread starts.
void nameRuntimeFolder();

} // namespace quadric::app
