// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <functional>
#include <string>

namespace quadric::run {

/// How a call of a program of Slurm ended.
struct SlurmAnswer {
    enum class Kind { Ended, TimedOut, NotStarted };
    Kind kind = Kind::NotStarted;
    int status = 0; ///< exit status
    QByteArray output, errors;

    bool isGood() const { return kind == Kind::Ended && status == 0; }
    /// Why it is not good, in words, for "squeue: …".
    std::string problem() const;
};

struct SlurmCall {
    QString program; ///< "sbatch"
    QStringList arguments;
    QString folder = {};     ///< empty: the current one
    int patienceMs = 20'000; ///< after that it is killed
};

/// Calls a program of Slurm; `done` gets the answer later, once, unless `owner` is gone by then. The call
/// ends with the owner and with this process.
void callSlurm(QObject* owner, const SlurmCall& call, std::function<void(const SlurmAnswer&)> done);

/// The same, waiting for the answer.
SlurmAnswer askSlurm(const SlurmCall& call);

/// What Slurm's programs inherit: everything but the options that an allocation, in which Quadric itself may
/// run, has left in variables (SLURM_…, SBATCH_… and the like; SLURM_CONF stays), and the devices of this
/// machine.
QProcessEnvironment slurmEnvironment(const QProcessEnvironment& environment);

} // namespace quadric::run
