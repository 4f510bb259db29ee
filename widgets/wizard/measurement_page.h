// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/trainer_devices.h"
#include "widgets/wizard/wizard_page.h"

class QLabel;
class QStackedWidget;

namespace quadric::widgets {

class BaselineChooser;
class CommandForm;
class KnobForm;
class LauncherForm;

/// How a run is measured: the knobs of the built-in workload, a command, or results that are typed in.
class MeasurementPage : public WizardPage {
    Q_OBJECT

public:
    explicit MeasurementPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    void setDevices(const run::TrainerDevices& devices);
    QStringList places() const override { return {QStringLiteral("benchmark"), QStringLiteral("fixed")}; }

signals:
    /// The command shall be tried with one setting.
    void testRequested();

private:
    QWidget* makeBuiltin();
    QWidget* makeBaseline();

    study::Study m_study;
    QStackedWidget* m_forms;
    KnobForm* m_knobs;
    CommandForm* m_command;
    LauncherForm* m_launcher;
    BaselineChooser* m_baseline;
    QLabel* m_baselineNote;
};

} // namespace quadric::widgets
