// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/forms/design_options.h"
#include "widgets/wizard/forms/launcher_form.h"
#include "widgets/wizard/measurement_page.h"
#include "widgets/wizard/sheets/factor_table_model.h"
#include "widgets/wizard/study_wizard.h"
#include "widgets/wizard/summary_page.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

using namespace quadric;
using widgets::LauncherForm;
using widgets::MeasurementPage;
using widgets::StudyWizard;
using widgets::WizardPage;
using widgets::WizardStep;

namespace {

run::Machine machineOfTwoCores()
{
    run::Machine machine;
    machine.cores = 2;
    return machine;
}

/// The wizard as a user sees it who has come to this page.
struct ShownWizard : StudyWizard {
    explicit ShownWizard(WizardStep step = WizardStep::Question)
        : StudyWizard(machineOfTwoCores())
    {
        setStep(step);
        show();
        [this] { QVERIFY(QTest::qWaitForWindowActive(this, kPatienceMs)); }();
    }
};

} // namespace

class WizardTest : public QObject {
    Q_OBJECT

private slots:
    void isValidFromTheFirstSecond()
    {
        StudyWizard wizard(machineOfTwoCores());
        QCOMPARE(wizard.problems(), QStringList());
        // Box-Behnken for three factors: twelve edge midpoints and the center runs (Box & Behnken 1960).
        QCOMPARE(wizard.study().runs.size(), size_t(15));
        QCOMPARE(wizard.study().benchmark.workload, std::string("builtin"));
        QVERIFY(study::validate(wizard.study()).empty());
    }

    void saysWhatIsWrong()
    {
        ShownWizard wizard(WizardStep::Factors);
        auto* table = wizard.findChild<QTableView*>("factorTable");
        typeInto(*table, 0, widgets::FactorTableModel::High, QStringLiteral("1"));
        auto* problem = wizard.findChild<QLabel*>("wizardProblem");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("batch_per_rank"), qPrintable(problem->text()));
        QVERIFY(!wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
        typeInto(*table, 1, widgets::FactorTableModel::Name, QStringLiteral("batch_per_rank"));
        QTRY_VERIFY(problem->text().contains("used twice"));
        QCOMPARE(problem->text().count("used twice"), 1);
        QVERIFY2(problem->text().contains("✗ The name \"batch_per_rank\" is used twice"),
                 qPrintable(problem->text()));
        QVERIFY2(problem->text().contains(
                     QStringLiteral("✗ The low of batch_per_rank, 4, is not less than its high, 1.")),
                 qPrintable(problem->text()));
        typeInto(*table, 1, widgets::FactorTableModel::Name, QStringLiteral("image_size"));
        typeInto(*table, 0, widgets::FactorTableModel::High, QStringLiteral("16"));
        QTRY_VERIFY(!problem->isVisible());
        QVERIFY(wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
    }

    void changesTheTemplate()
    {
        ShownWizard wizard;
        click(wizard, "template-enter-results");
        QCOMPARE(wizard.study().benchmark.workload, std::string("none"));
        QVERIFY(wizard.study().factors.empty());
        QVERIFY(!wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
        click(wizard, "template-slow-network");
        QCOMPARE(wizard.study().benchmark.workload, std::string("builtin"));
        QCOMPARE(wizard.study().name, std::string("Compression on a slow network"));
        QCOMPARE(wizard.study().runs.size(), size_t(15));
        QCOMPARE(wizard.problems(), QStringList());
    }

    /// One click on another template used to replace everything by the template's.
    void losesNothingToAnotherTemplate()
    {
        ShownWizard wizard;
        click(wizard, "template-own-command");
        typeText(*wizard.findChild<QLineEdit*>("studyName"), QStringLiteral("Mine"));
        wizard.setStep(WizardStep::Factors);
        auto* factors = wizard.findChild<QTableView*>("factorTable");
        typeInto(*factors, 0, widgets::FactorTableModel::Name, QStringLiteral("lr"));
        typeInto(*factors, 0, widgets::FactorTableModel::High, QStringLiteral("half"));
        wizard.setStep(WizardStep::Responses);
        typeInto(*wizard.findChild<QTableView*>("responseTable"), 0, 0, QStringLiteral("loss"));
        wizard.setStep(WizardStep::Measurement);
        QTest::keyClicks(wizard.findChild<QLineEdit*>("command"), QStringLiteral("train --lr {lr}"));
        const study::Study before = wizard.study();
        wizard.setStep(WizardStep::Question);
        for (const char* card : {"template-this-machine", "template-plan-64-gpus", "template-enter-results",
                                 "template-own-command"})
            click(wizard, card);
        QCOMPARE(wizard.study() == before, true);
        QCOMPARE(wizard.study().name, std::string("Mine"));
        QCOMPARE(factors->model()->index(0, widgets::FactorTableModel::High).data().toString(),
                 QStringLiteral("half"));
    }

    void asksBeforeItThrowsAnythingAway()
    {
        ShownWizard untouched;
        click(untouched, "template-plan-64-gpus"); // nothing is typed yet
        untouched.setStep(WizardStep::Design);
        QTRY_VERIFY(!untouched.findChild<widgets::OfferCards*>()->isBusy());
        QTest::keyClick(&untouched, Qt::Key_Escape);
        QVERIFY(!untouched.isVisible());

        ShownWizard chosen(WizardStep::Design);
        chosen.findChild<QSpinBox*>("centerRuns")->setValue(5);
        QTest::keyClick(&chosen, Qt::Key_Escape);
        QVERIFY(chosen.isVisible());

        ShownWizard wizard;
        auto* name = wizard.findChild<QLineEdit*>("studyName");
        typeText(*name, QStringLiteral("Six pages of work"));
        QTest::keyClick(name, Qt::Key_Escape);
        auto* question = wizard.findChild<QDialog*>("discardQuestion");
        QVERIFY(question && wizard.isVisible());
        QTest::keyClick(question, Qt::Key_Escape); // once too often
        QVERIFY(wizard.isVisible());
        QTRY_VERIFY(!wizard.findChild<QDialog*>("discardQuestion"));
        wizard.close();
        QVERIFY(wizard.isVisible());
        click(wizard, "discardStudy");
        QVERIFY(!wizard.isVisible());
        QCOMPARE(wizard.result(), int(QDialog::Rejected));
    }

    /// A cell that is still open when the window is closed counts as typed.
    void countsAnOpenCellAsTyped()
    {
        ShownWizard wizard(WizardStep::Factors);
        auto* table = wizard.findChild<QTableView*>("factorTable");
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, widgets::FactorTableModel::High));
        QTest::keyClick(table->viewport(), Qt::Key_3);
        QTest::keyClick(table->findChild<QLineEdit*>(), Qt::Key_2);
        wizard.close();
        QVERIFY(wizard.isVisible());
        QCOMPARE(wizard.study().factors[0].high, 32.0);
    }

    /// Enter goes on from every field, and is the blue button; the last page makes the study.
    void goesOnWithEnter()
    {
        ShownWizard wizard;
        auto* name = wizard.findChild<QLineEdit*>("studyName");
        QCOMPARE(wizard.focusWidget(), name);
        QCOMPARE(name->selectedText(), name->text());
        QSignalSpy help(&wizard, &StudyWizard::helpRequested), accepted(&wizard, &QDialog::accepted);
        QTest::keyClick(&wizard, Qt::Key_F1);
        QCOMPARE(help.last()[0].toString(), QStringLiteral("wizard-question"));
        QTest::keyClick(name, Qt::Key_Return);
        QCOMPARE(wizard.step(), WizardStep::Factors);
        auto* table = wizard.findChild<QTableView*>("factorTable");
        QCOMPARE(wizard.focusWidget(), table);
        QTest::keyClick(&wizard, Qt::Key_F1);
        QCOMPARE(help.last()[0].toString(), QStringLiteral("wizard-factors"));
        for (int row = 0; row < 3; ++row)
            QTest::keyClick(table, Qt::Key_Return); // goes down
        QCOMPARE(wizard.step(), WizardStep::Factors);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(wizard.step(), WizardStep::Responses);
        QCOMPARE(wizard.study().factors.size(), size_t(3)); // no row by accident
        wizard.setStep(WizardStep::Measurement);
        auto* finish = wizard.findChild<QAbstractButton*>("wizardFinish");
        const QString blue = wizard.findChild<QAbstractButton*>("wizardNext")->styleSheet();
        QVERIFY(finish->styleSheet() != blue);
        QTest::keyClick(wizard.focusWidget(), Qt::Key_Enter);
        QCOMPARE(wizard.step(), WizardStep::Summary);
        QCOMPARE(finish->styleSheet(), blue);
        QTest::keyClick(wizard.focusWidget(), Qt::Key_Enter);
        QCOMPARE(accepted.count(), 1);
    }

    /// Names, units and choices are replaced by what is typed on their cell, and stay what was typed.
    void typingOnACellReplaces()
    {
        ShownWizard wizard(WizardStep::Responses);
        auto* table = wizard.findChild<QTableView*>("responseTable");
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        typeOn(*table, QStringLiteral("step")); // a known response begins like this
        QCOMPARE(wizard.study().responses[0].name, std::string("step"));
        QCOMPARE(table->currentIndex().row(), 1);
        typeOn(*table, QStringLiteral("val_acc"), Qt::Key_Tab);
        typeOn(*table, QStringLiteral("%"));
        QCOMPARE(wizard.study().responses[1].name, std::string("val_acc"));
        QCOMPARE(wizard.study().responses[1].unit, std::string("%"));
        QCOMPARE(wizard.study().responses.size(), size_t(2));
    }

    /// Tab goes through what can be typed into and then out of the table, in both directions.
    void tabLeavesTheTable()
    {
        ShownWizard wizard(WizardStep::Factors);
        auto* table = wizard.findChild<QTableView*>("factorTable");
        table->setFocus();
        int pressed = 0;
        while (wizard.focusWidget() == table && ++pressed < 100)
            QTest::keyClick(table, Qt::Key_Tab);
        QCOMPARE(pressed, 3 * 7 + 1); // seven cells of each factor, and the empty row
        QCOMPARE(wizard.focusWidget()->objectName(), QStringLiteral("addFactor"));
        QTest::keyClick(wizard.focusWidget(), Qt::Key_Return);
        QCOMPARE(wizard.study().factors.size(), size_t(4));
        table->setFocus();
        table->setCurrentIndex(table->model()->index(0, 0));
        QTest::keyClick(table, Qt::Key_Backtab);
        QVERIFY(wizard.focusWidget() != table);
    }

    void needsANameAndSaysWhere()
    {
        ShownWizard wizard;
        auto* name = wizard.findChild<QLineEdit*>("studyName");
        typeText(*name, QStringLiteral(" "));
        QCOMPARE(wizard.problems(), QStringList{QStringLiteral("Give the study a name.")});
        auto* finish = wizard.findChild<QWidget*>("wizardFinish");
        QVERIFY(!finish->isEnabled());
        QCOMPARE(finish->toolTip(), QStringLiteral("Give the study a name."));
        auto* steps = wizard.findChild<QListWidget*>("wizardSteps");
        QCOMPARE(steps->item(0)->text(), QStringLiteral("1   Question   …"));
        QCOMPARE(steps->item(1)->text(), QStringLiteral("2   Factors"));
        wizard.setStep(WizardStep::Factors);
        typeInto(*wizard.findChild<QTableView*>("factorTable"), 0, widgets::FactorTableModel::High,
                 QStringLiteral("1"));
        QCOMPARE(steps->item(1)->text(), QStringLiteral("2   Factors   ✗"));
    }

    /// Any way of measuring from any other, in a new study and in one that is edited; nothing else changes.
    void choosesHowRunsAreMeasured()
    {
        const auto choose = [](StudyWizard& wizard, const char* way) {
            auto* box = wizard.findChild<QComboBox*>("measurementWay");
            const int index = box->findText(QString::fromUtf8(way));
            QVERIFY2(index >= 0, way);
            box->setCurrentIndex(index);
            emit box->activated(index);
        };
        study::Study measured = StudyWizard(machineOfTwoCores()).study();
        measured.runs[0].status = study::RunStatus::Done;
        measured.runs[0].results = {{"images_per_sec", 100.0}, {"scaling_efficiency", 90.0}};
        StudyWizard created(machineOfTwoCores()), edited(machineOfTwoCores());
        edited.editStudy(measured);
        for (StudyWizard* wizard : {&created, &edited}) {
            wizard->setStep(WizardStep::Measurement);
            wizard->show();
            const study::Study before = wizard->study();
            choose(*wizard, "Results typed by hand");
            QCOMPARE(wizard->study().benchmark.workload, std::string("none"));
            QVERIFY(wizard->study().fixed.empty()); // knobs of the trainer mean nothing here
            choose(*wizard, "Your own script or program");
            QCOMPARE(wizard->study().benchmark.workload, std::string("command"));
            QVERIFY(wizard->findChild<QLineEdit*>("command")->isVisible());
            QTest::keyClicks(wizard->findChild<QLineEdit*>("command"), QStringLiteral("run"));
            choose(*wizard, "Built-in training step, simulated");
            QCOMPARE(wizard->study().fixed.at("engine"), study::Value("simulated"));
            choose(*wizard, "Your own script or program");
            QCOMPARE(wizard->study().benchmark.argv, std::vector<std::string>{"run"});
            choose(*wizard, "Built-in training step, measured");
            QCOMPARE(wizard->study().fixed, before.fixed);
            QCOMPARE(wizard->study().runs, before.runs);
            QCOMPARE(wizard->study().factors, before.factors);
        }
    }

    void takesFixedSettingsForEveryWorkload()
    {
        ShownWizard wizard;
        click(wizard, "template-enter-results");
        wizard.setStep(WizardStep::Factors);
        auto* fixed = wizard.findChild<QTableView*>("fixedTable");
        typeInto(*fixed, 0, 0, QStringLiteral("solvent"));
        typeInto(*fixed, 0, 1, QStringLiteral("toluene"));
        typeInto(*fixed, 1, 0, QStringLiteral("stirring"));
        typeInto(*fixed, 1, 1, QStringLiteral("300"));
        QCOMPARE(wizard.study().fixed,
                 (study::Settings{{"solvent", study::Value("toluene")}, {"stirring", study::Value(300.0)}}));
        fixed->setCurrentIndex(fixed->model()->index(0, 0));
        click(wizard, "removeFixed");
        QCOMPARE(wizard.study().fixed.size(), size_t(1));
    }

    void saysAWrongConstraintOnce()
    {
        ShownWizard wizard(WizardStep::Factors);
        click(wizard, "addConstraint");
        QTest::keyClicks(wizard.findChild<QLineEdit*>("constraintText"), QStringLiteral("worker < 3"));
        QTRY_VERIFY(wizard.findChild<QLabel*>("constraintProblem")->isVisible());
        QVERIFY(!wizard.findChild<QLabel*>("wizardProblem")->isVisible());
        QCOMPARE(wizard.problems().size(), 1);
        QVERIFY(!wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
        wizard.setStep(WizardStep::Summary);
        const QString words = wizard.findChild<QLabel*>("wizardProblem")->text();
        QVERIFY2(words.startsWith("✗ Constraint 1: “worker” is not a factor"), qPrintable(words));
        QCOMPARE(words.count("worker"), 1);
    }

    void sumsUpWhatWasDecided()
    {
        StudyWizard wizard(machineOfTwoCores());
        wizard.setDestination([](const study::Study& study) {
            return QStringLiteral("/studies/%1.quadric").arg(QString::fromStdString(study.name));
        });
        wizard.show();
        click(wizard, "template-plan-64-gpus");
        wizard.setStep(WizardStep::Summary);
        QStringList texts;
        const auto words = [&] {
            texts.clear();
            for (const QLabel* label : wizard.findChild<widgets::SummaryPage*>()->findChildren<QLabel*>())
                if (label->isVisible())
                    texts << label->text();
            return texts.join(QLatin1Char('\n'));
        };
        QTRY_VERIFY2(words().contains("Lowest power for a 2σ effect (α = 5 %)"), qPrintable(words()));
        for (const char* expected :
             {"to maximize images_per_sec", "Built-in training step, simulated", "marked as simulated",
              "/studies/ResNet-50 on up to 64 GPUs, simulated.quadric", "Image size = 224 px"})
            QVERIFY2(
                words().replace(QChar(QChar::Nbsp), QLatin1Char(' ')).contains(QString::fromUtf8(expected)),
                qPrintable(words()));
        study::Study optimal = wizard.study();
        optimal.design.type = "i-optimal";
        QVERIFY2(widgets::summarySentence(optimal).contains("of an I-optimal design"),
                 qPrintable(widgets::summarySentence(optimal)));
    }

    /// On 1024 × 700 too, where a window manager takes a part; nothing is scrolled to the right there.
    void suitsASmallScreen()
    {
        StudyWizard wizard(machineOfTwoCores());
        wizard.resize(1008, 652);
        wizard.show();
        QCOMPARE(wizard.size(), QSize(1008, 652));
        for (int step = 0; step < 6; ++step) {
            wizard.setStep(WizardStep(step));
            QTest::qWait(20);
            for (const QScrollArea* area : wizard.findChildren<QScrollArea*>())
                QVERIFY2(!area->isVisible() || area->horizontalScrollBar()->maximum() == 0,
                         qPrintable(QString::number(step)));
            if (WizardStep(step) == WizardStep::Question)
                for (const QScrollArea* area : wizard.findChildren<QScrollArea*>())
                    QVERIFY(!area->isVisible() || area->verticalScrollBar()->maximum() == 0);
        }
        auto* factors = wizard.findChild<QTableView*>("factorTable");
        QCOMPARE(factors->horizontalScrollBar()->maximum(), 0);
    }

    /// A card under the pointer does not look like the chosen one.
    void aHoveredCardIsNotAChosenOne()
    {
        widgets::ChoiceCard card(QStringLiteral("Title"), QStringLiteral("About"));
        card.setFocusPolicy(Qt::NoFocus);
        card.resize(300, 80);
        const auto isFrameBlue = [&] {
            const QColor frame = card.grab().toImage().pixelColor(150, 1);
            return frame.blue() > frame.red() + 40;
        };
        QPalette colors;
        colors.setColor(QPalette::Highlight, Qt::blue);
        card.setPalette(colors);
        QVERIFY(!isFrameBlue());
        card.setAttribute(Qt::WA_UnderMouse);
        QVERIFY(!isFrameBlue());
        card.setChecked(true);
        QVERIFY(isFrameBlue());
    }

    void namesFactorsThatTheCommandLeavesOut()
    {
        study::Study study;
        study.name = "own";
        study.factors = {{.name = "workers"}, {.name = "batch"}, {.name = "learning_rate"}};
        study.responses = {{.name = "throughput"}};
        study.benchmark.workload = "command";
        study.benchmark.argv = {"run", "{workers}", "{batch}", "{learning_rate}"};
        widgets::SummaryPage summary;
        summary.show();
        const auto* details = summary.findChild<QLabel*>("summaryDetails");
        summary.setStudy(study);
        QCOMPARE(details->text(), QString());
        study.benchmark.argv = {"all_reduce_perf", "-g", "{workers}"};
        summary.setStudy(study);
        QVERIFY2(details->text().contains("does not mention batch and learning_rate"),
                 qPrintable(details->text()));
        study.benchmark = {};
        study.factors[0].name = "batch_per_rank";
        summary.setStudy(study);
        QVERIFY2(details->text().contains("no setting \"batch\":"), qPrintable(details->text()));
        QVERIFY2(details->text().contains("does not report \"throughput\""), qPrintable(details->text()));
    }

    void keepsRunsThatHaveResults()
    {
        study::Study study = StudyWizard(machineOfTwoCores()).study();
        study.runs[3].status = study::RunStatus::Done;
        study.runs[3].results = {{"images_per_sec", 100.0}, {"scaling_efficiency", 90.0}};
        StudyWizard wizard(machineOfTwoCores());
        wizard.editStudy(study);
        wizard.setStep(WizardStep::Design);
        wizard.show();
        QVERIFY(!wizard.findChild<QWidget*>("centerRuns")->isEnabled());
        QVERIFY(!wizard.findChild<QWidget*>("factorTable")->isEnabled());
        wizard.findChild<QLineEdit*>("studyName")->setText(QStringLiteral("x"));
        QCOMPARE(wizard.study().runs, study.runs);
    }

    void choosesADesignByItsCard()
    {
        ShownWizard wizard(WizardStep::Design);
        auto* cards = wizard.findChild<widgets::OfferCards*>();
        QTRY_VERIFY(!cards->isBusy());
        const auto offers = cards->offers();
        QVERIFY(!offers.empty());
        for (const design::DesignOffer& offer : offers) {
            auto* card =
                wizard.findChild<QAbstractButton*>("design-" + QString::fromStdString(offer.spec.type));
            QVERIFY2(card, offer.spec.type.c_str());
            QCOMPARE(card->isEnabled(), offer.isPossible);
            QVERIFY2(!card->accessibleDescription().isEmpty(), offer.spec.type.c_str());
            if (!offer.isPossible || offer.isSlow)
                continue;
            card->setFocus();
            QTest::keyClick(card, Qt::Key_Space);
            QCOMPARE(wizard.study().design.type, offer.spec.type);
            QVERIFY2(wizard.study().runs.size() > 0, offer.spec.type.c_str());
            QVERIFY(card->isChecked());
            QTRY_VERIFY(!cards->isBusy());
        }
    }

    void asksForWhatTheTypeHas()
    {
        study::Study study = StudyWizard(machineOfTwoCores()).study();
        widgets::DesignOptions options;
        QSignalSpy edited(&options, &widgets::DesignOptions::specEdited);
        const auto shows = [&](const char* name) {
            return options.findChild<QWidget*>(QLatin1String(name))->isVisibleTo(&options);
        };
        study.design.type = "central-composite";
        options.setStudy(study);
        QVERIFY(shows("alpha") && shows("centerRuns") && !shows("generators") && !shows("designRuns"));
        options.findChild<QComboBox*>("alpha")->setCurrentText(QStringLiteral("1.5"));
        QCOMPARE(edited.last()[0].value<study::DesignSpec>().alpha, std::string("1.5"));

        study.design.type = "fractional-factorial";
        options.setStudy(study);
        QVERIFY(!shows("alpha") && shows("generators") && shows("resolution"));
        QTest::keyClicks(options.findChild<QLineEdit*>("generators"), QStringLiteral("c=ab"));
        QCOMPARE(edited.last()[0].value<study::DesignSpec>().generators, std::vector<std::string>{"C=AB"});

        study.design.type = "d-optimal";
        options.setStudy(study);
        QVERIFY(shows("designRuns") && shows("designModel"));
        options.findChild<QSpinBox*>("designRuns")->setValue(12);
        QCOMPARE(edited.last()[0].value<study::DesignSpec>().runs, 12);
        const auto before = edited.count();
        options.setStudy(study); // showing is not editing
        QCOMPARE(edited.count(), before);
    }

    void checksConditionsWhileTheyAreTyped()
    {
        ShownWizard wizard(WizardStep::Factors);
        click(wizard, "addConstraint");
        auto* line = wizard.findChild<QLineEdit*>("constraintText");
        auto* problem = wizard.findChild<QLabel*>("constraintProblem");
        auto* count = wizard.findChild<QLabel*>("legalCount");
        QVERIFY(wizard.study().constraints.empty()); // nothing typed yet
        QTest::keyClicks(line, "batch_per_rank * ");
        QTRY_VERIFY(problem->isVisible());
        QVERIFY2(problem->text().contains("expected"), qPrintable(problem->text()));
        QTest::keyClicks(line, "image_sise <= 300");
        QVERIFY2(problem->text().contains("“image_sise” is not a factor"), qPrintable(problem->text()));
        line->selectAll();
        QTest::keyClicks(line, "batch_per_rank * image_size <= 300");
        QVERIFY(!problem->isVisible());
        QCOMPARE(wizard.study().constraints, std::vector<std::string>{"batch_per_rank * image_size <= 300"});
        QVERIFY2(count->text().contains(" % of the region can be run"), qPrintable(count->text()));
        QCOMPARE(wizard.findChild<QLineEdit*>("constraintText"), line); // the line that is typed into stays
        click(wizard, "removeConstraint");
        QVERIFY(wizard.study().constraints.empty());
        QCOMPARE(count->text(), QStringLiteral("No constraints: the whole region is allowed."));
    }

    /// What is chosen is in the study; what has no field stays as somebody wrote it.
    void asksWhereBaselinesComeFrom()
    {
        MeasurementPage page;
        study::Study study;
        study.benchmark.workload = "builtin";
        page.setStudy(study);
        page.show();
        auto* baseline = page.findChild<QComboBox*>("baseline");
        QVERIFY(!baseline->isVisible());
        study.responses = {{.name = "scaling_efficiency", .unit = "%"}};
        page.setStudy(study);
        QVERIFY(baseline->isVisible());
        QSignalSpy edited(&page, &WizardPage::edited);
        QTest::keyClick(baseline, Qt::Key_End);
        study = edited.last().first().value<study::Study>();
        QVERIFY(study.benchmark.baseline == study::BaselineMode::Off);
        page.setStudy(study);
        QTest::keyClick(baseline, Qt::Key_Home);
        study = edited.last().first().value<study::Study>();
        QVERIFY(study.benchmark.baseline == study::BaselineMode::Shared);
    }

    void makesRunsJobsOfACluster()
    {
        LauncherForm form;
        study::Study study;
        study.benchmark.slurm = {.options = {"--exclusive"}, .mostJobs = 7};
        form.setStudy(study);
        form.show();
        QVERIFY(QTest::qWaitForWindowExposed(&form, kPatienceMs));
        QSignalSpy edited(&form, &LauncherForm::edited);
        auto* partition = form.findChild<QLineEdit*>("slurmPartition");
        QVERIFY(!partition->isVisible());
        auto* launcher = form.findChild<QComboBox*>("launcher");
        launcher->setFocus();
        QTest::keyClick(launcher, Qt::Key_Down);
        QCOMPARE(edited.count(), 1);
        QVERIFY(partition->isVisible());
        QTest::keyClicks(partition, "gpu x"); // no partition has a blank
        form.findChild<QSpinBox*>("slurmGpusPerRank")->setValue(2);
        const auto result = edited.last().first().value<study::Study>();
        QVERIFY(result.benchmark.launcher == study::LauncherKind::Slurm);
        const study::SlurmOptions& options = result.benchmark.slurm;
        QCOMPARE(options.partition, std::string("gpux"));
        QCOMPARE(options.gpusPerRank, std::optional<int>(2));
        QCOMPARE(options.mostJobs, 7);
        QCOMPARE(options.options, std::vector<std::string>{"--exclusive"});
        QTest::keyClick(launcher, Qt::Key_Up);
        const auto here = edited.last().first().value<study::Study>();
        QVERIFY(here.benchmark.launcher == study::LauncherKind::Local);
        QCOMPARE(here.benchmark.slurm, options); // kept for the next time
    }

private:
    static void click(QWidget& wizard, const char* name)
    {
        auto* button = wizard.findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(button && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
    }
    static void typeText(QLineEdit& line, const QString& text)
    {
        line.selectAll();
        QTest::keyClicks(&line, text);
    }
    /// As a user types: on the cell, the first key opens it.
    static void typeOn(QTableView& table, const QString& text, Qt::Key end = Qt::Key_Return)
    {
        QTest::keyClick(table.viewport(), text[0].toLatin1());
        QWidget* editor = table.indexWidget(table.currentIndex());
        for (QWidget* child : table.viewport()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            editor = child->isVisible() ? child : editor;
        QVERIFY(editor);
        QTest::keyClicks(editor, text.mid(1));
        QTest::keyClick(editor, end);
        QTRY_VERIFY(
            table.viewport()->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly).isEmpty());
    }
    static void typeInto(QTableView& table, int row, int column, const QString& text)
    {
        table.setCurrentIndex(table.model()->index(row, column));
        table.edit(table.currentIndex());
        auto* editor = table.findChild<QLineEdit*>();
        QVERIFY(editor);
        editor->selectAll();
        QTest::keyClicks(editor, text);
        QTest::keyClick(editor, Qt::Key_Return);
        QTRY_VERIFY(!table.findChild<QLineEdit*>());
    }
};

QUADRIC_QT_TEST(WizardTest)
#include "wizard_test.moc"
