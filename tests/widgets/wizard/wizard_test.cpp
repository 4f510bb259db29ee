// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"
#include "widgets/wizard/forms/design_options.h"
#include "widgets/wizard/forms/factor_table_model.h"
#include "widgets/wizard/forms/launcher_form.h"
#include "widgets/wizard/forms/offer_cards.h"
#include "widgets/wizard/measurement_page.h"
#include "widgets/wizard/study_wizard.h"
#include "widgets/wizard/summary_page.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QTest>

using namespace quadric;
using widgets::LauncherForm;
using widgets::MeasurementPage;
using widgets::StudyWizard;
using widgets::WizardPage;
using widgets::WizardStep;

class WizardTest : public QObject {
    Q_OBJECT

private slots:
    void isValidFromTheFirstSecond();
    void makesAStudyByMouse();
    void makesAStudyByKeyboard();
    void saysWhatIsWrong();
    void changesTheTemplate();
    void namesFactorsThatTheCommandLeavesOut();
    void keepsRunsThatHaveResults();
    void addsAndRemovesFactors();
    void choosesADesignByItsCard();
    void asksForWhatTheTypeHas();
    void checksConditionsWhileTheyAreTyped();
    void asksWhereBaselinesComeFrom();
    void makesRunsJobsOfACluster();

private:
    static run::Machine machine()
    {
        run::Machine twoCores;
        twoCores.cores = 2;
        return twoCores;
    }
    static void click(QWidget& wizard, const char* name)
    {
        auto* button = wizard.findChild<QWidget*>(QLatin1String(name));
        QVERIFY2(button && button->isEnabled(), name);
        QTest::mouseClick(button, Qt::LeftButton);
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

void WizardTest::isValidFromTheFirstSecond()
{
    StudyWizard wizard(machine());
    QCOMPARE(wizard.problems(), QStringList());
    // Box-Behnken for three factors: twelve edge midpoints and the center runs (Box & Behnken 1960).
    QCOMPARE(wizard.study().runs.size(), size_t(15));
    QCOMPARE(wizard.study().benchmark.workload, std::string("builtin"));
    QVERIFY(study::validate(wizard.study()).empty());
}

void WizardTest::makesAStudyByMouse()
{
    StudyWizard wizard(machine());
    wizard.show();
    QVERIFY(QTest::qWaitForWindowExposed(&wizard));
    QSignalSpy accepted(&wizard, &QDialog::accepted);
    for (const auto step : {WizardStep::Factors, WizardStep::Responses, WizardStep::Design,
                            WizardStep::Measurement, WizardStep::Summary}) {
        click(wizard, "wizardNext");
        QCOMPARE(wizard.step(), step);
    }
    QVERIFY(wizard.findChild<QLabel*>("summarySentence")
                ->text()
                .startsWith(QStringLiteral("15 runs of a Box–Behnken design")));
    click(wizard, "wizardBack");
    click(wizard, "wizardBack");
    wizard.findChild<QSpinBox*>("centerRuns")->setValue(5);
    QCOMPARE(wizard.study().runs.size(), size_t(17));
    wizard.findChild<QSpinBox*>("centerRuns")->setValue(3);
    click(wizard, "wizardFinish");
    QCOMPARE(accepted.count(), 1);
    QCOMPARE(wizard.study().runs.size(), size_t(15));
}

void WizardTest::makesAStudyByKeyboard()
{
    StudyWizard wizard(machine());
    wizard.show();
    QVERIFY(QTest::qWaitForWindowActive(&wizard));
    auto* name = wizard.findChild<QLineEdit*>("studyName");
    name->setFocus();
    name->selectAll();
    QTest::keyClicks(name, QStringLiteral("Batch and image size"));
    QCOMPARE(wizard.study().name, std::string("Batch and image size"));

    auto* steps = wizard.findChild<QListWidget*>("wizardSteps");
    steps->setFocus();
    QTest::keyClick(steps, Qt::Key_Down);
    QCOMPARE(wizard.step(), WizardStep::Factors);
    auto* table = wizard.findChild<QTableView*>("factorTable");
    table->setFocus();
    typeInto(*table, 0, widgets::FactorTableModel::High, QStringLiteral("32"));
    QTRY_COMPARE(wizard.study().factors[0].high, 32.0);
    QCOMPARE(wizard.study().runs.size(), size_t(15));

    QSignalSpy accepted(&wizard, &QDialog::accepted);
    auto* finish = wizard.findChild<QWidget*>("wizardFinish");
    finish->setFocus();
    QTest::keyClick(finish, Qt::Key_Space);
    QTRY_COMPARE(accepted.count(), 1);
    QVERIFY(study::validate(wizard.study()).empty());
}

void WizardTest::saysWhatIsWrong()
{
    StudyWizard wizard(machine());
    wizard.setStep(WizardStep::Factors);
    wizard.show();
    auto* table = wizard.findChild<QTableView*>("factorTable");
    typeInto(*table, 0, widgets::FactorTableModel::High, QStringLiteral("1"));
    auto* problem = wizard.findChild<QLabel*>("wizardProblem");
    QTRY_VERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(QStringLiteral("batch_per_rank")), qPrintable(problem->text()));
    QVERIFY(!wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
    typeInto(*table, 1, widgets::FactorTableModel::Name, QStringLiteral("batch_per_rank"));
    QTRY_VERIFY(problem->text().contains(QStringLiteral("used twice")));
    QCOMPARE(problem->text().count(QStringLiteral("used twice")), 1);
    QVERIFY2(!problem->text().contains(QStringLiteral("factors[")), qPrintable(problem->text()));
    typeInto(*table, 1, widgets::FactorTableModel::Name, QStringLiteral("image_size"));
    typeInto(*table, 0, widgets::FactorTableModel::High, QStringLiteral("16"));
    QTRY_VERIFY(!problem->isVisible());
    QVERIFY(wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
}

void WizardTest::changesTheTemplate()
{
    StudyWizard wizard(machine());
    wizard.show();
    click(wizard, "template-enter-results");
    QCOMPARE(wizard.study().benchmark.workload, std::string("none"));
    QCOMPARE(wizard.study().factors[0].name, std::string("gpu_count"));
    QCOMPARE(wizard.study().runs.size(), size_t(15));
    click(wizard, "template-own-command");
    QCOMPARE(wizard.study().benchmark.workload, std::string("command"));
    QCOMPARE(wizard.problems(), QStringList());
}

void WizardTest::namesFactorsThatTheCommandLeavesOut()
{
    StudyWizard wizard(machine());
    wizard.show();
    click(wizard, "template-own-command");
    auto* details = wizard.findChild<QLabel*>("summaryDetails");
    QVERIFY(details);
    QVERIFY2(!details->text().contains(QStringLiteral("does not mention")), qPrintable(details->text()));
    study::Study strange = wizard.study();
    strange.benchmark = {};
    strange.factors[0].name = "batch_per_rank";
    widgets::SummaryPage summary;
    summary.setStudy(strange);
    const QString words = summary.findChild<QLabel*>("summaryDetails")->text();
    QVERIFY2(words.contains(QStringLiteral("no setting \"batch\":")), qPrintable(words));
    QVERIFY2(!words.contains(QStringLiteral("learning_rate")), qPrintable(words));
    QVERIFY2(words.contains(QStringLiteral("does not report \"throughput\"")), qPrintable(words));
    auto* command = wizard.findChild<QLineEdit*>("command");
    QVERIFY(command);
    command->clear();
    QTest::keyClicks(command, QStringLiteral("all_reduce_perf -g {workers}"));
    QTRY_VERIFY2(details->text().contains(QStringLiteral("does not mention batch and learning_rate")),
                 qPrintable(details->text()));
}

void WizardTest::keepsRunsThatHaveResults()
{
    study::Study study = StudyWizard(machine()).study();
    study.runs[3].status = study::RunStatus::Done;
    study.runs[3].results = {{"images_per_sec", 100.0}, {"scaling_efficiency", 90.0}};
    StudyWizard wizard(machine());
    wizard.editStudy(study);
    wizard.setStep(WizardStep::Design);
    wizard.show();
    QVERIFY(!wizard.findChild<QWidget*>("centerRuns")->isEnabled());
    QVERIFY(!wizard.findChild<QWidget*>("factorTable")->isEnabled());
    wizard.findChild<QLineEdit*>("studyName")->setText(QStringLiteral("x"));
    QCOMPARE(wizard.study().runs, study.runs);
}

void WizardTest::addsAndRemovesFactors()
{
    StudyWizard wizard(machine());
    wizard.setStep(WizardStep::Factors);
    wizard.show();
    click(wizard, "addFactor");
    QCOMPARE(wizard.study().factors.size(), size_t(4));
    QCOMPARE(wizard.study().runs.size(), size_t(24 + 3)); // Box & Behnken 1960, four factors
    click(wizard, "removeFactor");
    click(wizard, "removeFactor");
    QCOMPARE(wizard.study().factors.size(), size_t(2));
    QVERIFY(!wizard.problems().isEmpty()); // there is no Box-Behnken design for two factors
    QVERIFY(!wizard.findChild<QWidget*>("wizardFinish")->isEnabled());
}

void WizardTest::choosesADesignByItsCard()
{
    StudyWizard wizard(machine());
    wizard.setStep(WizardStep::Design);
    wizard.show();
    auto* cards = wizard.findChild<widgets::OfferCards*>();
    QTRY_VERIFY(!cards->isBusy());
    const auto offers = cards->offers();
    QVERIFY(!offers.empty());
    for (const design::DesignOffer& offer : offers) {
        auto* card = wizard.findChild<QAbstractButton*>(QStringLiteral("design-") +
                                                        QString::fromStdString(offer.spec.type));
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

void WizardTest::asksForWhatTheTypeHas()
{
    study::Study study = StudyWizard(machine()).study();
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

void WizardTest::checksConditionsWhileTheyAreTyped()
{
    StudyWizard wizard(machine());
    wizard.setStep(WizardStep::Factors);
    wizard.show();
    click(wizard, "addConstraint");
    auto* line = wizard.findChild<QLineEdit*>("constraintText");
    auto* problem = wizard.findChild<QLabel*>("constraintProblem");
    auto* count = wizard.findChild<QLabel*>("legalCount");
    QVERIFY(wizard.study().constraints.empty()); // nothing typed yet
    QTest::keyClicks(line, QStringLiteral("batch_per_rank * "));
    QTRY_VERIFY(problem->isVisible());
    QVERIFY2(problem->text().contains(QStringLiteral("expected")), qPrintable(problem->text()));
    QTest::keyClicks(line, QStringLiteral("image_sise <= 300"));
    QVERIFY2(problem->text().contains(QStringLiteral("“image_sise” is not a factor")),
             qPrintable(problem->text()));
    line->selectAll();
    QTest::keyClicks(line, QStringLiteral("batch_per_rank * image_size <= 300"));
    QVERIFY(!problem->isVisible());
    QCOMPARE(wizard.study().constraints, std::vector<std::string>{"batch_per_rank * image_size <= 300"});
    QVERIFY2(count->text().contains(QStringLiteral(" % of the region can be run")),
             qPrintable(count->text()));
    QCOMPARE(wizard.findChild<QLineEdit*>("constraintText"), line); // the line that is typed into stays
    click(wizard, "removeConstraint");
    QVERIFY(wizard.study().constraints.empty());
    QCOMPARE(count->text(), QStringLiteral("No constraints: the whole region is allowed."));
}

/// What is chosen is in the study; what has no field stays as somebody wrote it.
void WizardTest::asksWhereBaselinesComeFrom()
{
    MeasurementPage page;
    study::Study study;
    study.benchmark.workload = "builtin";
    page.setStudy(study);
    page.show();
    auto* baseline = page.findChild<QComboBox*>(QStringLiteral("baseline"));
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

void WizardTest::makesRunsJobsOfACluster()
{
    LauncherForm form;
    study::Study study;
    study.benchmark.slurm = {.options = {"--exclusive"}, .mostJobs = 7};
    form.setStudy(study);
    form.show();
    QVERIFY(QTest::qWaitForWindowExposed(&form));
    QSignalSpy edited(&form, &LauncherForm::edited);
    auto* partition = form.findChild<QLineEdit*>(QStringLiteral("slurmPartition"));
    QVERIFY(!partition->isVisible());
    auto* launcher = form.findChild<QComboBox*>(QStringLiteral("launcher"));
    launcher->setFocus();
    QTest::keyClick(launcher, Qt::Key_Down);
    QCOMPARE(edited.count(), 1);
    QVERIFY(partition->isVisible());
    QTest::keyClicks(partition, QStringLiteral("gpu x")); // no partition has a blank
    form.findChild<QSpinBox*>(QStringLiteral("slurmGpusPerRank"))->setValue(2);
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

QTEST_MAIN(WizardTest)
#include "wizard_test.moc"
