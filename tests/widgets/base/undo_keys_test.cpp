// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/base/application_behavior.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMainWindow>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>

using namespace quadric::widgets;

/// A window with an action of Undo, and fields that may keep its keys.
class UndoKeysTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_window = std::make_unique<QMainWindow>();
        new UndoKeys(m_window.get());
        auto* fields = new QWidget;
        auto* layout = new QVBoxLayout(fields);
        layout->addWidget(m_whole = new QSpinBox);
        layout->addWidget(m_real = new QDoubleSpinBox);
        layout->addWidget(m_line = new QLineEdit);
        layout->addWidget(m_combo = new QComboBox);
        layout->addWidget(m_text = new QPlainTextEdit);
        m_whole->setKeyboardTracking(false);
        m_combo->setEditable(true);
        m_combo->addItems({QStringLiteral("one"), QStringLiteral("two")});
        m_window->setCentralWidget(fields);
        m_undone = m_redone = 0;
        auto* undo = m_window->addAction(QStringLiteral("Undo"), QKeySequence(Qt::CTRL | Qt::Key_Z), this,
                                         [this] { ++m_undone; });
        m_window->addAction(QStringLiteral("Redo"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), this,
                            [this] { ++m_redone; });
        QVERIFY(undo);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get(), quadric::kPatienceMs));
    }

    void untouchedFieldsKeepNothing()
    {
        int pressed = 0;
        for (QWidget* field : std::initializer_list<QWidget*>{m_whole, m_real, m_line, m_combo, m_text}) {
            press(*field, Qt::ControlModifier);
            QCOMPARE(m_undone, ++pressed);
            press(*field, Qt::ControlModifier | Qt::ShiftModifier);
            QCOMPARE(m_redone, pressed);
        }
    }

    void whatIsBeingTypedIsTakenBackFirst()
    {
        m_line->setFocus();
        QTest::keyClicks(m_line, "abc");
        press(*m_line, Qt::ControlModifier);
        QCOMPARE(m_undone, 0);
        QVERIFY(m_line->text() != QStringLiteral("abc"));
        press(*m_line, Qt::ControlModifier);
        press(*m_line, Qt::ControlModifier);
        QVERIFY(m_undone > 0);

        m_undone = 0;
        m_text->setFocus();
        QTest::keyClicks(m_text, "abc");
        press(*m_text, Qt::ControlModifier);
        QCOMPARE(m_undone, 0);
    }

    /// Then the study has the number, and the study's undo takes it back.
    void aNumberThatIsEnteredIsNotKept()
    {
        m_whole->setFocus();
        m_whole->selectAll();
        QTest::keyClicks(m_whole, "7");
        press(*m_whole, Qt::ControlModifier);
        QCOMPARE(m_undone, 0);
        m_whole->selectAll();
        QTest::keyClicks(m_whole, "8");
        QTest::keyClick(m_whole, Qt::Key_Return);
        QCOMPARE(m_whole->value(), 8);
        press(*m_whole, Qt::ControlModifier);
        QCOMPARE(m_undone, 1);
        QCOMPARE(m_whole->value(), 8);
    }

    void aTextThatIsOnlyReadKeepsNothing()
    {
        m_text->setPlainText(QStringLiteral("a log"));
        m_text->setReadOnly(true);
        press(*m_text, Qt::ControlModifier);
        QCOMPARE(m_undone, 1);
    }

private:
    static void press(QWidget& field, Qt::KeyboardModifiers modifiers)
    {
        field.setFocus();
        QTest::keyClick(&field, Qt::Key_Z, modifiers);
    }

    std::unique_ptr<QMainWindow> m_window;
    QSpinBox* m_whole = nullptr;
    QDoubleSpinBox* m_real = nullptr;
    QLineEdit* m_line = nullptr;
    QComboBox* m_combo = nullptr;
    QPlainTextEdit* m_text = nullptr;
    int m_undone = 0, m_redone = 0;
};

QUADRIC_QT_TEST(UndoKeysTest)
#include "undo_keys_test.moc"
