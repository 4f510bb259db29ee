// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/run_durations.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/study.h"
#include "core/templates/templates.h"
#include "core/workload/response_table.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/forms/workload_form.h"
#include "widgets/wizard/question_pages.h"
#include "widgets/wizard/study_wizard.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <algorithm>

using namespace quadric;
using widgets::KnobRange;
using widgets::KnobSet;
using workload::Knob;

class KnobsTest : public QObject {
    Q_OBJECT

private slots:
    void rangesAreThoseOfTheTrainerWithinTheMachine()
    {
        const run::Machine small = machine(6, 600);
        const auto range = [&](std::string_view name) {
            return widgets::rangeOn(small, KnobSet::Measured, *workload::findKnob(name));
        };
        QCOMPARE(range("ranks").most, 6.0);
        QCOMPARE(range("threads_per_rank").most, 6.0);
        QCOMPARE(range("batch_per_rank").most, 180.0); // 90 % of 600 MiB, 3 MiB an image
        QCOMPARE(range("gradient_compression").most, 99.999);
        QCOMPARE(range("image_size").most, 1024.0);
        QVERIFY(!isOffered(KnobSet::Measured, "gpu"));
        for (const Knob* knob : widgets::listOfferedKnobs(KnobSet::Measured)) {
            const KnobRange each = widgets::rangeOn(small, KnobSet::Measured, *knob);
            QVERIFY2(!workload::isNumber(*knob) || each.least < each.most, knob->name.data());
        }
    }

    void simulatedKnobsPlanForMoreThanTheMachineHas()
    {
        QVERIFY(widgets::rangeOn(machine(2, 600), KnobSet::Simulated, workload::knob("ranks")).most >=
                1024.0);
        QVERIFY(isOffered(KnobSet::Simulated, "gpu"));
        QVERIFY(!isOffered(KnobSet::Simulated, "threads_per_rank"));
        QVERIFY(!isOffered(KnobSet::Simulated, "link_gbit"));
    }

    void everyKnobCanBeAFactor()
    {
        for (const KnobSet set : {KnobSet::Measured, KnobSet::Simulated}) {
            study::Study study = builtinStudy();
            study.responses = {{.name = "images_per_sec"}};
            study.fixed["engine"] = set == KnobSet::Measured ? "cpu" : "simulated";
            while (const auto factor = widgets::suggestedFactor(study, machine(8, 8000)))
                study.factors.push_back(*factor);
            QVERIFY(study.factors.size() > 10);
            QVERIFY(!study::findFactor(study, "max_seconds"));
            QVERIFY(!study::findFactor(study, "network"));
            QCOMPARE(run::gapsInWords(study), std::string());
            for (const auto& problem : study::validate(study))
                QVERIFY2(!problem.isError, problem.message.c_str());
        }
    }

    void numbersWithRoomAreSuggestedFirst()
    {
        QCOMPARE(widgets::suggestedFactor(builtinStudy(), machine(8, 8000))->name, std::string("ranks"));
        const study::Factor batch = *widgets::suggestedFactor(builtinStudy(), machine(2, 8000));
        QCOMPARE(batch.name,
                 std::string("batch_per_rank")); // two cores have no room for three numbers of ranks
        QCOMPARE(batch.low, 4.0);
        QCOMPARE(batch.high, 16.0);
        QVERIFY(batch.scale == study::Scale::Log2);
    }

    void everyResponseOfTheWorkloadIsOffered()
    {
        study::Study study = builtinStudy();
        widgets::ResponsesPage page;
        connect(&page, &widgets::ResponsesPage::edited, this, [&](const study::Study& after) {
            study = after;
            page.setStudy(study);
        });
        page.setStudy(study);
        auto* add = page.findChild<QPushButton*>("addResponse");
        QVERIFY(add);
        for (const workload::Response& known : workload::kResponses) {
            add->click();
            QCOMPARE(study.responses.back().name, std::string(known.name));
            QCOMPARE(study.responses.back().unit, std::string(known.unit));
        }
        QCOMPARE(study::findResponse(study, "joules_per_image")->goal, study::Goal::Minimize);
        QCOMPARE(study::findResponse(study, "scaling_efficiency")->goal, study::Goal::Maximize);
        add->click();
        QCOMPARE(study.responses.back().name, std::string("response_14"));
    }

    /// `quadric new --help` has them in the order of the same list.
    void theTemplatesAreThoseOfTheCommandLine()
    {
        const widgets::StudyWizard wizard(machine(2, 8000));
        QStringList cards, names;
        for (const auto* card : wizard.findChildren<widgets::ChoiceCard*>()) {
            if (card->objectName().startsWith("template-"))
                cards << card->objectName().mid(9);
        }
        for (const auto& item : templates::templates())
            names << QString::fromUtf8(item.name);
        QCOMPARE(cards, names);
    }

    void everyTemplateIsReadyToRun()
    {
        widgets::StudyWizard wizard(machine(2, 8000));
        wizard.show();
        for (const auto& item : templates::templates()) {
            auto* card = wizard.findChild<QWidget*>("template-" + QString::fromUtf8(item.name));
            QVERIFY(card);
            QTest::mouseClick(card, Qt::LeftButton);
            if (templates::studyFrom(item.name, 2).factors.empty())
                continue; // blank
            QCOMPARE(wizard.problems(), QStringList());
            QVERIFY(study::validate(wizard.study()).empty());
            QCOMPARE(run::gapsInWords(wizard.study()), std::string());
            QCOMPARE(wizard.study().runs.size(), size_t(15));
            for (const auto& [name, value] : wizard.study().fixed)
                QVERIFY2(workload::findKnob(name), name.c_str());
        }
        QTest::mouseClick(wizard.findChild<QWidget*>("template-plan-64-gpus"), Qt::LeftButton);
        QVERIFY(*run::expectedSeconds(wizard.study()) < 60.0); // simulated
        QTest::mouseClick(wizard.findChild<QWidget*>("template-slow-network"), Qt::LeftButton);
        QVERIFY(*run::expectedSeconds(wizard.study()) < 300.0); // under five minutes
    }

    void theFormShowsWhatTheTrainerTakes()
    {
        widgets::KnobForm form;
        form.setStudy(builtinStudy());
        for (const Knob* knob : widgets::listOfferedKnobs(KnobSet::Measured)) {
            auto* editor = form.findChild<QWidget*>("knob-" + QString::fromUtf8(knob->name));
            QVERIFY2(editor, knob->name.data());
            const auto* number = qobject_cast<QDoubleSpinBox*>(editor);
            QCOMPARE(number ? study::toText(number->value())
                            : qobject_cast<QComboBox*>(editor)->currentText().toStdString(),
                     std::string(knob->usual));
        }
    }

    void theFormFollowsTheEngine()
    {
        study::Study study = builtinStudy();
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

    void theFormNamesTheGpusOfTheMachine()
    {
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
        for (const char* expected : {"0 NVIDIA H100", "10.0 of 80.0 GiB", "00000000:2C:00.0", "not in use",
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

private:
    static run::Machine machine(int cores, double memoryMib)
    {
        run::Machine made;
        made.cores = cores;
        made.memoryMib = memoryMib;
        return made;
    }
    static bool isOffered(KnobSet set, std::string_view name)
    {
        const auto all = widgets::listOfferedKnobs(set);
        return std::any_of(all.begin(), all.end(), [name](const Knob* knob) { return knob->name == name; });
    }
    static study::Study builtinStudy()
    {
        study::Study study;
        study.benchmark.workload = "builtin";
        return study;
    }
};

QUADRIC_QT_TEST(KnobsTest)
#include "wizard_knobs_test.moc"
