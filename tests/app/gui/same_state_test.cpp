// SPDX-License-Identifier: GPL-3.0-or-later
// At each point of an experiment with failures, a retry, a pause and skipped, cancelled and repeated runs,
// the window shows what `quadric status --json` tells.
#include "app/gui/main_window.h"
#include "core/run/follow/follower.h"
#include "core/run/words/run_files.h"
#include "core/study/files/journal.h"
#include "read_only_folder.h"
#include "study_fixture.h"
#include "test_surroundings.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"
#include "widgets/base/page.h"
#include "widgets/monitor/run_page.h"
#include "widgets/monitor/run_table.h"

#include <QAbstractButton>
#include <QDeadlineTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QSettings>
#include <QTableView>

#include <csignal>
#include <set>

using namespace quadric;
using app::MainWindow;
using test::StudyFixture;
using widgets::RunTableModel;

namespace {

/// What both of them tell.
struct Seen {
    bool isRunning = false, isPaused = false;
    int done = 0, pending = 0;
    std::set<int> active;
    std::map<int, QString> failed; ///< run → kind of its failure, in the words of the window
    QString problem;               ///< why the study cannot take results
};

/// For comparison: a difference shows what it is.
QString inWords(const Seen& seen)
{
    QString text = QStringLiteral("running %1, paused %2, %3 done, %4 pending, active")
                       .arg(seen.isRunning)
                       .arg(seen.isPaused)
                       .arg(seen.done)
                       .arg(seen.pending);
    for (const int run : seen.active)
        text += QStringLiteral(" %1").arg(run);
    for (const auto& [run, kind] : seen.failed)
        text += QStringLiteral(", %1 failed: %2").arg(run).arg(kind);
    return text + QStringLiteral(". ") + seen.problem;
}

QJsonObject statusOf(const StudyFixture& fixture)
{
    QProcess status;
    status.start(QString::fromUtf8(builtPath("bin/quadric")),
                 {QStringLiteral("status"), QString::fromStdString(fixture.path().string()),
                  QStringLiteral("--json")});
    status.waitForFinished(kPatienceMs);
    return QJsonDocument::fromJson(status.readAllStandardOutput()).object();
}

Seen toldBy(const QJsonObject& status)
{
    Seen seen{.isRunning = status[QLatin1String("running")].toBool(),
              .isPaused = status[QLatin1String("paused")].toBool(),
              .done = status[QLatin1String("done")].toInt(-1),
              .pending = status[QLatin1String("pending")].toInt(-1),
              .active = {},
              .failed = {},
              .problem = status[QLatin1String("problem")].toString()};
    for (const QJsonValue& run : status[QLatin1String("active")].toArray())
        seen.active.insert(run[QLatin1String("run")].toInt());
    for (const QJsonValue& failure : status[QLatin1String("failures")].toArray())
        seen.failed[failure[QLatin1String("run")].toInt()] =
            failure[QLatin1String("kind")].toString().replace(QLatin1Char('-'), QLatin1Char(' '));
    return seen;
}

QAbstractButton* buttonOf(QWidget& page, const QString& text)
{
    for (auto* button : page.findChildren<QAbstractButton*>()) {
        if (button->isVisible() && QString(button->text()).remove(QLatin1Char('&')) == text)
            return button;
    }
    return nullptr;
}

qsizetype timesSaid(const QWidget& page, const QString& word)
{
    qsizetype times = 0;
    for (const auto* label : page.findChildren<QLabel*>())
        times += label->isVisible() ? label->text().count(word) : 0;
    return times;
}

Seen shownOn(QWidget& page, const RunTableModel& table)
{
    Seen seen;
    seen.isRunning = buttonOf(page, QStringLiteral("Stop")) != nullptr;
    seen.isPaused = seen.isRunning && buttonOf(page, QStringLiteral("Resume")) != nullptr;
    const auto* problem = page.findChild<widgets::Banner*>("problem");
    seen.problem = problem && problem->isVisible() ? problem->words() : QString();
    const QString failed = QStringLiteral("failed: ");
    for (int row = 0; row < table.rowCount(); ++row) {
        const QModelIndex cell = table.index(row, table.statusColumn());
        const int run = cell.data(RunTableModel::RunIdRole).toInt();
        const QString words = cell.data().toString().remove(QStringLiteral(", will be rerun"));
        if (words == QStringLiteral("done") || words.startsWith("disturbed"))
            ++seen.done;
        else if (words.startsWith("pending"))
            ++seen.pending;
        else if (words.startsWith(failed) || words == QStringLiteral("cancelled"))
            seen.failed[run] = words.mid(words.startsWith(failed) ? failed.size() : 0);
        else
            seen.active.insert(run);
    }
    return seen;
}

} // namespace

class SameStateTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::startAfresh(m_home);
        qputenv("QUADRIC_PROGRAM", builtPath("bin/quadric"));
        qputenv("QUADRIC_TRAINER", builtPath("bin/fake_worker"));
    }

    void windowAndCommandLineTellTheSame()
    {
        m_fixture = std::make_unique<StudyFixture>(
            std::vector<std::string>{"work", "exit", "crash once", "hang", "work", "slow"});
        QSettings store(m_home.filePath("settings.ini"), QSettings::IniFormat);
        MainWindow window(store);
        open(window);
        expectSame();
        QCOMPARE(shown().pending, 6);

        click("Start 6 runs");
        QTRY_COMPARE_WITH_TIMEOUT(told().active, std::set<int>{4}, kPatienceMs);
        expectSame();
        QCOMPARE(shown().done, 1);
        QCOMPARE(shown().failed, (std::map<int, QString>{{2, QStringLiteral("exit status")}}));

        click("Pause");
        QTRY_VERIFY_WITH_TIMEOUT(told().isPaused, kPatienceMs);
        expectSame();
        for (const char* words : {"skip:5", "retry:2", "first:6"}) {
            ask(words);
            expectSame();
        }
        QCOMPARE(timesSaid(*m_page, QStringLiteral("Paused")), 1);

        ask("cancel:4");
        QTRY_VERIFY_WITH_TIMEOUT(told().active.empty(), kPatienceMs);
        expectSame();
        QCOMPARE(shown().failed.at(4), QStringLiteral("cancelled"));

        click("Resume");
        QTRY_VERIFY_WITH_TIMEOUT(!told().isPaused, kPatienceMs);
        const QDeadlineTimer patience(kPatienceMs);
        while (told().isRunning && !patience.hasExpired())
            expectSame();
        expectSame();
        QCOMPARE(shown().done, 3);
        QCOMPARE(shown().pending, 1); // the skipped one
        QCOMPARE(shown().failed.size(), std::size_t{2});
    }

    void alsoWhereTheStudyCannotBeWritten()
    {
        m_fixture = std::make_unique<StudyFixture>(std::vector<std::string>{"work", "slow", "work"});
        const std::filesystem::path folder = m_fixture->path().parent_path();
        const test::ReadOnlyFolder lock(folder);
        qputenv("XDG_STATE_HOME", m_home.path().toUtf8());
        QSettings store(m_home.filePath("settings.ini"), QSettings::IniFormat);
        MainWindow window(store);
        open(window);
        const test::WorkerHold hold;
        qputenv("LD_PRELOAD", builtPath("tests/core/run/libread_only_shim.so"));
        click("Start 3 runs");
        qunsetenv("LD_PRELOAD");
        QTRY_COMPARE_WITH_TIMEOUT(told().active, std::set<int>{2}, kPatienceMs);
        expectSame();
        QCOMPARE(shown().problem, QString());

        lock.set(true);
        hold.letGo();
        QTRY_VERIFY_WITH_TIMEOUT(!told().problem.isEmpty(), kPatienceMs);
        expectSame();
        const QString words = shown().problem;
        QVERIFY2(words.contains(QStringLiteral("results are only in memory")), qPrintable(words));
        QVERIFY2(words.contains(QString::fromStdString(folder.string()) + QStringLiteral(" writable again")),
                 qPrintable(words));

        const auto owner = study::lockOwner(m_fixture->path());
        QVERIFY(owner && ::kill(owner->pid, SIGKILL) == 0);
        QTRY_VERIFY_WITH_TIMEOUT(!told().isRunning, kPatienceMs);
        expectSame();

        lock.set(false);
        click("Start remaining 2 runs");
        QTRY_COMPARE_WITH_TIMEOUT(told().done, 3, kPatienceMs);
        expectSame();
        QCOMPARE(shown().problem, QString());
    }

private:
    Seen told() const { return toldBy(statusOf(*m_fixture)); }
    Seen shown() const { return shownOn(*m_page, *m_table); }

    void open(MainWindow& window)
    {
        window.resize(1280, 800);
        window.show();
        window.openStudy(QString::fromStdString(m_fixture->path().string()));
        window.showStep(widgets::Step::Run);
        m_page = window.findChild<widgets::RunPage*>();
        QVERIFY(m_page);
        for (const auto* view : m_page->findChildren<QTableView*>()) {
            if (auto* model = qobject_cast<RunTableModel*>(view->model()))
                m_table = model;
        }
        QVERIFY(m_table);
    }

    /// Each look asks both once: an experiment may go on between two looks.
    void expectSame()
    {
        const QDeadlineTimer patience(kPatienceMs);
        auto seen = inWords(shown());
        auto said = inWords(told());
        while (seen != said && !patience.hasExpired()) {
            QTest::qWait(20);
            seen = inWords(shown());
            said = inWords(told());
        }
        QCOMPARE(seen, said);
    }

    void click(const char* button)
    {
        QTRY_VERIFY_WITH_TIMEOUT(buttonOf(*m_page, QLatin1String(button)), kPatienceMs);
        QTest::mouseClick(buttonOf(*m_page, QLatin1String(button)), Qt::LeftButton);
    }

    void ask(const char* words)
    {
        const run::ControlReply reply = run::ask(m_fixture->path(), *run::parseControlRequest(words));
        QVERIFY2(reply.isDone, qPrintable(reply.message));
    }

    QTemporaryDir m_home;
    std::unique_ptr<StudyFixture> m_fixture;
    widgets::RunPage* m_page = nullptr;
    RunTableModel* m_table = nullptr;
};

QUADRIC_QT_TEST(SameStateTest)
#include "same_state_test.moc"
