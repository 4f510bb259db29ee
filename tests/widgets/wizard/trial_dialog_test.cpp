// SPDX-License-Identifier: GPL-3.0-or-later

// The test of a command: numbers of the output become patterns, with the mouse and with the keyboard.

#include "tests/support/qt_tests.h"
#include "widgets/wizard/command/trial_dialog.h"

#include "widgets/wizard/command/output_view.h"

#include <QLabel>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using widgets::OutputView;
using widgets::TrialDialog;

class TrialDialogTest : public QObject {
    Q_OBJECT

private slots:
    void saysHowLongTheProgramRuns()
    {
        m_dialog = std::make_unique<TrialDialog>(tried({}), study::Settings{{"batch", 8.0}});
        const QString begun = text("trialState");
        QVERIFY2(begun.startsWith("Running for ") && begun.contains("(time limit 10 min 00 s)"),
                 qPrintable(begun));
        QTRY_VERIFY(text("trialState") != begun);
        m_dialog->setReport(report("throughput 3\n"));
        const QString ended = text("trialState");
        QVERIFY(!ended.startsWith("Running"));
        QTest::qWait(500);
        QCOMPARE(text("trialState"), ended);
    }

    void readsTheNumberThatIsClicked()
    {
        open("warming up 10\nspeed of 1,234.5 img/s at lr 1e-3\ntop1 = 80.57 % (best 81)\n");
        QVERIFY(text("trialState").startsWith("✗"));
        QVERIFY(text("trialHint").contains("throughput"));
        clickOn("1,234.5");
        QCOMPARE(m_chosen->count(), 1);
        QCOMPARE(parse().patterns.at("throughput"), std::string("speed of {number}"));
        QCOMPARE(text("value-throughput"), QString("✓ 1234.5 img/s"));
        QVERIFY2(text("trialHint").contains("val_acc"), "the next response is chosen");
        clickOn("80.57");
        QCOMPARE(parse().patterns.at("val_acc"), std::string("top1 = {number}"));
        QCOMPARE(parse().kind, study::ParseSpec::Kind::Regex);
        QVERIFY(text("trialState").startsWith("✓"));
    }

    void readsTheNumberThatIsChosenWithKeys()
    {
        open("no numbers here\nloss 3.5 speed 20\nacc 70\n");
        QVERIFY(view().hasFocus() || QTest::qWaitForWindowActive(m_dialog.get(), kPatienceMs));
        view().setFocus();
        QCOMPARE(view().current()->number.value, 3.5);
        QTest::keyClick(&view(), Qt::Key_Right);
        QCOMPARE(view().current()->number.value, 20.0);
        QTest::keyClick(&view(), Qt::Key_Return);
        QCOMPARE(parse().patterns.at("throughput"), std::string("speed {number}"));
        QTest::keyClick(&view(), Qt::Key_Down);
        QTest::keyClick(&view(), Qt::Key_Space);
        QCOMPARE(parse().patterns.at("val_acc"), std::string("acc {number}"));
        QTest::keyClick(&view(), Qt::Key_Up);
        QTest::keyClick(&view(), Qt::Key_Left);
        QVERIFY(view().current()->number.value == 3.5);
        QTest::keyClick(&view(), Qt::Key_Tab);
        QVERIFY2(!view().hasFocus(), "Tab leaves the output");
    }

    void offersTheLineThatHasTheName()
    {
        open("Throughput: 264.2 img/s\nval acc 80.57 %\n");
        auto* offer = m_dialog->findChild<QPushButton*>("offer-throughput");
        QVERIFY(offer->isVisible());
        QVERIFY2(offer->text().contains("Throughput: 264.2 img/s"), qPrintable(offer->text()));
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(parse().patterns.at("throughput"), std::string("Throughput: {number}"));
        QCOMPARE(parse().patterns.at("val_acc"), std::string("acc {number}"));
        QVERIFY(text("trialState").startsWith("✓"));
        QVERIFY(!offer->isVisible());
    }

    void takesTheLastOfLinesThatSayTheSame()
    {
        open("epoch 1 acc 10\nepoch 2 acc 20\nepoch 3 acc 30\n");
        m_dialog->findChild<QRadioButton*>("choose-val_acc")->setChecked(true);
        clickOn("10");
        QCOMPARE(parse().patterns.at("val_acc"), std::string("acc {number}"));
        QCOMPARE(text("value-val_acc"), QString("✓ 30"));
    }

    void undoesAPattern()
    {
        const study::ParseSpec before{.kind = study::ParseSpec::Kind::Regex,
                                      .patterns = {{"throughput", "x {number}"}, {"val_acc", "y {number}"}}};
        open("speed 3\nrate 4\n", before);
        auto* undo = m_dialog->findChild<QPushButton*>("trialUndo");
        QVERIFY(!undo->isVisible());
        clickOn("3");
        QCOMPARE(parse().patterns.at("val_acc"), std::string("y {number}"));
        QVERIFY(undo->isVisible());
        QTest::mouseClick(undo, Qt::LeftButton);
        QCOMPARE(parse(), before);
        QVERIFY(!undo->isVisible());
    }

    void leavesSelectedTextAlone()
    {
        open("speed 12345\n");
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, placeOf("speed"));
        QTest::mouseMove(view().viewport(), placeOf("12345"));
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, placeOf("12345"));
        if (view().textCursor().hasSelection())
            QCOMPARE(m_chosen->count(), 0);
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, QPoint(view().viewport()->width() - 5, 5));
        QVERIFY2(m_chosen->count() == 0, "beyond the end of the line there is no number");
    }

    void keepsTheReasonOfAProgramThatFailed()
    {
        open("speed 3\n");
        run::TrialReport broken = report("speed 3\n");
        broken.run.failure = study::Failure{"exit-status", "exit status 3", {}};
        m_dialog->setReport(broken);
        clickOn("3");
        QVERIFY2(!text("trialState").startsWith("✓"), "the program did not do its work");
    }

    /// The program cannot report its scaling efficiency, and nobody is asked to click on a number for it.
    void asksForNoResponseOfTheBaselines()
    {
        study::Study study = tried({.kind = study::ParseSpec::Kind::Protocol});
        study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 2}};
        study.responses = {{.name = "tokens_per_sec", .unit = "tok/s"},
                           {.name = "scaling_efficiency", .unit = "%"}};
        m_dialog = std::make_unique<TrialDialog>(study, study::Settings{{"gpus", 1.0}});
        run::TrialReport report;
        report.output = "step 0 loss 7.412\n";
        report.run.status = study::RunStatus::Done;
        report.run.results = {{"tokens_per_sec", 1205.0463676403342}};
        m_dialog->setReport(report);
        m_dialog->show();
        QCOMPARE(text("value-tokens_per_sec"), QString("✓ 1205.046 tok/s"));
        QVERIFY(text("trialState").startsWith("✓"));
        QVERIFY(text("value-scaling_efficiency").contains("baselines"));
        QVERIFY(!m_dialog->findChild<QRadioButton*>("choose-scaling_efficiency")->isEnabled());
        QCOMPARE(text("trialHint"), QString("What the program printed:"));
    }

private:
    static study::Study tried(study::ParseSpec parse)
    {
        study::Study study;
        study.factors = {{.name = "batch"}};
        study.responses = {{.name = "throughput", .unit = "img/s"}, {.name = "val_acc"}};
        study.benchmark.workload = "command";
        study.benchmark.argv = {"train", "{batch}"};
        study.benchmark.parse = std::move(parse);
        return study;
    }
    static run::TrialReport report(const std::string& output)
    {
        run::TrialReport report;
        report.run.failure = study::Failure{"missing-result", "no value was found", {}};
        report.output = output;
        report.standardOutput = output;
        return report;
    }
    void open(const std::string& output, study::ParseSpec parse = {.kind = study::ParseSpec::Kind::LastJson})
    {
        m_dialog = std::make_unique<TrialDialog>(tried(std::move(parse)), study::Settings{{"batch", 8.0}});
        m_chosen = std::make_unique<QSignalSpy>(m_dialog.get(), &TrialDialog::parseChosen);
        m_dialog->setReport(report(output));
        m_dialog->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_dialog.get(), kPatienceMs));
    }
    OutputView& view() { return *m_dialog->findChild<OutputView*>("trialOutput"); }
    QString text(const char* label) { return m_dialog->findChild<QLabel*>(QLatin1String(label))->text(); }
    study::ParseSpec parse() { return m_chosen->back().front().value<study::ParseSpec>(); }
    /// In the midst of this text, the nth of them.
    QPoint placeOf(const QString& wanted)
    {
        QTextCursor cursor = view().document()->find(wanted);
        cursor.setPosition(cursor.selectionStart() + int(wanted.size()) / 2);
        return view().cursorRect(cursor).center();
    }
    void clickOn(const QString& number)
    {
        QTest::mouseClick(view().viewport(), Qt::LeftButton, {}, placeOf(number));
    }

    std::unique_ptr<TrialDialog> m_dialog;
    std::unique_ptr<QSignalSpy> m_chosen;
};

QUADRIC_QT_TEST(TrialDialogTest)
#include "trial_dialog_test.moc"
