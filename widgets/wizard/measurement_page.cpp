// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/measurement_page.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/templates/templates.h"
#include "widgets/base/style.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/text/wording.h"
#include "widgets/wizard/command/command_form.h"
#include "widgets/wizard/forms/launcher_form.h"
#include "widgets/wizard/forms/workload_form.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

bool isBuiltin(MeasurementWay way)
{
    return way == MeasurementWay::Builtin || way == MeasurementWay::Simulated;
}

/// Settings of the built-in workload go aside, or come back from there.
void moveKnobs(study::Study& study, bool isNeeded, study::Settings& aside)
{
    study::Settings& from = isNeeded ? aside : study.fixed;
    study::Settings& to = isNeeded ? study.fixed : aside;
    std::erase_if(from, [&](const auto& item) {
        const bool isMoved = workload::findKnob(item.first) && !study::findFactor(study, item.first);
        if (isMoved)
            to.insert(item);
        return isMoved;
    });
}

constexpr MeasurementWay kWays[] = {MeasurementWay::Builtin, MeasurementWay::Simulated,
                                    MeasurementWay::Command, MeasurementWay::Typed};

enum Form { Knobs, Command, Typed };

Form formFor(MeasurementWay way)
{
    if (way == MeasurementWay::Typed)
        return Typed;
    return way == MeasurementWay::Command ? Command : Knobs;
}

QWidget* scrolled(QWidget* content)
{
    auto* scroll = scrollAreaFor(content);
    scroll->setAccessibleName(MeasurementPage::tr("How it is measured"));
    return scroll;
}

} // namespace

MeasurementWay readMeasurementWay(const study::Study& study)
{
    if (study.benchmark.workload == "none")
        return MeasurementWay::Typed;
    if (study.benchmark.workload == "command")
        return MeasurementWay::Command;
    return selectKnobSet(study) == KnobSet::Simulated ? MeasurementWay::Simulated : MeasurementWay::Builtin;
}

QString measurementName(MeasurementWay way)
{
    static const char* const names[] = {"Built-in training step, measured",
                                        "Built-in training step, simulated", "Your own script or program",
                                        "Results typed by hand"};
    return tr(names[int(way)]);
}

study::Study withMeasurement(study::Study study, MeasurementWay way, study::Settings& aside)
{
    study.benchmark.workload = way == MeasurementWay::Typed     ? "none"
                               : way == MeasurementWay::Command ? "command"
                                                                : "builtin";
    moveKnobs(study, isBuiltin(way), aside);
    const bool isFresh = study.benchmark.argv.empty() && study.benchmark.parse == study::ParseSpec{};
    if (way == MeasurementWay::Command && isFresh)
        study.benchmark.parse = templates::studyFrom("own-command", 1).benchmark.parse;
    if (way == MeasurementWay::Simulated)
        study.fixed["engine"] = std::string("simulated");
    else if (way == MeasurementWay::Builtin && selectKnobSet(study) == KnobSet::Simulated)
        study.fixed.erase("engine");
    return study;
}

MeasurementPage::MeasurementPage(QWidget* parent)
    : WizardPage(parent)
    , m_way(new QComboBox)
    , m_forms(new QStackedWidget)
    , m_knobs(new KnobForm)
    , m_command(new CommandForm)
    , m_launcher(new LauncherForm)
    , m_baseline(new BaselineChooser)
    , m_baselineNote(mutedLabel({}))
{
    auto* typed = mutedLabel(
        tr("You enter the results yourself. Measure in run order, then type or paste the results."));
    typed->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_forms->addWidget(scrolled(makeBuiltin()));
    m_forms->addWidget(scrolled(m_command));
    m_forms->addWidget(typed);
    auto* layout = marginless<QVBoxLayout>(this, kPageMargin);
    layout->addWidget(makeChooser());
    layout->addWidget(m_forms, 1);
    layout->addWidget(m_launcher);
    setFocusProxy(m_way);
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

QWidget* MeasurementPage::makeChooser()
{
    for (const MeasurementWay way : kWays)
        m_way->addItem(measurementName(way));
    nameWidget(m_way, "measurementWay", tr("How a run is measured"));
    connect(m_way, &QComboBox::activated, this, [this](int index) {
        const study::Study changed = withMeasurement(m_study, kWays[index], m_aside);
        if (changed != m_study)
            emit edited(changed);
    });
    auto* row = new QWidget;
    auto* layout = marginless<QHBoxLayout>(row, kPageMargin);
    auto* label = new QLabel(tr("Meas&ured by"));
    label->setBuddy(m_way);
    layout->addWidget(label);
    layout->addWidget(m_way);
    layout->addWidget(mutedLabel(tr("Change it whenever you like: factors, responses and runs stay.")), 1);
    return row;
}

QWidget* MeasurementPage::makeBuiltin()
{
    auto* form = new QWidget;
    auto* layout = marginless<QVBoxLayout>(form, kPageMargin);
    layout->addWidget(m_knobs, 1);
    layout->addWidget(makeBaseline());
    return form;
}

QWidget* MeasurementPage::makeBaseline()
{
    auto* row = new QWidget;
    auto* layout = marginless<QHBoxLayout>(row, kPageMargin);
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

void MeasurementPage::setDocument(const std::filesystem::path& document, bool isNew)
{
    m_command->setDocument(document, isNew);
}

void MeasurementPage::applyScript(const QString& path)
{
    m_command->applyScript(path);
}

QStringList MeasurementPage::refusals() const
{
    return m_study.benchmark.workload == "command" ? m_command->refusals() : QStringList();
}

void MeasurementPage::setStudy(const study::Study& study)
{
    m_study = study;
    const MeasurementWay way = readMeasurementWay(study);
    m_way->setCurrentIndex(int(way));
    m_forms->setCurrentIndex(formFor(way));
    if (formFor(way) == Knobs)
        m_knobs->setStudy(study);
    if (formFor(way) == Command)
        m_command->setStudy(study);
    m_launcher->setVisible(formFor(way) != Typed);
    m_launcher->setStudy(study);
    m_baseline->setStudy(study);
    m_baseline->parentWidget()->setVisible(run::asksForBaselines(study));
    m_baselineNote->setText(m_baseline->sentence());
}

} // namespace quadric::widgets
