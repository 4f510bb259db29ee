// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTimer>

#include <string>
#include <vector>

namespace quadric::run {

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

} // namespace quadric::run
