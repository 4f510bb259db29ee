// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"

namespace quadric::run {

/// Records of a study that lie outside its folder, which could not be written.
struct KeptElsewhere {
    std::filesystem::path file;
    std::vector<int> runs; ///< ids of those that have ended, ascending
    bool operator==(const KeptElsewhere&) const = default;
};

/// What is kept elsewhere of this study, on this machine and by this user; empty: nothing.
std::optional<KeptElsewhere> keptElsewhere(const std::filesystem::path& document);

/// Why the study cannot take results, where they are, and what to do, for people; empty: it can. The window
/// and `quadric status` say this. A runner's own word (`news`) may not have come through where its events lie
/// in the folder that cannot be written; what is kept elsewhere tells then, and where nothing could be kept
/// there either, what the runner has answered when it was asked (`answered`, ControlReply::problem).
/// `isRunning`: there is a runner.
std::string problemOfStudy(const std::filesystem::path& document, const RunnerNews& news, bool isRunning,
                           const std::string& answered);

} // namespace quadric::run
