// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/launch.h"
#include "core/study/study.h"
#include "core/workload/knob_table.h"

#include <QString>
#include <QWidget>

#include <map>
#include <optional>
#include <vector>

class QFormLayout;

namespace quadric::widgets {

/// The knobs that the wizard offers: those for runs that are measured, or those that plan for GPUs which are
/// not here.
enum class KnobSet { Measured, Simulated };

/// Which knobs a study has: its fixed `engine` tells.
KnobSet selectKnobSet(const study::Study& study);

/// The offered knobs in the order of the vocabulary.
std::vector<const workload::Knob*> listOfferedKnobs(KnobSet set);

struct KnobRange {
    double least = 0.0, most = 0.0;
};

/// What a number can be set to: what the trainer takes, and for measured runs no more than the machine has.
KnobRange rangeOn(const run::Machine& machine, KnobSet set, const workload::Knob& knob);

/// What the trainer takes where a study says nothing.
study::Value usualValue(const workload::Knob& knob);

/// The knob as a factor between its suggested ends, which it has within the range.
study::Factor factorFrom(const workload::Knob& knob, const KnobRange& range);

/// The next knob that is worth to be varied and is not varied yet, as a factor; nothing: there is none left.
/// Numbers with room for three levels go first.
std::optional<study::Factor> suggestedFactor(const study::Study& study, const run::Machine& machine);

/// A response that the runner can tell of any command.
struct OfferedResponse {
    QString title;
    study::Response response;
    std::string expression = {}; ///< empty: the runner sees it itself
};

/// Energy, power, memory, time, scaling efficiency, and what is computed from them and the study's speed;
/// those that it does not have. None for other workloads than a command.
std::vector<OfferedResponse> offeredResponses(const study::Study& study);

/// The GPUs of this machine with memory, PCI identifier, NVLink peers and users, and a sentence about what
/// they measure. Without GPUs only the sentence.
class DeviceList : public QWidget {
    Q_OBJECT

public:
    explicit DeviceList(const run::TrainerDevices& devices, QWidget* parent = nullptr);
};

/// The knobs of the built-in workload: those that are factors are named as varied, the others are set here.
class KnobForm : public QWidget {
    Q_OBJECT

public:
    explicit KnobForm(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);
    /// What the engine can be measured on, shown below it.
    void setDevices(const run::TrainerDevices& devices);

signals:
    void fixedEdited(const QString& knob, const quadric::study::Value& value);

private:
    void build(const study::Study& study);
    void showDevices();
    QWidget* numberEditor(const workload::Knob& knob);
    QWidget* choiceEditor(const workload::Knob& knob);

    QFormLayout* m_form;
    std::map<const workload::Knob*, QWidget*> m_editors;
    std::vector<std::string> m_varied; ///< factors that the rows were built for
    bool m_isBuilt = false;
    bool m_isSimulated = false;
    std::optional<run::TrainerDevices> m_devices;
    QWidget* m_deviceList = nullptr; ///< null while nothing is known, and for simulated runs
};

} // namespace quadric::widgets
