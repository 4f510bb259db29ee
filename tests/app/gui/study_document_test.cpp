// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/study_dialogs.h"
#include "app/gui/frame/workspace.h"
#include "app/gui/session/study_session.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/study_wizard.h"

#include "test_surroundings.h"
#include "tests/support/test_paths.h"

#include <QDir>
#include <QFile>
#include <QPushButton>
#include <QSignalSpy>

#include <csignal>
#include <functional>

#include <sys/resource.h>

using namespace quadric;
using namespace quadric::app;

namespace {

using Kind = DocumentTrouble::Kind;
using Edit = std::function<void(study::Study&)>;

study::Study edited(study::Study study, const Edit& edit)
{
    edit(study);
    return study;
}

/// Nothing can be written until there is room, whatever rights this process has.
class FullDisk {
public:
    FullDisk()
        : m_ignored(std::signal(SIGXFSZ, SIG_IGN))
    {
        ::getrlimit(RLIMIT_FSIZE, &m_limit);
        const rlimit full = {0, m_limit.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &full);
    }
    ~FullDisk()
    {
        makeRoom();
        std::signal(SIGXFSZ, m_ignored);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    void makeRoom() const { ::setrlimit(RLIMIT_FSIZE, &m_limit); }

private:
    void (*m_ignored)(int);
    rlimit m_limit = {};
};

} // namespace

/// The study with one factor, a description and a measured run more.
static void addMeasured(study::Study& study)
{
    study.factors.push_back({.name = "added"});
    study.description = "edited";
    study::Run run{.id = 61, .order = 61, .status = study::RunStatus::Done, .results = study.runs[0].results};
    run.settings = study.runs[0].settings;
    run.settings["added"] = 0.5;
    study.runs.push_back(run);
}

/// The open study beside others who write its file.
class StudyDocumentTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void init()
    {
        m_study = std::make_unique<QTemporaryDir>();
        m_path = m_study->filePath(QStringLiteral("s.quadric"));
        study::saveStudy(study::loadStudy(sourcePath("resources/examples/resnet50-scaling.quadric")).study,
                         m_path.toStdString());
    }

    void readsWhatAnotherProgramHasChanged()
    {
        StudySession session;
        QCOMPARE(session.open(m_path.toStdString()), QString());
        QSignalSpy told(&session.document(), &StudyDocument::message);
        writeBehind(addMeasured);
        const study::Study theirs = saved();
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(studyOf(session), theirs);
        QCOMPARE(saved(), theirs);
        QCOMPARE(told.count(), 1);
        QCOMPARE(told[0][0].toString(),
                 QStringLiteral("s.quadric was changed by another program and has been read again."));
        QVERIFY(!session.autosave().isDirty());
    }

    void takesWhatWasMeasuredIntoWhatIsEdited()
    {
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Pending;
            s.runs[3].results.clear();
        });
        StudySession session;
        session.open(m_path.toStdString());
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Done;
            s.runs[3].results = s.runs[4].results;
        });
        const study::Study theirs = saved();
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved(), edited(theirs, [](study::Study& s) { s.responses[0].weight = 4.0; }));
        QCOMPARE(studyOf(session), saved());
    }

    void addsWhatAnotherProgramHasChangedAsAnUndoStep()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study before = studyOf(session);
        writeBehind([](study::Study& s) { s.description = "one"; });
        QTRY_COMPARE(studyOf(session).description, std::string("one"));
        writeBehind([](study::Study& s) { s.name = "two"; });
        QTRY_COMPARE(studyOf(session).name, std::string("two"));
        QVERIFY(!session.autosave().isDirty());
        QCOMPARE(session.editor().undoStack().count(), 1);
        QCOMPARE(session.editor().undoStack().undoText(), QStringLiteral("Changed on disk"));
        session.editor().undo();
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved(), before);
        session.editor().redo();
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved().name, std::string("two"));
    }

    void undoTakesNoResultAway()
    {
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Pending;
            s.runs[3].results.clear();
        });
        StudySession session;
        session.open(m_path.toStdString());
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(session.autosave().saveNow());
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Done;
            s.runs[3].results = s.runs[4].results;
            s.description = "text";
        });
        session.document().look();
        QCOMPARE(session.editor().undoStack().count(), 2);
        session.editor().undo();
        session.editor().undo();
        QVERIFY(!studyOf(session).runs[3].results.empty());
        QVERIFY(studyOf(session).responses[0].weight != 4.0);
        QVERIFY(session.autosave().saveNow());
        writeBehind(addMeasured); // fits no version with other factors: there is no way back
        session.document().look();
        QVERIFY(!session.editor().undoStack().canUndo());
        QVERIFY(study::findRun(studyOf(session), 61));
    }

    void asksWhereTheFileHasLostOrOtherResults_data()
    {
        QTest::addColumn<bool>("isLost");
        QTest::newRow("lost") << true;
        QTest::newRow("other") << false;
    }

    void asksWhereTheFileHasLostOrOtherResults()
    {
        QFETCH(bool, isLost);
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study mine = studyOf(session);
        writeBehind([isLost](study::Study& s) {
            if (isLost)
                s.runs.erase(s.runs.begin());
            else
                s.runs[0].results.begin()->second += 1.0;
        });
        const study::Study theirs = saved();
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Changed);
        QCOMPARE(studyOf(session), mine);
        QVERIFY(!session.autosave().saveNow());
        session.document().keepBesideAndReload();
        QCOMPARE(studyOf(session), theirs);
        QCOMPARE(saved(), theirs);
        QCOMPARE(keptBeside(), mine);
    }

    void asksWhereBothHaveChanged_data()
    {
        QTest::addColumn<bool>("isKept");
        QTest::newRow("reload") << false;
        QTest::newRow("keep mine beside it") << true;
    }

    void asksWhereBothHaveChanged()
    {
        QFETCH(bool, isKept);
        StudySession session;
        session.open(m_path.toStdString());
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        writeBehind([](study::Study& s) { s.description = "theirs"; });
        const study::Study theirs = saved(), mine = studyOf(session);
        QVERIFY(!session.autosave().saveNow());
        QCOMPARE(troubleOf(session), Kind::Changed);
        QTest::qWait(800); // neither autosave nor the next look decides
        QCOMPARE(saved(), theirs);
        QCOMPARE(studyOf(session), mine);
        QSignalSpy told(&session.document(), &StudyDocument::message);
        isKept ? session.document().keepBesideAndReload() : session.document().reload();
        QVERIFY(!session.document().trouble());
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved(), theirs);
        QCOMPARE(studyOf(session), theirs);
        QCOMPARE(conflictFiles().size(), isKept ? 1 : 0);
        if (isKept) {
            QCOMPARE(keptBeside(), mine);
            QCOMPARE(told.last()[0].toString(),
                     QStringLiteral("The version of this window is in s (conflict).quadric."));
        }
        session.editor().undo(); // nothing is lost
        QCOMPARE(studyOf(session), mine);
    }

    void neverTakesAnotherStudy()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study mine = studyOf(session);
        const study::Study another =
            study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study;
        study::saveStudy(another, m_path.toStdString());
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Changed);
        QVERIFY2(!session.autosave().saveNow(), "a runner would execute the other study");
        session.document().keepBesideAndReload();
        QCOMPARE(studyOf(session), another);
        QCOMPARE(saved(), another);
        QCOMPARE(keptBeside(), mine);
    }

    void aSecondWindowFollows()
    {
        StudySession first, second;
        first.open(m_path.toStdString());
        second.open(m_path.toStdString());
        for (int i = 1; i <= 10; ++i) {
            change(first, [i](study::Study& s) { s.responses[0].weight = i; });
            QTest::qWait(i % 4 == 0 ? 400 : 25);
        }
        QTRY_COMPARE(studyOf(second).responses[0].weight, 10.0);
        QTRY_VERIFY(!first.autosave().isDirty() && !second.autosave().isDirty());
        QVERIFY(!first.document().trouble() && !second.document().trouble());
        QCOMPARE(saved(), studyOf(first));
        QCOMPARE(saved(), studyOf(second));

        QSignalSpy firstShown(&first.editor(), &StudyEditor::contextChanged);
        QSignalSpy secondShown(&second.editor(), &StudyEditor::contextChanged);
        const study::FileIdentity written = study::identityOf(m_path.toStdString());
        QTest::qWait(1500); // nobody answers the other
        QCOMPARE(study::identityOf(m_path.toStdString()), written);
        QCOMPARE(firstShown.count() + secondShown.count(), 0);
    }

    void twoWindowsThatMoveTheSameSliderWriteNoMore()
    {
        StudySession first, second;
        first.open(m_path.toStdString());
        second.open(m_path.toStdString());
        for (int i = 1; i <= 20; ++i) {
            change(first, [i](study::Study& s) { s.responses[0].weight = i; });
            change(second, [i](study::Study& s) { s.responses[0].weight = 100 + i; });
            QTest::qWait(25);
        }
        QTRY_VERIFY(first.document().trouble().has_value() != second.document().trouble().has_value());
        StudySession& asked = first.document().trouble() ? first : second;
        StudySession& other = first.document().trouble() ? second : first;
        const study::FileIdentity written = study::identityOf(m_path.toStdString());
        QTest::qWait(1200);
        QCOMPARE(study::identityOf(m_path.toStdString()), written);
        asked.document().keepBesideAndReload();
        QVERIFY(asked.autosave().saveNow());
        QTRY_COMPARE(studyOf(other), studyOf(asked));
        QVERIFY(!other.document().trouble());
    }

    void twoWindowsAgreeOnHowPagesAreArranged()
    {
        StudySession first, second;
        first.open(m_path.toStdString());
        second.open(m_path.toStdString());
        QSignalSpy told(&first.document(), &StudyDocument::message);
        change(first, [](study::Study& s) { s.view["explore"].views = {{"a"}}; });
        change(second, [](study::Study& s) { s.view["explore"].views = {{"b"}}; });
        QVERIFY(first.autosave().saveNow());
        QVERIFY(second.autosave().saveNow());
        QTRY_COMPARE(studyOf(first), studyOf(second));
        const study::FileIdentity written = study::identityOf(m_path.toStdString());
        QTest::qWait(1200);
        QCOMPARE(study::identityOf(m_path.toStdString()), written);
        QCOMPARE(told.count(), 0);
    }

    void writesNothingThatTheFileHolds()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::FileIdentity before = study::identityOf(m_path.toStdString());
        change(session, [](study::Study& s) { s.description = "text"; });
        QVERIFY(session.autosave().isDirty());
        session.editor().undo();
        QVERIFY(!session.autosave().isDirty());
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(
            file.setFileTime(QDateTime::currentDateTime().addSecs(-60), QFileDevice::FileModificationTime));
        const study::FileIdentity touched = study::identityOf(m_path.toStdString());
        QVERIFY(touched != before);
        QTest::qWait(1200);
        QCOMPARE(study::identityOf(m_path.toStdString()), touched);
        QVERIFY(!session.editor().undoStack().canUndo());
    }

    void saysThatTheFileIsGone()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study study = studyOf(session);
        QVERIFY(QFile::rename(m_path, m_path + QStringLiteral(".moved")));
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Missing);
        QVERIFY(session.autosave().isDirty());
        QVERIFY(!session.autosave().saveNow());
        QVERIFY2(!QFile::exists(m_path), "only the user puts it there again");
        QVERIFY2(!session.close(), "it would be lost");
        QVERIFY(QFile::rename(m_path + QStringLiteral(".moved"), m_path));
        QTRY_VERIFY(!session.document().trouble());
        QVERIFY(!session.autosave().isDirty());
        QVERIFY(QFile::remove(m_path));
        QTRY_VERIFY(session.document().trouble());
        session.document().saveHereAgain();
        QVERIFY(!session.document().trouble());
        QCOMPARE(saved(), study);
        QVERIFY(session.close());
    }

    void waitsForAHalfWrittenFile()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study theirs = edited(saved(), [](study::Study& s) { s.description = "theirs"; });
        const QByteArray text = QByteArray::fromStdString(study::writeStudy(theirs));
        writeText(text.left(text.size() / 2));
        session.document().look();
        QVERIFY(!session.document().trouble());
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(!session.autosave().saveNow());
        QCOMPARE(QFile(m_path).size(), text.size() / 2);
        session.editor().undo();
        writeText(text);
        QTRY_COMPARE(studyOf(session), theirs);
        QVERIFY(!session.autosave().isDirty() && !session.document().trouble());
    }

    /// The disk is full for a moment.
    void triesAgainToSave()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const FullDisk disk;
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(!session.autosave().saveNow());
        QCOMPARE(troubleOf(session), Kind::Unwritable);
        QVERIFY2(session.document().trouble()->sentence.contains(QStringLiteral("File too large")),
                 qPrintable(session.document().trouble()->sentence));
        QTest::qWait(1500);
        QVERIFY(session.autosave().isDirty());
        disk.makeRoom();
        QTRY_VERIFY(!session.autosave().isDirty());
        QVERIFY(!session.document().trouble());
        QCOMPARE(saved(), studyOf(session));
    }

    /// A link in its place leads to somebody else's file.
    void doesNotFollowALinkThatHasTakenItsPlace()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const QString other = m_study->filePath(QStringLiteral("other"));
        QVERIFY(QFile::rename(m_path, other));
        const study::FileIdentity before = study::identityOf(other.toStdString());
        std::filesystem::create_symlink(other.toStdString(), m_path.toStdString());
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Unreadable);
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(!session.autosave().saveNow());
        session.document().saveHereAgain();
        QCOMPARE(study::identityOf(other.toStdString()), before);
        QVERIFY(session.document().trouble());
    }

    /// What is edited is saved, and what is measured is taken, whoever is first.
    void savesWhileARunnerIsAtWork()
    {
        writeBehind([](study::Study& s) {
            for (study::Run& run : s.runs) {
                run.status = study::RunStatus::Pending;
                run.results.clear();
            }
        });
        const study::Study first = saved();
        StudySession session;
        session.open(m_path.toStdString());
        {
            const study::StudyLock lock(m_path.toStdString());
            QTRY_VERIFY(session.editor().context()->isRunning);
            study::Run run = first.runs[0];
            run.status = study::RunStatus::Done;
            run.results = {{first.responses[0].name, 3.0}};
            study::JournalWriter(m_path.toStdString(), study::makeOwner(first)).append(run);
            change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
            QTRY_COMPARE(savedAlone().responses[0].weight, 4.0);
            QTRY_COMPARE(studyOf(session).runs[0].results, run.results);
            change(session, [](study::Study& s) {
                s = study::withRuns(std::move(s), {s.runs[0].settings}, study::RunKind::Augment);
            });
            QTRY_COMPARE(savedAlone().runs.size(), first.runs.size() + 1);
            study::saveWithJournal(m_path.toStdString());
        }
        QTRY_VERIFY(!session.editor().context()->isRunning);
        QTRY_COMPARE(saved(), studyOf(session));
        QCOMPARE(saved().responses[0].weight, 4.0);
        QCOMPARE(saved().runs[0].results.begin()->second, 3.0);
        QVERIFY(!session.document().trouble() && !session.autosave().isDirty());
    }

    void keepsWhatCannotBeRead()
    {
        StudySession session;
        session.open(m_path.toStdString());
        writeText("<<<<<<< HEAD\n");
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Unreadable);
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(!session.autosave().saveNow());
        QCOMPARE(QFile(m_path).size(), 13);
        session.document().saveHereAgain();
        QCOMPARE(saved(), studyOf(session));
        QCOMPARE(conflictFiles().size(), 1);
        QFile kept(m_study->filePath(conflictFiles().first()));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("<<<<<<< HEAD\n"));
    }

    void closingKeepsTheVersionInConflict()
    {
        StudySession session;
        session.open(m_path.toStdString());
        change(session, [](study::Study& s) { s.name = "mine"; });
        writeBehind([](study::Study& s) { s.name = "theirs"; });
        const study::Study mine = studyOf(session);
        QVERIFY(session.close());
        QCOMPARE(saved().name, std::string("theirs"));
        QCOMPARE(keptBeside(), mine);
    }

    void aCommandBesideTheWindowIsNoRunner()
    {
        StudySession session;
        session.open(m_path.toStdString());
        QSignalSpy said(&session.experiment(), &Experiment::message);
        {
            const study::StudyLock lock(m_path.toStdString());
            QTRY_VERIFY(session.editor().context()->isRunning);
            writeBehind([](study::Study& s) {
                s = study::withRuns(std::move(s), {s.runs[0].settings}, study::RunKind::Augment);
            });
        }
        QTRY_VERIFY(!session.editor().context()->isRunning);
        QCOMPARE(studyOf(session), saved());
        for (const QList<QVariant>& each : said) {
            const QString words = each[0].value<widgets::RunMessage>().words;
            QVERIFY2(words.isEmpty(), qPrintable(words));
        }
    }

    void theWizardKeepsWhatWasMeasuredMeanwhile()
    {
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Pending;
            s.runs[3].results.clear();
        });
        StudySession session;
        session.open(m_path.toStdString());
        QWidget window;
        StudyDialogs dialogs(session, window);
        dialogs.editDesign(widgets::WizardStep::Question);
        auto* wizard = window.findChild<widgets::StudyWizard*>();
        QVERIFY(wizard);
        writeBehind([](study::Study& s) {
            s.runs[3].status = study::RunStatus::Done;
            s.runs[3].results = s.runs[4].results;
        });
        session.document().look();
        wizard->accept();
        QCOMPARE(studyOf(session).runs, saved().runs);
        QVERIFY(!studyOf(session).runs[3].results.empty());
    }

    void showsItsTroubleInABanner()
    {
        StudySession session;
        session.open(m_path.toStdString());
        DocumentBanner banner(session.document());
        const auto isShown = [&](const char* name) {
            return banner.findChild<QPushButton*>(name)->isVisible();
        };
        QVERIFY(!banner.isVisible());
        change(session, [](study::Study& s) { s.name = "mine"; });
        writeBehind([](study::Study& s) { s.name = "theirs"; });
        session.autosave().saveNow();
        QVERIFY(banner.isVisible() && isShown("reload") && isShown("keepBeside") &&
                isShown("saveTroubledAs") && !isShown("saveHereAgain"));
        banner.findChild<QPushButton*>("reload")->click();
        QVERIFY(!banner.isVisible());
        QCOMPARE(studyOf(session).name, std::string("theirs"));
        QVERIFY(QFile::remove(m_path));
        QTRY_VERIFY(banner.isVisible());
        QVERIFY(!isShown("reload") && isShown("saveHereAgain") && isShown("saveTroubledAs"));
        banner.findChild<QPushButton*>("saveHereAgain")->click();
        QVERIFY(!banner.isVisible() && QFile::exists(m_path));
    }

private:
    static const study::Study& studyOf(StudySession& session) { return session.editor().context()->study; }
    study::Study saved() const { return study::loadStudy(m_path.toStdString()).study; }
    /// Whatever the journal says.
    study::Study savedAlone() const { return study::loadWithoutJournal(m_path.toStdString()).study; }
    /// As another program does it: without asking.
    void writeBehind(const Edit& edit) const
    {
        study::saveStudy(edited(saved(), edit), m_path.toStdString());
    }
    static void change(StudySession& session, const Edit& edit)
    {
        session.editor().change(edited(studyOf(session), edit), QStringLiteral("Edit"),
                                QStringLiteral("drag"));
    }
    void writeText(const QByteArray& text) const
    {
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    QStringList conflictFiles() const
    {
        return QDir(m_study->path()).entryList({QStringLiteral("*(conflict*")});
    }
    study::Study keptBeside() const
    {
        return study::loadStudy(m_study->filePath(conflictFiles().last()).toStdString()).study;
    }
    Kind troubleOf(StudySession& session) const { return session.document().trouble()->kind; }

    QTemporaryDir m_folder;
    std::unique_ptr<QTemporaryDir> m_study;
    QString m_path;
};

QUADRIC_QT_TEST(StudyDocumentTest)
#include "study_document_test.moc"
