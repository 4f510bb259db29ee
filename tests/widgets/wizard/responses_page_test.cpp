// SPDX-License-Identifier: GPL-3.0-or-later
// Responses that no program prints: offered by the page, or typed as expressions.
#include "core/study/derived.h"
#include "tests/support/qt_tests.h"
#include "widgets/wizard/forms/workload_form.h"
#include "widgets/wizard/question_pages.h"
#include "widgets/wizard/sheets/response_table_model.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTest>

using namespace quadric;
using widgets::ResponsesPage;

class ResponsesPageTest : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        study::Study study;
        study.benchmark.workload = "command";
        study.factors = {{.name = "gpus", .low = 1, .high = 8}};
        study.responses = {{.name = "tokens_per_sec", .unit = "tok/s"}, {.name = "per_gpu"}};
        m_page = std::make_unique<ResponsesPage>();
        connect(m_page.get(), &ResponsesPage::edited, this,
                [this](const study::Study& after) { show(after); });
        show(study);
        m_page->resize(900, 500);
        m_page->show();
    }

    void offersWhatTheRunnerTellsOfACommand()
    {
        QStringList names;
        for (const widgets::OfferedResponse& offer : widgets::offeredResponses(m_study))
            names << QString::fromStdString(offer.response.name);
        QCOMPARE(names, QStringList({"energy_joules", "power_w", "gpu_memory_peak_mib", "run_seconds",
                                     "scaling_efficiency", "speed_up", "joules_per_item", "speed_per_gpu",
                                     "cost_per_million"}));
        m_study.benchmark.workload = "builtin";
        QVERIFY(widgets::offeredResponses(m_study).empty());
        m_page->setStudy(m_study);
        QVERIFY(!find<QPushButton>("offeredResponses")->isVisible());
    }

    void anOfferIsAddedWithItsExpression()
    {
        auto* button = find<QPushButton>("offeredResponses");
        QVERIFY(button->isVisible());
        emit button->menu()->aboutToShow();
        for (QAction* action : button->menu()->actions()) {
            if (action->text() == "Speed per GPU")
                action->trigger();
        }
        QCOMPARE(m_study.responses.back().name, std::string("speed_per_gpu"));
        QCOMPARE(study::expressionOf(m_study, "speed_per_gpu"), std::string("tokens_per_sec / gpus"));
        QCOMPARE(find<QLineEdit>("expression")->text(), QString("tokens_per_sec / gpus"));
    }

    void anExpressionIsTakenOrRefusedWithItsColumn()
    {
        auto* table = find<QTableView>("responseTable");
        study::Study done = m_study;
        done.runs = {{.id = 1,
                      .order = 1,
                      .settings = {{"gpus", 2.0}},
                      .status = study::RunStatus::Done,
                      .results = {{"tokens_per_sec", 10.0}}}};
        show(done);
        table->setCurrentIndex(table->model()->index(1, 0));
        typeExpression("tokens_per_sec / gpus");
        QCOMPARE(study::expressionOf(m_study, "per_gpu"), std::string("tokens_per_sec / gpus"));
        QCOMPARE(m_study.runs.front().results.at("per_gpu"), 5.0);
        typeExpression("tokens_per_sec /");
        auto* note = find<QLabel>("expressionProblem");
        QVERIFY(note->isVisible());
        QVERIFY2(note->text().contains("Column 18"), qPrintable(note->text()));
        QCOMPARE(study::expressionOf(m_study, "per_gpu"), std::string("tokens_per_sec / gpus"));
        typeExpression("");
        QVERIFY(study::derivedResults(m_study).empty());
        QVERIFY(!note->isVisible());
    }

    void aRenamedResponseKeepsItsExpression()
    {
        auto* table = find<QTableView>("responseTable");
        table->setCurrentIndex(table->model()->index(1, 0));
        typeExpression("tokens_per_sec / gpus");
        QVERIFY(table->model()->setData(table->model()->index(0, 0), QStringLiteral("speed"), Qt::EditRole));
        QCOMPARE(study::expressionOf(m_study, "per_gpu"), std::string("speed / gpus"));
        QVERIFY(table->model()->setData(table->model()->index(1, 0), QStringLiteral("each"), Qt::EditRole));
        QCOMPARE(study::expressionOf(m_study, "each"), std::string("speed / gpus"));
    }

    /// A search of Qt forgets what was typed before a pause: "mize" alone would be minimize.
    void aGoalIsTypedHoweverSlowly()
    {
        auto* table = find<QTableView>("responseTable");
        const QModelIndex goal = table->model()->index(0, widgets::ResponseTableModel::GoalColumn);
        table->setCurrentIndex(goal);
        table->edit(goal);
        auto* choice = table->findChild<QComboBox*>();
        QVERIFY(choice);
        QTest::keyClicks(choice, "maxi");
        QTest::qWait(QApplication::keyboardInputInterval() + 100);
        QTest::keyClicks(choice, "mize");
        QCOMPARE(choice->currentText(), QStringLiteral("maximize"));
        QTest::keyClicks(choice, "min");
        QCOMPARE(choice->currentText(), QStringLiteral("minimize"));
        table->setCurrentIndex(table->model()->index(0, 0)); // ends the editing, while the page is there
        QTRY_VERIFY(!table->findChild<QComboBox*>());
    }

private:
    template <typename Widget> Widget* find(const char* name) const
    {
        return m_page->findChild<Widget*>(QLatin1String(name));
    }

    void show(const study::Study& study)
    {
        m_study = study;
        m_page->setStudy(study);
    }

    void typeExpression(const QString& text)
    {
        auto* field = find<QLineEdit>("expression");
        field->setFocus();
        field->setText(text);
        QTest::keyClick(field, Qt::Key_Return);
    }

    study::Study m_study;
    std::unique_ptr<ResponsesPage> m_page;
};

QUADRIC_QT_TEST(ResponsesPageTest)
#include "responses_page_test.moc"
