// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/trainer_devices.h"
#include "core/study/study.h"

#include <QWidget>

#include <map>
#include <optional>

class QFormLayout;

namespace quadric::workload {
struct Knob;
}

namespace quadric::widgets {

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
