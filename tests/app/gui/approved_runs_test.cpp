// SPDX-License-Identifier: GPL-3.0-or-later

// From a command in the window to its measured runs, with the real runner: every way of reading results, new
// and edited studies, tested in the wizard or not, typed here or brought by a file.

#include "app/gui/dialogs/study_dialogs.h"
#include "app/gui/main_window.h"
#include "core/run/recipe/approval.h"
#include "core/study/document/document.h"
#include "tests/support/qt_tests.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/wizard/study_wizard.h"

#include "test_surroundings.h"
#include "tests/support/test_paths.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include <fstream>

using namespace quadric;

namespace {

/// In the order of the box of the wizard.
enum Reading { Protocol, LastJson, Patterns, ResultFile };

/// Prints or writes its result in one of these ways: 5 times its second argument. Backquotes stand for
/// quotes.
constexpr const char* kProgram =
    "v=$((5 * $2))\n"
    "case $1 in\n"
    "protocol) echo '{`event`: `result`, `responses`: {`speed`: '$v'}}' ;;\n"
    "json) echo warming up; echo '{`speed`: '$v'}' ;;\n"
    "regex) echo speed: $v img/s ;;\n"
    "slow) for i in 1 2 3 4 5 6 7 8 9 10; do echo speed: $i img/s; sleep 0.2; done;"
    " echo speed: $v img/s ;;\n"
    "velocity) echo velocity: $v img/s ;;\n"
    "file) echo '{`speed`: '$v'}' > result_$3.json ;;\n"
    "esac\n";

} // namespace

class ApprovedRunsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_folder);
        qputenv("QUADRIC_PROGRAM", builtPath("bin/quadric"));
        m_program = m_folder.filePath(QStringLiteral("program.sh"));
        std::ofstream(m_program.toStdString()) << QByteArray(kProgram).replace('`', '"').constData();
        m_store = test::settingsIn(m_folder);
    }

    void init()
    {
        std::filesystem::remove_all(m_folder.filePath(QStringLiteral(".config")).toStdString());
        m_window = std::make_unique<app::MainWindow>(*m_store);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get(), kPatienceMs));
    }

    void cleanup() { m_window.reset(); }

    void measuresWhatWasTypedHere_data()
    {
        QTest::addColumn<int>("reading");
        QTest::addColumn<QString>("how");
        QTest::addColumn<bool>("isEdited");
        QTest::addColumn<bool>("isTried");
        const char* ways[] = {"protocol", "json", "regex", "file"};
        for (int reading = Protocol; reading <= ResultFile; ++reading)
            for (const bool isEdited : {false, true})
                for (const bool isTried : {false, true})
                    QTest::addRow("%s, %s, %s", ways[reading], isEdited ? "edited" : "new",
                                  isTried ? "tried" : "not tried")
                        << reading << QString::fromLatin1(ways[reading]) << isEdited << isTried;
    }

    void measuresWhatWasTypedHere()
    {
        QFETCH(int, reading);
        QFETCH(QString, how);
        QFETCH(bool, isEdited);
        QFETCH(bool, isTried);
        widgets::StudyWizard* wizard = openWizard(true);
        type(*wizard, isEdited ? LastJson : Reading(reading), isEdited ? "other" : qPrintable(how));
        if (isTried && !isEdited)
            tryIt(*wizard);
        finish(*wizard);
        if (isEdited) {
            wizard = openWizard(false);
            type(*wizard, Reading(reading), qPrintable(how));
            if (isTried)
                tryIt(*wizard);
            finish(*wizard);
        }
        QVERIFY(start());
        QVERIFY2(!question(), "who typed the command was asked about it");
        expectMeasured();
    }

    void measuresWhatAFileBringsWhenItIsApproved_data()
    {
        QTest::addColumn<QByteArray>("parse");
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("reading");
        QTest::newRow("protocol") << QByteArray() << "protocol" << int(Protocol);
        QTest::newRow("json") << QByteArray("`parse` : { `json` :`last`} , ") << "json" << int(LastJson);
        QTest::newRow("regex") << QByteArray("`parse` : {`regex` : { `speed`:`speed: (.*) img` } } , ")
                               << "regex" << int(Patterns);
        QTest::newRow("file") << QByteArray("`parse` : { `file` : `result_{run\\u005fid}.json` } , ")
                              << "file" << int(ResultFile);
    }

    /// It is asked for once: not again after how it is read was edited, and not by the runner.
    void measuresWhatAFileBringsWhenItIsApproved()
    {
        QFETCH(QByteArray, parse);
        QFETCH(QString, how);
        QFETCH(int, reading);
        const QString path = m_folder.filePath(QStringLiteral("brought-%1.quadric").arg(how));
        write(path, qPrintable(how), parse);
        m_window->openStudy(path);
        QVERIFY(start());
        QVERIFY2(question(), "a command that a file brings was not asked about");
        test::keepPicture(*question(), "approval");
        QTest::mouseClick(question()->findChild<QPushButton*>(QStringLiteral("approve")), Qt::LeftButton);
        expectMeasured();

        study::Study again = m_window->session().editor().context()->study;
        for (study::Run& run : again.runs)
            run = {.id = run.id, .order = run.order, .settings = run.settings};
        const QString second = m_folder.filePath(QStringLiteral("again-%1.quadric").arg(how));
        study::saveStudy(again, second.toStdString());
        m_window->openStudy(second);
        widgets::StudyWizard* wizard = openWizard(false);
        type(*wizard, Reading(reading), reading == Patterns ? "velocity" : qPrintable(how));
        tryIt(*wizard);
        finish(*wizard);
        QVERIFY(start());
        QVERIFY2(!question(), "asked again");
        expectMeasured();
    }

    /// Somebody who edits the pattern of a command that a file brought has not typed the command.
    void asksAboutWhatAFileBringsThoughItWasEdited()
    {
        const QString path = m_folder.filePath(QStringLiteral("edited.quadric"));
        write(path, "regex", "`parse` : {`regex` : { `speed` : `nothing`} } , ");
        m_window->openStudy(path);
        widgets::StudyWizard* wizard = openWizard(false);
        type(*wizard, Patterns, "regex");
        QTest::mouseClick(wizard->findChild<QPushButton*>(QStringLiteral("testCommand")), Qt::LeftButton);
        QVERIFY(question());
        QVERIFY(!wizard->findChild<QDialog*>(QStringLiteral("trialDialog")));
        QTest::keyClick(question(), Qt::Key_Escape);
        QTRY_VERIFY(!question());
        finish(*wizard);
        QVERIFY(start());
        QVERIFY(question());
        QTest::mouseClick(question()->findChild<QPushButton*>(QStringLiteral("approve")), Qt::LeftButton);
        expectMeasured();
    }

    /// A program that prints nothing of the protocol is running, and its numbers are drawn.
    void drawsWhatAProgramPrintsWhileItRuns()
    {
        widgets::StudyWizard* wizard = openWizard(true);
        type(*wizard, Patterns, "slow");
        finish(*wizard);
        QVERIFY(start());
        const auto isExecuting = [this] {
            const run::RunnerNews news = m_window->session().experiment().news();
            return news.active.contains(1) && news.active.at(1).isExecuting;
        };
        const auto* chart = m_window->findChild<widgets::LiveChart*>(QStringLiteral("liveResponse-speed"));
        QVERIFY(chart);
        QTRY_VERIFY_WITH_TIMEOUT(isExecuting(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(chart->isVisible(), kPatienceMs);
        test::keepPicture(*m_window, "printed-live");
        expectMeasured();
        QVERIFY(chart->isVisible());
        QTRY_COMPARE(int(chart->table().rows.size()), 11); // every value that was printed
    }

    void takesNothingOfAFileForTyped()
    {
        const std::filesystem::path document = m_folder.filePath(QStringLiteral("s.quadric")).toStdString();
        using app::TypedCommand;
        QVERIFY(TypedCommand().isTyped());
        QVERIFY(!TypedCommand::none().isTyped());
        study::Study study = twoRuns();
        study.benchmark.workload = "none";
        QVERIFY(TypedCommand(study, document, {}).isTyped()); // brings nothing
        study::Study hidden = study;
        hidden.benchmark.argv = {"/bin/sh", "evil.sh"};
        QVERIFY(!TypedCommand(hidden, document, {}).isTyped());
        QVERIFY(TypedCommand(hidden, document, {TypedCommand::makeKey(hidden, document)}).isTyped());
        hidden = study;
        hidden.benchmark.env = {{"LD_PRELOAD", "./evil.so"}};
        QVERIFY(!TypedCommand(hidden, document, {}).isTyped());
        hidden = study;
        hidden.fixed["script"] = std::string("evil.sh");
        QVERIFY(!TypedCommand(hidden, document, {}).isTyped());
        hidden = study;
        hidden.benchmark.slurm.setup = {"./evil"};
        QVERIFY(!TypedCommand(hidden, document, {}).isTyped());

        study.benchmark.workload = "command";
        study.benchmark.argv = {"/bin/true"};
        const TypedCommand brought(study, document, {});
        QVERIFY(!brought.isTyped());
        study.benchmark.argv = {"/bin/true", "typed"};
        brought.approve(study, document);
        QVERIFY(!run::ApprovalRequest(study, document).isApproved());
        run::ApprovalRequest(study, document).approve();
        const TypedCommand approved(study, document, {});
        QVERIFY(approved.isTyped());
        study.benchmark.argv.push_back("more");
        approved.approve(study, document);
        QVERIFY(run::ApprovalRequest(study, document).isApproved());
    }

    void theBoxAfterTheApprovalTakesKeys_data()
    {
        QTest::addColumn<int>("key");
        QTest::newRow("Enter") << int(Qt::Key_Return);
        QTest::newRow("Escape") << int(Qt::Key_Escape);
        QTest::newRow("Space") << int(Qt::Key_Space);
    }

    void theBoxAfterTheApprovalTakesKeys()
    {
        QFETCH(int, key);
        const QString path = m_folder.filePath(QString::number(key) + QStringLiteral(".quadric"));
        write(path, "{run_id}", QByteArray());
        // Nothing is wrong with the command; its log may not be written through a link, which the start
        // finds.
        QVERIFY(QFile::link(m_folder.path(), path + QStringLiteral("-logs")));
        m_window->openStudy(path);
        widgets::StudyWizard* wizard = openWizard(false);
        QTest::mouseClick(wizard->findChild<QPushButton*>(QStringLiteral("testCommand")), Qt::LeftButton);
        QVERIFY(question());
        QTest::mouseClick(question()->findChild<QPushButton*>(QStringLiteral("approve")), Qt::LeftButton);
        auto* box = m_window->findChild<QMessageBox*>(QStringLiteral("complaint"));
        QVERIFY(box);
        QCOMPARE(box->parentWidget(), static_cast<QWidget*>(wizard)); // in front of it, not behind
        QVERIFY(box->width() >= 480);
        test::keepPicture(*box, "complaint");
        QCOMPARE(box->focusWidget(), static_cast<QWidget*>(box->defaultButton()));
        QTest::keyClick(box->focusWidget(), Qt::Key(key));
        QTRY_VERIFY(!m_window->findChild<QMessageBox*>(QStringLiteral("complaint")));
    }

private:
    static study::Study twoRuns()
    {
        study::Study study;
        study.name = "own";
        study.factors = {{.name = "x", .type = study::FactorType::Integer, .low = 1, .high = 2}};
        study.responses = {{.name = "speed", .unit = "img/s"}};
        study.design = {.type = "full-factorial", .centerRuns = 0};
        return study;
    }

    QString commandLine(const char* how) const
    {
        return QStringLiteral("/bin/sh %1 %2 {x} {run_id}").arg(m_program, QLatin1String(how));
    }

    /// A study of two runs as somebody else writes one: other blanks, other order. Backquotes stand for
    /// quotes.
    void write(const QString& path, const char* how, const QByteArray& parse) const
    {
        QByteArray text =
            "{ `quadric` : 1 , `name` : `brought` , `responses` : [ {`name`:`speed`} ] ,\n"
            "`factors` : [ { `high` : 2.0 , `low` : 1e0 , `type` : `integer` , `name` : `x` } ] ,\n"
            "`benchmark` : { PARSE `argv` : [ `/bin/sh` , `PROGRAM` , `HOW` , `{x}` , `{run_id}` ] ,"
            " `workload` : `command` } , `runs` : [ { `id` : 1 , `order` : 1 , `settings` : { `x` : 1 "
            "} } , { `id` : 2 , `order` : 2 , `settings` : { `x` : 2.0 } } ] }";
        text.replace("PARSE", parse)
            .replace("PROGRAM", m_program.toUtf8())
            .replace("HOW", how)
            .replace('`', '"');
        std::ofstream(path.toStdString()) << text.constData();
    }

    widgets::StudyWizard* openWizard(bool isNew)
    {
        auto* dialogs = m_window->findChild<app::StudyDialogs*>();
        if (isNew)
            dialogs->newStudy();
        else
            dialogs->editDesign(widgets::WizardStep::Measurement);
        auto* wizard = m_window->findChild<widgets::StudyWizard*>();
        if (isNew) {
            study::Study blank = twoRuns();
            blank.benchmark.workload = "command";
            blank.benchmark.argv = {"program"};
            wizard->startFrom(blank);
            wizard->setStep(widgets::WizardStep::Measurement);
        }
        return wizard;
    }

    void type(widgets::StudyWizard& wizard, Reading reading, const char* how)
    {
        auto* command = wizard.findChild<QLineEdit*>(QStringLiteral("command"));
        command->selectAll();
        QTest::keyClicks(command, commandLine(how));
        auto* box = wizard.findChild<QComboBox*>(QStringLiteral("commandReading"));
        box->setCurrentIndex(reading);
        emit box->activated(reading);
        if (reading == ResultFile) {
            auto* file = wizard.findChild<QLineEdit*>(QStringLiteral("commandResultFile"));
            file->selectAll();
            QTest::keyClicks(file, QStringLiteral("result_{run_id}.json"));
        }
        for (auto* edit : wizard.findChildren<QLineEdit*>()) {
            if (reading == Patterns && edit->accessibleName() == QStringLiteral("Pattern for speed")) {
                edit->selectAll();
                QTest::keyClicks(edit,
                                 QStringLiteral("%1:  *([0-9.]+)")
                                     .arg(QLatin1String(qstrcmp(how, "velocity") == 0 ? how : "speed")));
            }
        }
    }

    /// The test with the first run, which nobody has to allow.
    void tryIt(widgets::StudyWizard& wizard)
    {
        QTest::mouseClick(wizard.findChild<QPushButton*>(QStringLiteral("testCommand")), Qt::LeftButton);
        QVERIFY2(!question(), "who typed the command was asked about it");
        auto* dialog = wizard.findChild<QDialog*>(QStringLiteral("trialDialog"));
        QVERIFY(dialog);
        QTRY_VERIFY_WITH_TIMEOUT(
            dialog->findChild<QLabel*>(QStringLiteral("trialState"))->text().startsWith(QStringLiteral("✓")),
            kPatienceMs);
        QTest::keyClick(dialog, Qt::Key_Escape);
        QTRY_VERIFY(!wizard.findChild<QDialog*>(QStringLiteral("trialDialog")));
    }

    void finish(widgets::StudyWizard& wizard)
    {
        QVERIFY2(wizard.problems().isEmpty(), qPrintable(wizard.problems().join(QLatin1Char('\n'))));
        QTest::mouseClick(wizard.findChild<QPushButton*>(QStringLiteral("wizardFinish")), Qt::LeftButton);
        QTRY_VERIFY(!m_window->findChild<widgets::StudyWizard*>());
        QVERIFY(m_window->session().editor().isOpen());
    }

    /// Presses Start on the page Run; false where it cannot be pressed.
    bool start()
    {
        m_window->showStep(widgets::Step::Run);
        for (auto* button : m_window->findChildren<QAbstractButton*>()) {
            if (!button->isVisible() || !button->isEnabled() ||
                !QString(button->text()).remove(QLatin1Char('&')).startsWith(QStringLiteral("Start")))
                continue;
            QTest::mouseClick(button, Qt::LeftButton);
            return true;
        }
        return false;
    }

    QDialog* question() const { return m_window->findChild<QDialog*>(QStringLiteral("approval")); }

    void expectMeasured()
    {
        const auto& context = m_window->session().editor().context();
        QTRY_COMPARE_WITH_TIMEOUT(study::countRuns(context->study, study::RunStatus::Done), 2, kPatienceMs);
        for (const study::Run& run : context->study.runs)
            QCOMPARE(run.results.at("speed"), 5.0 * std::get<double>(run.settings.at("x")));
        QTRY_VERIFY_WITH_TIMEOUT(!context->isRunning, kPatienceMs);
    }

    QTemporaryDir m_folder;
    QString m_program;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<app::MainWindow> m_window;
};

QUADRIC_QT_TEST(ApprovedRunsTest)
#include "approved_runs_test.moc"
