// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/builtin_workload.h"
#include "core/study/study.h"
#include "widgets/wizard/knob_form.h"
#include "widgets/wizard/knobs.h"
#include "widgets/wizard/study_wizard.h"
#include "widgets/wizard/templates.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace quadric;
using widgets::Knob;
using widgets::KnobSet;

class KnobsTest : public QObject {
    Q_OBJECT

private slots:
    void rangesComeFromTheMachine();
    void simulatedKnobsPlanForMoreThanTheMachineHas();
    void everyTemplateIsReadyToRun();
    void theFormFollowsTheEngine();
    void theEngineNamesTheGpusOfTheMachine();

private:
    static run::Machine machine(int cores, double memoryMib)
    {
        run::Machine made;
        made.cores = cores;
        made.memoryMib = memoryMib;
        return made;
    }
    static Knob knob(const std::vector<Knob>& all, const std::string& name)
    {
        const auto found = std::ranges::find(all, name, &Knob::name);
        return found == all.end() ? Knob{} : *found;
    }
};

void KnobsTest::rangesComeFromTheMachine()
{
    const std::vector<Knob> small = widgets::knobsOf(KnobSet::Measured, machine(6, 600));
    QCOMPARE(knob(small, "ranks").most, 6.0);
    QCOMPARE(knob(small, "threads_per_rank").most, 6.0);
    QCOMPARE(knob(small, "batch_per_rank").most, 180.0); // 90 % of 600 MiB, 3 MiB an image
    QVERIFY(knob(small, "gpu").name.empty());
    for (const Knob& each : small)
        QVERIFY2(!each.explanation.isEmpty() && each.least < each.most, each.name.c_str());
}

void KnobsTest::simulatedKnobsPlanForMoreThanTheMachineHas()
{
    const std::vector<Knob> all = widgets::knobsOf(KnobSet::Simulated, machine(2, 600));
    QVERIFY(knob(all, "ranks").most >= 1024.0);
    QVERIFY(!knob(all, "gpu").name.empty());
    QVERIFY(knob(all, "threads_per_rank").name.empty());
    QVERIFY(knob(all, "link_gbit").name.empty());
}

void KnobsTest::everyTemplateIsReadyToRun()
{
    widgets::StudyWizard wizard(machine(2, 8000));
    wizard.show();
    const size_t count = widgets::studyTemplates(machine(2, 8000)).size();
    QCOMPARE(count, size_t(5));
    for (size_t i = 0; i < count; ++i) {
        auto* card = wizard.findChild<QWidget*>(QStringLiteral("template%1").arg(i));
        QVERIFY(card);
        QTest::mouseClick(card, Qt::LeftButton);
        QCOMPARE(wizard.problems(), QStringList());
        QVERIFY(study::validate(wizard.study()).empty());
        QCOMPARE(run::gapsInWords(wizard.study()), std::string());
        QCOMPARE(wizard.study().runs.size(), size_t(15));
        for (const auto& [name, value] : wizard.study().fixed)
            QVERIFY2(widgets::findKnob(name), name.c_str());
    }
    QVERIFY(widgets::expectedSeconds(wizard.study()) < 60.0); // the last one is simulated
    QTest::mouseClick(wizard.findChild<QWidget*>(QStringLiteral("template3")), Qt::LeftButton);
    QVERIFY(widgets::expectedSeconds(wizard.study()) < 300.0); // under five minutes
}

void KnobsTest::theFormFollowsTheEngine()
{
    study::Study study;
    study.benchmark.workload = "builtin";
    widgets::KnobForm form;
    form.setStudy(study);
    form.show();
    connect(&form, &widgets::KnobForm::fixedEdited, this,
            [&](const QString& name, const study::Value& value) {
                study.fixed[name.toStdString()] = value;
                form.setStudy(study);
            });
    QVERIFY(form.findChild<QDoubleSpinBox*>("knob-link_gbit"));
    auto* engine = form.findChild<QComboBox*>("knob-engine");
    QVERIFY(engine);
    engine->setFocus();
    QTest::keyClick(engine, Qt::Key_End); // simulated is the last choice
    QTRY_VERIFY(form.findChild<QComboBox*>("knob-gpu"));
    QVERIFY(!form.findChild<QDoubleSpinBox*>("knob-link_gbit"));
    QCOMPARE(form.findChild<QComboBox*>("knob-engine")->currentText(), QStringLiteral("simulated"));
}

void KnobsTest::theEngineNamesTheGpusOfTheMachine()
{
    const Knob engine = knob(widgets::knobsOf(KnobSet::Measured, machine(4, 8192.0)), "engine");
    QCOMPARE(engine.choices, (std::vector<std::string>{"cpu", "cuda", "auto", "simulated"}));
    QCOMPARE(study::toText(engine.usual), std::string("cpu"));

    widgets::KnobForm form;
    study::Study study;
    form.setStudy(study);
    QVERIFY(!form.findChild<QWidget*>("deviceList"));
    const run::TrainerDevices two{
        {{0, "NVIDIA H100", "00000000:1B:00.0", 80.0, 79.0, {1}, ""},
         {1, "NVIDIA H100", "00000000:2C:00.0", 80.0, 10.0, {0}, "python3 (process 7)"}},
        "580.65",
        "measures up to 2 ranks"};
    form.setDevices(two);
    QStringList texts;
    for (const QLabel* label : form.findChild<QWidget*>("deviceList")->findChildren<QLabel*>())
        texts << label->text();
    for (const char* expected : {"0 NVIDIA H100", "10.0 of 80.0 GiB", "00000000:2C:00.0", "nobody",
                                 "python3\n(process 7)", "Driver 580.65. measures up to 2 ranks"})
        QVERIFY2(texts.contains(QLatin1String(expected)), expected);
    study.fixed["engine"] = std::string("simulated");
    form.setStudy(study);
    QVERIFY(!form.findChild<QWidget*>("deviceList"));
    form.setDevices({{}, "", "GPUs are not measured: no driver"});
    study.fixed["engine"] = std::string("cpu");
    form.setStudy(study);
    QCOMPARE(form.findChildren<QWidget*>("deviceList").size(), 1);
}

QTEST_MAIN(KnobsTest)
#include "knobs_test.moc"
