// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/rail.h"
#include "app/gui/session/study_session.h"
#include "app/gui/window_main.h"
#include "core/exchange/import/audit.h"
#include "core/run/launch/launch.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/qt_tests.h"
#include "tests/support/test_paths.h"

#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace quadric;
using namespace quadric::app;

namespace {

/// Neither is anything written in the folder, whatever rights this process has. False where that cannot be
/// had.
bool makeReadOnly(const char* folder)
{
    if (::geteuid() != 0)
        return ::chmod(folder, 0555) == 0;
    return ::unshare(CLONE_NEWNS) == 0 && ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
           ::mount(folder, folder, nullptr, MS_BIND, nullptr) == 0 &&
           ::mount(folder, folder, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) == 0;
}

} // namespace

class SessionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("HOME", m_folder.path().toLocal8Bit());
        qunsetenv("XDG_CONFIG_HOME");
        loadResources();
    }

    void savesShortlyAfterAChange()
    {
        const QString path = copyOfExample("cpu-ranks");
        StudySession session;
        QCOMPARE(session.open(path.toStdString()), QString());
        study::Study after = session.editor().context()->study;
        after.name = "renamed";
        session.editor().change(after, "Rename");
        QVERIFY(session.autosave().isDirty());
        QTRY_VERIFY(!session.autosave().isDirty());
        QCOMPARE(study::loadStudy(path.toStdString()).study.name, std::string("renamed"));
    }

    /// Whoever opens another study, or another file, while runs go on loses nothing.
    void savesBesideARunnerBeforeItCloses()
    {
        const QString path = copyOfExample("cpu-ranks"), other = copyOfExample("cpu-ranks");
        const QString named = m_folder.filePath(QStringLiteral("named.quadric"));
        StudySession session;
        session.open(path.toStdString());
        const study::StudyLock runner(path.toStdString());
        QTRY_VERIFY(session.editor().context()->isRunning);
        study::Study after = session.editor().context()->study;
        after.name = "renamed";
        QVERIFY(session.editor().change(after, "Rename"));
        QCOMPARE(session.open(other.toStdString()), QString());
        QCOMPARE(session.open(path.toStdString()), QString());
        QCOMPARE(session.editor().context()->study.name, std::string("renamed"));
        QCOMPARE(session.saveAs(named.toStdString()), QString());
        QCOMPARE(study::loadStudy(named.toStdString()).study.name, std::string("renamed"));
        QVERIFY(!session.editor().context()->isRunning);
    }

    void foldsTheJournalOfARunnerThatIsGone()
    {
        const std::filesystem::path path = copyOfExample("cpu-ranks").toStdString();
        study::Run run = study::loadStudy(path).study.runs[0];
        run.status = study::RunStatus::Done;
        run.results = {{"images_per_sec", 50.0}, {"scaling_efficiency", 90.0}, {"step_ms", 3.0}};
        study::JournalWriter(path).append(run);
        StudySession session;
        QCOMPARE(session.open(path), QString());
        QCOMPARE(study::findRun(session.editor().context()->study, run.id)->results, run.results);
        QVERIFY(!std::filesystem::exists(study::journalPath(path)));
    }

    void readsTheJournalInAFolderThatCannotBeWritten()
    {
        const QTemporaryDir folder;
        const std::filesystem::path path = folder.filePath(QStringLiteral("s.quadric")).toStdString();
        std::filesystem::copy_file(copyOfExample("cpu-ranks").toStdString(), path);
        study::Run run = study::loadStudy(path).study.runs[0];
        run.status = study::RunStatus::Done;
        run.results = {{"images_per_sec", 50.0}, {"scaling_efficiency", 90.0}, {"step_ms", 3.0}};
        study::JournalWriter(path).append(run);
        if (!makeReadOnly(folder.path().toUtf8().constData()))
            QSKIP("no folder can be made read-only here");
        StudySession session;
        QSignalSpy warned(&session, &StudySession::warned);
        QCOMPARE(session.open(path), QString());
        QCOMPARE(study::findRun(session.editor().context()->study, run.id)->results, run.results);
        QVERIFY(warned.last()
                    .first()
                    .toStringList()
                    .join(QLatin1Char('\n'))
                    .contains(QStringLiteral("cannot be changed here")));
        const QString reason = run::startRunner(path);
        QVERIFY2(reason.contains(QStringLiteral("writable")), qPrintable(reason));
        QVERIFY(std::filesystem::exists(study::journalPath(path)));
        ::chmod(folder.path().toUtf8().constData(), 0755);
        ::umount(folder.path().toUtf8().constData());
    }

    void saysWhyAStudyCannotBeOpened()
    {
        StudySession session;
        session.open(copyOfExample("cpu-ranks").toStdString());
        const auto open = session.editor().context();
        const QString broken = m_folder.filePath(QStringLiteral("broken.quadric"));
        QFile file(broken);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"quadric\": 1, \"name\": ");
        file.close();
        QVERIFY(session.open(broken.toStdString()).contains(QStringLiteral("broken.quadric")));
        QVERIFY(!session.open(m_folder.filePath(QStringLiteral("gone.quadric")).toStdString()).isEmpty());
        QCOMPARE(session.editor().context(), open);
    }

    void examplesStayAsTheyAre()
    {
        const auto known = examples();
        QCOMPARE(known.size(), size_t(3));
        const auto first = copyExample(known[0]);
        const auto second = copyExample(known[0]);
        QVERIFY(first != second);
        QVERIFY(QString::fromStdString(first.string()).startsWith(m_folder.path()));
        study::Study copy = study::loadStudy(first).study, other = study::loadStudy(second).study;
        QVERIFY(copy.id != other.id); // each copy is a study of its own
        copy.id = other.id;
        QCOMPARE(copy, other);
        QVERIFY(!exchange::readClaimsIfThere(exchange::claimsBeside(first)));
        QVERIFY(exchange::readClaimsIfThere(exchange::claimsBeside(copyExample(known[2]))));
        QCOMPARE(newStudyPath(QStringLiteral("../a/b")).filename().string(), std::string("-a-b.quadric"));
    }

    void remembersSettings()
    {
        QSettings store(m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
        QCOMPARE(loadSettings(store), Settings());
        Settings settings;
        settings.theme = widgets::ThemeChoice::Dark;
        settings.recentStudies = {"/a.quadric", "/b.quadric"};
        settings.windowGeometry = "geometry";
        saveSettings(settings, store);
        QCOMPARE(loadSettings(store), settings);
        settings = withRecentStudy(settings, "/b.quadric");
        QCOMPARE(settings.recentStudies, (QStringList{"/b.quadric", "/a.quadric"}));
    }

    void railSaysWhereTheStudyStands()
    {
        StudyEditor editor;
        editor.open(study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study, {});
        const auto states = stepStates(*editor.context(), countWarnings(*editor.context()));
        QCOMPARE(states[0].text, QStringLiteral("15 runs"));
        QCOMPARE(states[1].text, QStringLiteral("15 of 15"));
        QCOMPARE(states[1].mark, Mark::Done);
        QCOMPARE(states[2].mark, Mark::Warning);
        QCOMPARE(openingStep(*editor.context()), widgets::Step::Optimize);
        QVERIFY(statusWords(*editor.context()).startsWith(QStringLiteral("simulated data")));
        QVERIFY(statusWords(*editor.context()).endsWith(QStringLiteral("2 of 2 responses fitted")));

        editor.open(study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study, {});
        QCOMPARE(stepStates(*editor.context(), countWarnings(*editor.context()))[1].text,
                 QStringLiteral("0 of 15"));
        QCOMPARE(stepStates(*editor.context(), countWarnings(*editor.context()))[2].text,
                 QStringLiteral("needs results"));
        QCOMPARE(openingStep(*editor.context()), widgets::Step::Run);
        editor.setRunning(true);
        QCOMPARE(stepStates(*editor.context(), countWarnings(*editor.context()))[1].mark, Mark::Running);
    }

private:
    QString copyOfExample(const char* name)
    {
        const QString path =
            m_folder.filePath(QStringLiteral("%1-%2.quadric").arg(QLatin1String(name)).arg(++m_copies));
        QFile::copy(QString::fromUtf8(sourcePath("resources/examples/%1.quadric")).arg(QLatin1String(name)),
                    path);
        return path;
    }

    QTemporaryDir m_folder;
    int m_copies = 0;
};

QUADRIC_QT_TEST(SessionTest)
#include "session_test.moc"
