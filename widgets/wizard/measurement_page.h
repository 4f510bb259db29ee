// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/launch/launch.h"
#include "core/study/study.h"
#include "widgets/wizard/wizard_frame.h"

#include <QString>

#include <filesystem>

class QComboBox;
class QLabel;
class QStackedWidget;

namespace quadric::widgets {

/// How the results of runs come about.
enum class MeasurementWay { Builtin, Simulated, Command, Typed };

MeasurementWay readMeasurementWay(const study::Study& study);

/// "Built-in training step, measured", …
QString measurementName(MeasurementWay way);

/// The study measured in another way. Settings of the built-in workload that another way has no use for are
/// put aside, and taken from there again when it is chosen again; everything else stays.
study::Study withMeasurement(study::Study study, MeasurementWay way, study::Settings& aside);

class BaselineChooser;
class CommandForm;
class KnobForm;
class LauncherForm;

/// How a run is measured, chosen at any time: with the built-in workload and its knobs, with a command, or by
/// the user, who types the results.
class MeasurementPage : public WizardPage {
    Q_OBJECT

public:
    explicit MeasurementPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;
    void setDevices(const run::TrainerDevices& devices);
    /// Where the study is or will be, see CommandForm::setDocument().
    void setDocument(const std::filesystem::path& document, bool isNew);
    QStringList refusals() const override;
    /// Puts this file into the command.
    void applyScript(const QString& path);

signals:
    /// The command shall be tried with one setting.
    void testRequested();

private:
    QWidget* makeChooser();
    QWidget* makeBuiltin();
    QWidget* makeBaseline();

    study::Study m_study;
    study::Settings m_aside; ///< settings of the built-in workload while another is chosen
    QComboBox* m_way;
    QStackedWidget* m_forms;
    KnobForm* m_knobs;
    CommandForm* m_command;
    LauncherForm* m_launcher;
    BaselineChooser* m_baseline;
    QLabel* m_baselineNote;
};

} // namespace quadric::widgets
