// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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

/// A GPU as `quadric-trainer --devices` lists it.
struct TrainerGpu {
    int index = 0; ///< in the order of the PCI bus, as nvidia-smi counts
    std::string name, pci;
    double memoryGib = 0.0, freeGib = 0.0;
    std::vector<int> nvlinkPeers; ///< GPUs that it reaches over NVLink
    std::string users;            ///< who computes on it now: "python3 (process 4711)"; empty: nobody
    bool operator==(const TrainerGpu&) const = default;
};

/// What the built-in workload can be measured on here.
struct TrainerDevices {
    std::vector<TrainerGpu> gpus;
    std::string driver; ///< version; empty without one
    std::string about;  ///< what GPUs measure here, or why they are not measured, in sentences
    bool operator==(const TrainerDevices&) const = default;
};

/// Reads the output of `quadric-trainer --devices --format json`; what is missing stays empty.
TrainerDevices parseTrainerDevices(const QByteArray& output);

/// Asks the trainer once, in the background: it opens CUDA's libraries, which takes a second or more.
class TrainerDevicesQuestion : public QObject {
    Q_OBJECT

public:
    explicit TrainerDevicesQuestion(QObject* parent = nullptr);
    ~TrainerDevicesQuestion() override;
    void start();

signals:
    /// Once; never where the trainer is not installed or does not answer within half a minute.
    void answered(const quadric::run::TrainerDevices& devices);

private:
    QProcess m_process;
    QTimer m_limit;
};

/// What a piece of work has said.
struct BoundedAnswer {
    std::string text;    ///< as far as it came
    std::string problem; ///< why it could not begin; empty: it did
};

using Say = std::function<void(const std::string&)>;

/// Does the work in a copy of this process, which is ended after `seconds` of processor time: work without an
/// end, and a crash in it, stay there. The work computes and says what it finds; it waits for nothing, and
/// nothing else that it changes is seen here.
BoundedAnswer doBounded(double seconds, const std::function<void(const Say&)>& work);

} // namespace quadric::run
