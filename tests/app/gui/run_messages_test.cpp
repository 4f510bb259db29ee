// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says when an experiment cannot begin, keeps failing or loses its runner, and what it
// offers.
#include "app/gui/main_window.h"
#include "core/run/recipe/approval.h"
#include "core/study/files/journal.h"
#include "study_fixture.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/monitor/run_bar.h"
#include "widgets/monitor/run_page.h"
#include "widgets/wizard/study_wizard.h"

#include <QAbstractButton>
#include <QSettings>

#include <csignal>

using namespace quadric;
using app::MainWindow;
using test::StudyFixture;

namespace {

/// A study with an approved command of its own.
class CommandStudy : public StudyFixture {
public:
    CommandStudy(int runs, std::vector<std::string> argv)
        : StudyFixture(std::vector<std::string>(static_cast<std::size_t>(runs), "work"))
    {
        study().benchmark.workload = "command";
        study().benchmark.argv = std::move(argv);
        study().benchmark.parse = {.kind = study::ParseSpec::Kind::Regex,
                                   .patterns = {{"speed", "^speed: ([0-9.]+)$"}}};
        save();
        run::ApprovalRequest(study(), path()).approve();
    }
};

} // namespace

class RunMessagesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_home);
        qputenv("QUADRIC_PROGRAM", builtPath("bin/quadric"));
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
    }

    void init()
    {
        m_store = test::settingsIn(m_home);
        m_window = std::make_unique<MainWindow>(*m_store);
        m_window->resize(1280, 800);
        m_window->show();
        m_page = m_window->findChild<widgets::RunPage*>();
    }

    void cleanup() { m_window.reset(); }

    void aMisspelledProgramCostsOneRun()
    {
        CommandStudy study(5, {"./no such program", "{a}"});
        open(study);
        click("Start 5 runs");
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith("Run 1 failed, and the others would fail"), kPatienceMs);
        QVERIFY2(!said().contains("--"), qPrintable(said()));
        QVERIFY(buttonOf(QStringLiteral("Go on anyway")));
        m_page->findChild<QAbstractButton*>("stopRuns")->click();
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(QStringLiteral("Retry 1 failed run")), kPatienceMs);
        QVERIFY2(said().startsWith("Stopped: 0 runs done, 1 failed, 4 pending"), qPrintable(said()));
        click("Edit measurement…");
        auto* wizard = m_window->findChild<widgets::StudyWizard*>();
        QVERIFY(wizard);
        QCOMPARE(wizard->step(), widgets::WizardStep::Measurement);
        wizard->reject();
    }

    void whoeverGoesOnIsNotAskedAgain()
    {
        CommandStudy study(5, {"/bin/false", "{a}"});
        open(study);
        click("Start 5 runs");
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith("3 runs in a row failed"), kPatienceMs);
        click("Go on anyway");
        // A runner that ends between two looks of the window leaves no news, but the failed runs.
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith("Finished: 0 runs done, 5 failed") ||
                                     said().startsWith("5 runs failed."),
                                 kPatienceMs);
        QVERIFY(buttonOf(QStringLiteral("Retry 5 failed runs")));
    }

    void messagesStayWithTheirStudy()
    {
        CommandStudy first(2, {"/bin/false", "{a}"});
        StudyFixture second({"work", "work"});
        open(first);
        click("Start 2 runs");
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith("Finished: "), kPatienceMs);
        open(second);
        QCOMPARE(said(), QString());
        open(first); // which says of itself what it knows
        QVERIFY2(said().startsWith("2 runs failed."), qPrintable(said()));
    }

    void whatCannotBeStartedNamesWhatIsWrong()
    {
        CommandStudy study(2, {"/bin/echo", "{optimiser}"});
        open(study);
        click("Start 2 runs");
        QTRY_VERIFY_WITH_TIMEOUT(said().startsWith("Not started: "), kPatienceMs);
        QVERIFY2(said().contains("{optimiser}"), qPrintable(said()));
        QVERIFY2(!said().contains("quadric: "), qPrintable(said()));
        QVERIFY2(!said().contains(QString::fromStdString(study.path().string())), qPrintable(said()));
        QVERIFY(buttonOf(QStringLiteral("Edit measurement…")));
    }

    /// Also where another window, or nobody, was there when the question came up.
    void aQuestionIsThereWhenTheStudyIsOpenedAgain()
    {
        CommandStudy study(5, {"./no such program", "{a}"});
        open(study);
        click("Start 5 runs");
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(QStringLiteral("Go on anyway")), kPatienceMs);
        cleanup();
        init();
        open(study);
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(QStringLiteral("Go on anyway")), kPatienceMs);
        m_page->findChild<QAbstractButton*>("stopRuns")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(study.path()), kPatienceMs);
    }

    void aKilledRunnerIsResumed()
    {
        StudyFixture study({"work", "hang"});
        open(study);
        click("Start 2 runs");
        QTRY_VERIFY_WITH_TIMEOUT(study::countRuns(study.load(), study::RunStatus::Running) == 1 &&
                                     study::countRuns(study.load(), study::RunStatus::Done) == 1,
                                 kPatienceMs);
        const auto owner = study::lockOwner(study.path());
        QVERIFY(owner && owner->pid > 1);
        QCOMPARE(::kill(owner->pid, SIGKILL), 0);
        QTRY_COMPARE_WITH_TIMEOUT(
            said(), QStringLiteral("The runner stopped unexpectedly (killed). Finished runs are saved."),
            kPatienceMs);
        click("Resume");
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(QStringLiteral("Stop")), kPatienceMs);
        QTRY_COMPARE(said(), QString());
        click("Stop");
        QTRY_VERIFY_WITH_TIMEOUT(!study::lockOwner(study.path()), kPatienceMs);
    }

private:
    void open(const StudyFixture& study)
    {
        m_window->openStudy(QString::fromStdString(study.path().string()));
        m_window->showStep(widgets::Step::Run);
    }

    QString said() const
    {
        const auto* bar = m_page->findChild<widgets::MessageBar*>();
        return bar->isVisible() ? bar->words() : QString();
    }

    QAbstractButton* buttonOf(const QString& words) const
    {
        for (auto* button : m_page->findChildren<QAbstractButton*>())
            if (button->isVisible() && QString(button->text()).remove(QLatin1Char('&')) == words)
                return button;
        return nullptr;
    }

    void click(const char* words)
    {
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(QString::fromUtf8(words)), kPatienceMs);
        QTest::mouseClick(buttonOf(QString::fromUtf8(words)), Qt::LeftButton);
    }

    QTemporaryDir m_home;
    std::unique_ptr<QSettings> m_store;
    std::unique_ptr<MainWindow> m_window;
    widgets::RunPage* m_page = nullptr;
};

QUADRIC_QT_TEST(RunMessagesTest)
#include "run_messages_test.moc"
