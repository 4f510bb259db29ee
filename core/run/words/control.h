// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

namespace quadric::run {

/// What a runner does on request while it executes a study (docs/running.md).
enum class ControlAction {
    Pause,  ///< starts no further run; those in progress go on
    Resume, ///< ends a pause
    Stop,   ///< ends the runner; the runs in progress go back to pending
    Cancel, ///< ends a run in progress; it has failed with kind "cancelled"
    Skip,   ///< leaves a run pending, this time; one in progress is ended
    Retry,  ///< measures a failed or skipped run, or one that is done, at the end of the queue
    First,  ///< moves a waiting run to the front of the queue
    Status  ///< changes nothing; answers whether the runner is there
};

struct ControlRequest {
    ControlAction action = ControlAction::Status;
    int run = 0; ///< id, for those actions that are about a run
};

struct ControlReply {
    bool isDone = false;
    QString message;      ///< one sentence: what happens now, or why not
    QString problem = {}; ///< Status: why no further run is started for now; empty: nothing is wrong
};

/// All actions, in the order in which they are explained to people.
std::vector<ControlAction> controlActions();

/// "pause", "cancel", …
std::string_view nameOf(ControlAction action);
bool isAboutARun(ControlAction action);

/// Reads "pause" or "cancel:4". Empty for anything else.
std::optional<ControlRequest> parseControlRequest(std::string_view words);

/// One JSON object without line end each; reading gives nothing for text that is none of ours.
QByteArray writeRequest(const ControlRequest& request);
std::optional<ControlRequest> readRequest(const QByteArray& line);
QByteArray writeReply(const ControlReply& reply);
std::optional<ControlReply> readReply(const QByteArray& line);

/// The socket on which the runner of this study listens, named by studyKey(): in the user's runtime folder,
/// or, where that is not the user's alone, in the state folder. Empty when neither can be used.
QString controlSocket(const std::filesystem::path& document);

/// Why nobody can reach a runner of this study in that way, in one sentence; empty: the user's programs can.
std::string whyNoControl(const std::filesystem::path& document);

} // namespace quadric::run
