// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/measurement_page.h"

#include "core/run/recipe/baseline_question.h"
#include "widgets/base/style.h"
#include "widgets/monitor/baseline_chooser.h"
#include "widgets/wizard/forms/command_form.h"
#include "widgets/wizard/forms/knob_form.h"
#include "widgets/wizard/forms/launcher_form.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

enum Form { Knobs, Command, Typed };

Form formOf(const study::Study& study)
{
    if (study.benchmark.workload == "none")
        return Typed;
    return study.benchmark.workload == "command" ? Command : Knobs;
}

QWidget* scrolled(QWidget* content)
{
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    return scroll;
}

} // namespace

MeasurementPage::MeasurementPage(QWidget* parent)
    : WizardPage(parent)
    , m_forms(new QStackedWidget)
    , m_knobs(new KnobForm)
    , m_command(new CommandForm)
    , m_launcher(new LauncherForm)
    , m_baseline(new BaselineChooser)
    , m_baselineNote(mutedLabel({}))
{
    auto* typed = mutedLabel(tr(
        "Nothing is started for this study. Measure the runs in their order, wherever you like, and type the "
        "results into the matrix of the step Design."));
    typed->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_forms->addWidget(scrolled(makeBuiltin()));
    m_forms->addWidget(scrolled(m_command));
    m_forms->addWidget(typed);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPageMargin);
    layout->addWidget(m_forms, 1);
    layout->addWidget(m_launcher);
    connect(m_launcher, &LauncherForm::edited, this, &MeasurementPage::edited);
    connect(m_knobs, &KnobForm::fixedEdited, this, [this](const QString& knob, const study::Value& value) {
        study::Study study = m_study;
        study.fixed[knob.toStdString()] = value;
        emit edited(study);
    });
    connect(m_command, &CommandForm::testRequested, this, &MeasurementPage::testRequested);
    connect(m_command, &CommandForm::benchmarkEdited, this, [this](const study::Benchmark& benchmark) {
        study::Study study = m_study;
        study.benchmark = benchmark;
        emit edited(study);
    });
}

QWidget* MeasurementPage::makeBuiltin()
{
    auto* form = new QWidget;
    auto* layout = new QVBoxLayout(form);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPageMargin);
    layout->addWidget(m_knobs, 1);
    layout->addWidget(makeBaseline());
    return form;
}

QWidget* MeasurementPage::makeBaseline()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPageMargin);
    layout->addWidget(m_baseline);
    layout->addWidget(m_baselineNote, 1);
    connect(m_baseline, &BaselineChooser::modeChosen, this, [this](study::BaselineMode mode) {
        study::Study changed = m_study;
        changed.benchmark.baseline = mode;
        emit edited(changed);
    });
    return row;
}

void MeasurementPage::setDevices(const run::TrainerDevices& devices)
{
    m_knobs->setDevices(devices);
}

void MeasurementPage::setStudy(const study::Study& study)
{
    m_study = study;
    m_forms->setCurrentIndex(formOf(study));
    if (formOf(study) == Knobs)
        m_knobs->setStudy(study);
    if (formOf(study) == Command)
        m_command->setStudy(study);
    m_launcher->setVisible(formOf(study) != Typed);
    m_launcher->setStudy(study);
    m_baseline->setStudy(study);
    m_baseline->parentWidget()->setVisible(run::asksForBaselines(study));
    m_baselineNote->setText(m_baseline->sentence());
}

} // namespace quadric::widgets
