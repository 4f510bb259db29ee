// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/dialogs/study_dialogs.h"
#include "tests/support/qt_tests.h"

#include "test_surroundings.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace quadric;

class CommandTrialTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { test::startAfresh(m_folder); }

    void showsWhatIsReadAfterApproval()
    {
        QWidget window;
        app::CommandTrial trial(window);
        const std::filesystem::path document = m_folder.filePath("own.quadric").toStdString();
        trial.start(ownStudy("speed=12$0"), document);
        auto* box = window.findChild<QDialog*>("approval");
        QVERIFY2(box, "the command was not asked for");
        QVERIFY(box->findChild<QPlainTextEdit*>("approvalQuestion")
                    ->toPlainText()
                    .contains("Command: /bin/sh -c "));
        QVERIFY(!window.findChild<QDialog*>("trialDialog"));
        QTest::mouseClick(box->findChild<QPushButton*>("approve"), Qt::LeftButton);
        auto* dialog = window.findChild<QDialog*>("trialDialog");
        QVERIFY(dialog);
        QTRY_VERIFY(dialog->findChild<QLabel*>("trialState")->text().startsWith("✓"));
        QCOMPARE(dialog->findChild<QLabel*>("value-speed")->text(), QStringLiteral("✓ 128 img/s"));
        QVERIFY(dialog->findChild<QPlainTextEdit*>("trialOutput")->toPlainText().startsWith("<b>warming"));
        QVERIFY(!std::filesystem::exists(document.string() + "-logs"));
        delete dialog;
        trial.start(ownStudy("speed=12$0"), document);
        QVERIFY2(window.findChild<QDialog*>("trialDialog"), "what is approved was asked for again");
    }

    /// Nothing is clipped, reordered or hidden, and Enter does not approve.
    void showsAllOfAHostileCommand()
    {
        QWidget window;
        app::CommandTrial trial(window);
        study::Study study = ownStudy("speed=1");
        study.benchmark.argv = {"./train.sh;LOG_DIR=" + std::string(200, '0') + ";touch${IFS}PWNED",
                                "\u202edlrow olleh", "\x1b[1A\r\x1b[2K  folder: /home/you/study",
                                "long" + std::string(5000, 'W') + "end"};
        trial.start(study, m_folder.filePath("hostile.quadric").toStdString());
        auto* box = window.findChild<QDialog*>("approval");
        QVERIFY(box);
        auto* view = box->findChild<QPlainTextEdit*>("approvalQuestion");
        QVERIFY(view->isReadOnly());
        QCOMPARE(view->wordWrapMode(), QTextOption::WrapAnywhere);
        const bool canBeFixed =
            std::ranges::any_of(QFontDatabase::families(QFontDatabase::Latin),
                                [](const QString& family) { return QFontInfo(QFont(family)).fixedPitch(); });
        QCOMPARE(QFontInfo(view->font()).fixedPitch(), canBeFixed);
        for (const int width : {900, 300}) {
            box->resize(width, 400);
            QCOMPARE(view->horizontalScrollBar()->maximum(),
                     0); // all of it is in sight when it is scrolled down
            QVERIFY(view->verticalScrollBar()->maximum() > 0);
        }
        const QString text = view->toPlainText();
        QVERIFY(text.contains("touch${IFS}PWNED'"));
        QVERIFY(text.contains("\\u{202e}dlrow olleh"));
        QVERIFY(text.contains("end"));
        QVERIFY(!text.contains(QChar(0x1b)) && !text.contains(QChar(0x202e)));
        QVERIFY(!box->findChild<QPushButton*>("approve")->isDefault());
        QTest::keyClick(box, Qt::Key_Return);
        QVERIFY(!box->isVisible());
        QVERIFY2(!window.findChild<QDialog*>("trialDialog"), "Enter approved it");
    }

private:
    /// A study of two runs whose program is a shell that prints `line`.
    static study::Study ownStudy(const char* line)
    {
        study::Study study;
        study.name = "own";
        study.factors = {{.name = "batch", .low = 8, .high = 64}};
        study.responses = {{.name = "speed", .unit = "img/s"}};
        study.benchmark.workload = "command";
        study.benchmark.argv = {"/bin/sh", "-c", std::string("echo '<b>warming up</b>'; echo ") + line,
                                "{batch}"};
        study.benchmark.parse = {.kind = study::ParseSpec::Kind::Regex,
                                 .patterns = {{"speed", "speed=([0-9.]+)"}}};
        for (int id = 1; id <= 2; ++id)
            study.runs.push_back({.id = id, .order = id, .settings = {{"batch", 8.0 * id}}});
        return study;
    }

    QTemporaryDir m_folder;
};

QUADRIC_QT_TEST(CommandTrialTest)
#include "command_trial_test.moc"
