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

#include <functional>

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

    void keepsAGoalThatAnotherWindowHasSet()
    {
        StudySession first, second;
        QCOMPARE(first.open(m_path.toStdString()), QString());
        QCOMPARE(second.open(m_path.toStdString()), QString());
        change(second, [](study::Study& s) { s.responses[0].goal = study::Goal::Minimize; });
        QVERIFY(second.autosave().saveNow());
        QSignalSpy told(&first.document(), &StudyDocument::message);
        change(first, [](study::Study& s) { s.responses[0].weight = 4.0; });
        QVERIFY(first.autosave().saveNow());
        for (const study::Study& study : {saved(), studyOf(first)}) {
            QCOMPARE(study.responses[0].goal, study::Goal::Minimize);
            QCOMPARE(study.responses[0].weight, 4.0);
        }
        QCOMPARE(told.count(), 1);
        QCOMPARE(told[0][0].toString(),
                 QStringLiteral("s.quadric was changed by another program: 1 response was changed."));
        QTRY_COMPARE(studyOf(second).responses[0].weight, 4.0);
    }

    void keepsFactorsAndRunsThatAnotherProgramHasAdded()
    {
        StudySession session;
        session.open(m_path.toStdString());
        QSignalSpy told(&session.document(), &StudyDocument::message);
        writeBehind(addMeasured);
        const study::Study theirs = saved();
        change(session, [](study::Study& s) { s.responses[1].weight = 4.0; });
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved(), edited(theirs, [](study::Study& s) { s.responses[1].weight = 4.0; }));
        QCOMPARE(studyOf(session), saved());
        QCOMPARE(told[0][0].toString(),
                 QStringLiteral("s.quadric was changed by another program: 1 factor and 1 run were added, "
                                "the description was changed."));
        QVERIFY(!session.autosave().isDirty());
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
        QCOMPARE(studyOf(session).responses[0].weight, saved().responses[0].weight);
        QVERIFY(session.autosave().saveNow());
        writeBehind(addMeasured); // fits no version with other factors: there is no way back
        session.document().look();
        QVERIFY(!session.editor().undoStack().canUndo());
        QVERIFY(study::findRun(studyOf(session), 61));
    }

    void keepsResultsThatTheFileHasLost()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study before = studyOf(session);
        writeBehind([](study::Study& s) {
            s.runs.erase(s.runs.begin());
            s.runs[2].status = study::RunStatus::Pending;
            s.runs[2].results.clear();
            s.description = "an older version";
        });
        QTRY_COMPARE(saved().description + std::to_string(saved().runs.size()),
                     "an older version" + std::to_string(before.runs.size()));
        for (const study::Run& run : before.runs)
            QCOMPARE(study::findRun(saved(), run.id)->results, run.results);
        QVERIFY(conflictFiles().isEmpty());
    }

    void keepsTheVersionWhoseResultsAreReplaced()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study before = studyOf(session);
        QSignalSpy told(&session.document(), &StudyDocument::message);
        writeBehind([](study::Study& s) { s.runs[0].results.begin()->second += 1.0; });
        session.document().look();
        QCOMPARE(studyOf(session), saved());
        QCOMPARE(conflictFiles(), QStringList{QStringLiteral("s (conflict).quadric")});
        QCOMPARE(keptBeside(), before);
        const QString run = QStringLiteral("run %1").arg(before.runs[0].id);
        QCOMPARE(told[0][0].toString(),
                 QStringLiteral("s.quadric was changed by another program: 1 run was changed. The results of "
                                "%1 were replaced; the version before is in s (conflict).quadric.")
                     .arg(run));
    }

    void asksWhereBothHaveChangedTheSame_data()
    {
        QTest::addColumn<bool>("isMine");
        QTest::newRow("mine") << true;
        QTest::newRow("theirs") << false;
    }

    void asksWhereBothHaveChangedTheSame()
    {
        QFETCH(bool, isMine);
        StudySession session;
        session.open(m_path.toStdString());
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        writeBehind([](study::Study& s) {
            s.responses[0].weight = 3.0;
            s.description = "theirs";
        });
        const study::Study theirs = saved(), mine = studyOf(session);
        QVERIFY(!session.autosave().saveNow());
        QCOMPARE(troubleOf(session), Kind::Conflict);
        QVERIFY2(session.document().trouble()->sentence.contains(
                     QStringLiteral("the weight of the response images_per_sec is 4 here and 3 in the file")),
                 qPrintable(session.document().trouble()->sentence));
        QTest::qWait(800); // neither autosave nor the next look decides
        QCOMPARE(saved(), theirs);
        QCOMPARE(studyOf(session), mine);
        QSignalSpy told(&session.document(), &StudyDocument::message);
        isMine ? session.document().keepMine() : session.document().takeTheirs();
        QVERIFY(!session.document().trouble());
        QVERIFY(session.autosave().saveNow());
        QCOMPARE(saved(),
                 edited(theirs, [&](study::Study& s) { s.responses[0].weight = isMine ? 4.0 : 3.0; }));
        QCOMPARE(studyOf(session), saved());
        QCOMPARE(keptBeside(), isMine ? theirs : mine);
        QVERIFY(told.last()[0].toString().contains(
            QStringLiteral("The other version is in s (conflict).quadric.")));
    }

    void neverMergesAnotherStudy()
    {
        StudySession session;
        session.open(m_path.toStdString());
        const study::Study mine = studyOf(session);
        const study::Study another =
            study::loadStudy(sourcePath("resources/examples/cpu-ranks.quadric")).study;
        study::saveStudy(another, m_path.toStdString());
        QTRY_VERIFY(session.document().trouble());
        QCOMPARE(troubleOf(session), Kind::Conflict);
        QVERIFY(session.document().trouble()->sentence.contains(
            QStringLiteral("the file contains another study")));
        QVERIFY2(!session.autosave().saveNow(), "a runner would execute the other study");
        session.document().takeTheirs();
        QCOMPARE(studyOf(session), another);
        QCOMPARE(saved(), another);
        QCOMPARE(keptBeside(), mine);
    }

    void twoWindowsStayInStep()
    {
        StudySession first, second;
        first.open(m_path.toStdString());
        second.open(m_path.toStdString());
        for (int i = 1; i <= 40; ++i) {
            change(first, [i](study::Study& s) { s.responses[0].weight = i; });
            change(second, [i](study::Study& s) { s.responses[1].weight = 100 + i; });
            QTest::qWait(i % 8 == 0 ? 400 : 25);
            QCOMPARE(studyOf(first).responses[0].weight, double(i)); // it never jumps back
            QCOMPARE(studyOf(second).responses[1].weight, 100.0 + i);
        }
        QTRY_COMPARE(studyOf(first).responses[1].weight, 140.0);
        QTRY_COMPARE(studyOf(second).responses[0].weight, 40.0);
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
        asked.document().keepMine();
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
        change(session, [](study::Study& s) { s.responses[0].weight = 4.0; });
        const study::Study theirs = edited(saved(), [](study::Study& s) { s.description = "theirs"; });
        const QByteArray text = QByteArray::fromStdString(study::writeStudy(theirs));
        writeText(text.left(text.size() / 2));
        QVERIFY(!session.autosave().saveNow());
        QVERIFY(!session.document().trouble());
        QCOMPARE(QFile(m_path).size(), text.size() / 2);
        writeText(text);
        QTRY_VERIFY(!session.autosave().isDirty());
        QCOMPARE(saved(), edited(theirs, [](study::Study& s) { s.responses[0].weight = 4.0; }));
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

    void theWizardKeepsWhatHasChangedMeanwhile()
    {
        StudySession session;
        session.open(m_path.toStdString());
        QWidget window;
        StudyDialogs dialogs(session, window);
        dialogs.editDesign(widgets::WizardStep::Question);
        auto* wizard = window.findChild<widgets::StudyWizard*>();
        QVERIFY(wizard);
        writeBehind([](study::Study& s) { s.responses[0].weight = 4.0; });
        session.document().look();
        wizard->accept();
        QCOMPARE(studyOf(session).responses[0].weight, 4.0);
        QCOMPARE(studyOf(session).runs, saved().runs);
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
        QVERIFY(banner.isVisible() && isShown("keepMine") && isShown("takeTheirs") &&
                !isShown("saveHereAgain"));
        banner.findChild<QPushButton*>("takeTheirs")->click();
        QVERIFY(!banner.isVisible());
        QCOMPARE(studyOf(session).name, std::string("theirs"));
        QVERIFY(QFile::remove(m_path));
        QTRY_VERIFY(banner.isVisible());
        QVERIFY(!isShown("keepMine") && isShown("saveHereAgain") && isShown("saveTroubledAs"));
        banner.findChild<QPushButton*>("saveHereAgain")->click();
        QVERIFY(!banner.isVisible() && QFile::exists(m_path));
    }

private:
    static const study::Study& studyOf(StudySession& session) { return session.editor().context()->study; }
    study::Study saved() const { return study::loadStudy(m_path.toStdString()).study; }
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
