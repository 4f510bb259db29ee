// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <filesystem>

namespace quadric::run {

/// Starts `quadric run STUDY --events` detached, in a session of its own, so that it outlives the caller.
/// Returns an empty string, or the reason in words why it could not be started.
QString startRunner(const std::filesystem::path& document, const QStringList& arguments = {});

/// Asks the living runner of the study to stop: the run in progress goes back to pending, everything done is
/// kept. False when there is none.
bool requestStop(const std::filesystem::path& document);

/// The trainer beside this program, or on the PATH; empty when it is not there.
QString trainerProgram();

/// The guard of the workers beside this program, or on the PATH; empty when it is not there.
QString guardProgram();

/// Path of quadric-watch, in the same way; empty when it is not installed.
QString watchProgram();

/// What this machine offers: logical cores and memory, for the wizard's ranges.
struct Machine {
    int cores = 1;
    double memoryMib = 0.0;
};
Machine thisMachine();

} // namespace quadric::run
