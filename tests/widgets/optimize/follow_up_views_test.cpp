// SPDX-License-Identifier: GPL-3.0-or-later
// The views whose answers take longer than a frame: they follow in the background, for the newest goals only.
#include "core/optimize/next/chosen_limits.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/typed_value.h"
#include "widgets/optimize/answer_bar.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/optimize/views/next_runs_view.h"
#include "widgets/optimize/views/robust_view.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

using namespace quadric;
using namespace quadric::widgets;

namespace {

struct ShownTab {
    OptimizePage page;
    QSignalSpy changes{&page, &Page::changeRequested};

    explicit ShownTab(const QString& tab, const study::Study& study = example())
    {
        page.setContext(contextOf(study));
        page.resize(1100, 760);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
        auto* tabs = page.findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == tab)
                tabs->setCurrentIndex(i);
    }
    template <typename Widget> Widget* child(const char* name) const
    {
        return page.findChild<Widget*>(QLatin1String(name));
    }
    QString text(const char* name) const { return child<SteadyLabel>(name)->text(); }
    void setWeight(int tenths)
    {
        named<QSlider>(page, QStringLiteral("Weight of images_per_sec"))->setValue(tenths);
    }
};

/// What the page answers for the study.
Answer answerOf(const study::Study& study)
{
    OptimizeSession session;
    session.setContext(contextOf(study));
    return session.answer();
}

study::Study limited()
{
    study::Study study = example();
    study.responses[0].low = 15'000.0; // images_per_sec
    study.responses[1].low = 90.0;     // scaling_efficiency
    return study;
}

} // namespace

class FollowUpViewsTest : public QObject {
    Q_OBJECT

private slots:
    /// Requests come faster than they can be answered: what is delivered is always the newest.
    void onlyTheNewestRequestIsAnswered()
    {
        FollowUp<int> follow(5);
        std::vector<int> delivered;
        std::atomic<int> begun = 0;
        int asked = 0;
        for (int i = 0; i < 60; ++i) {
            asked = i;
            follow.start(
                [i, &begun](std::stop_token) {
                    ++begun;
                    std::this_thread::sleep_for(std::chrono::milliseconds(4 + i % 3));
                    return i;
                },
                [&](int result) {
                    QCOMPARE(result, asked);
                    delivered.push_back(result);
                });
            QTest::qWait(i % 7);
        }
        QTRY_VERIFY(!follow.isBusy());
        QCOMPARE(delivered.back(), 59);
        QVERIFY(std::is_sorted(delivered.begin(), delivered.end()));
        QVERIFY(begun < 60);
    }

    void theProbabilityHereIsThereAtOnceAndTheSurestSettingFollows()
    {
        ShownTab shown(QStringLiteral("Probability of meeting limits"), limited());
        QVERIFY(shown.text("probabilityHere").contains(QStringLiteral("%")));
        QTRY_VERIFY(shown.text("probabilityBest").startsWith(QStringLiteral("Most robust setting")));
        const QString sentence = shown.text("recommendation");
        QTest::mouseClick(shown.child<QWidget>("lookAtRobust"), Qt::LeftButton);
        QVERIFY(shown.text("recommendation") != sentence);
        QVERIFY(!shown.child<QWidget>("lookAtRobust")->isEnabled());
        shown.setWeight(45); // the surest setting of the old goals is not shown under the new ones
        QVERIFY(shown.text("probabilityBest").startsWith(QStringLiteral("Searching")));
        QTRY_VERIFY(shown.text("probabilityBest").startsWith(QStringLiteral("Most robust setting")));
    }

    void withoutALimitThereIsNoProbabilityOfMeetingIt()
    {
        ShownTab shown(QStringLiteral("Solutions"));
        const auto isShown = [&shown] {
            QMenu* menu = shown.child<QToolButton>("more")->menu();
            emit menu->aboutToShow();
            return std::ranges::any_of(menu->actions(), [](const QAction* action) {
                return action->text() == QStringLiteral("Probability of meeting limits");
            });
        };
        QVERIFY(!isShown());
        shown.page.setContext(contextOf(limited()));
        QVERIFY(isShown());
    }

    void settingsThatVaryLowerTheProbability()
    {
        ShownTab shown(QStringLiteral("Probability of meeting limits"), limited());
        QTRY_VERIFY(shown.text("probabilityBest").startsWith(QStringLiteral("Most robust setting")));
        const QString exact = shown.text("probabilityHere");
        ValueField* field = nullptr;
        for (ValueField* each : shown.page.findChildren<ValueField*>())
            if (each->isVisible() &&
                each->accessibleName() == QStringLiteral("Standard deviation of gpu_count"))
                field = each;
        QVERIFY(field != nullptr);
        QCOMPARE(field->text(), QStringLiteral("exact"));
        field->edit();
        QTest::keyClicks(field, QStringLiteral("-3"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isEdited() && shown.changes.isEmpty()); // refused
        QTest::keyClicks(field, QStringLiteral("12"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(shown.changes.count(), 1);
        QCOMPARE(optimize::readVariation(shown.changes[0][0].value<study::Study>()),
                 (optimize::Variation{{"gpu_count", 12.0}}));
        QVERIFY(field->text().startsWith(QStringLiteral("12")));
        QVERIFY(shown.text("probabilityHere") != exact);
        QVERIFY2(shown.text("probabilityHere")
                     .contains(QStringLiteral("Settings vary by a standard deviation of gpu_count 12")),
                 qPrintable(shown.text("probabilityHere")));
    }

    void theTimeIsSpentOnRunsThatGainMost()
    {
        ShownTab shown(QStringLiteral("Next runs"));
        QSignalSpy asked(&shown.page, &OptimizePage::goOnRequested);
        auto* table = shown.child<QTableView>("nextRuns");
        auto* minutes = shown.child<QSpinBox>("nextRunsMinutes");
        QCOMPARE(minutes->value(), 20);
        QVERIFY(minutes->isVisible() && !shown.child<QSpinBox>("nextRunsCount")->isVisible());
        QTRY_VERIFY(!shown.text("nextRunsText").startsWith(QStringLiteral("Searching")));
        if (table->model()->rowCount() > 0) {
            const int columns = table->model()->columnCount();
            QCOMPARE(table->model()->headerData(columns - 4, Qt::Horizontal).toString(),
                     QStringLiteral("May gain"));
        }
        minutes->setValue(3);
        QTest::mouseClick(shown.child<QWidget>("goOn"), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toDouble(), 180.0);
    }

    void triedRunsAreListedWithTheirReasons()
    {
        ShownTab shown(QStringLiteral("Next runs"));
        QVERIFY(!shown.child<QTableView>("triedRuns")->isVisible());
        TriedRuns tried{.reasons = {{.run = example().runs[0].id, .gain = 0.031, .runsProbability = 0.93},
                                    {.run = example().runs[1].id, .isConfirming = true}},
                        .end = QStringLiteral("Stop here: enough."),
                        .spent = 60.0,
                        .budget = 1200.0};
        shown.page.showTried(tried);
        auto* table = shown.child<QTableView>("triedRuns");
        QVERIFY(table->isVisible());
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(table->model()->index(0, 0).data().toString(), QString::number(example().runs[1].id));
        QVERIFY(shown.text("triedText").startsWith(QStringLiteral("2 runs tried")));
        QVERIFY(shown.text("triedText").endsWith(QStringLiteral("Stop here: enough.")));
    }

    void aFailedConfirmationMovesTheAnswerAndThePageSaysSo()
    {
        ShownTab shown(QStringLiteral("Solutions"));
        QVERIFY(!shown.child<QLabel>("facts")->text().contains(QStringLiteral("result")));
        const study::Study before = example();
        const optimize::Optimum best = optimize::findOptimum(before, contextOf(before)->fits);
        study::Study after = study::withRuns(before, {best.settings}, study::RunKind::Confirmation);
        after.runs.back().status = study::RunStatus::Failed;
        after.runs.back().failure = study::Failure{"out-of-memory", ""};
        shown.page.setContext(contextOf(after));
        const auto facts = collectFacts(answerOf(after), {});
        QVERIFY(std::ranges::any_of(facts, [](const AnswerFact& fact) {
            return fact.reasons.join(QLatin1Char(' ')).contains(QStringLiteral("the answer has moved"));
        }));
        QVERIFY(!shown.text("recommendation").contains(settingsText(before, best.settings)));
        auto* table = shown.child<QTableView>("solutions");
        QStringList columns;
        for (int i = 0; i < table->model()->columnCount(); ++i)
            columns << table->model()->headerData(i, Qt::Horizontal).toString();
        QVERIFY2(columns.contains(QStringLiteral("P(runs)")), qPrintable(columns.join(QLatin1Char(','))));
        QVERIFY(shown.child<QLabel>("region")->text().contains(QStringLiteral("gave no result")));
        QMenu* menu = shown.child<QToolButton>("more")->menu();
        emit menu->aboutToShow();
        menu->actions().back()->trigger();
        auto* limit = shown.page.findChild<QInputDialog*>();
        QVERIFY(limit != nullptr);
        QCOMPARE(limit->intValue(), 90);
        limit->setIntValue(50);
        limit->accept();
        QCOMPARE(shown.changes.count(), 1);
        QCOMPARE(optimize::readLeastRunsProbability(shown.changes[0][0].value<study::Study>()), 0.5);
    }

    void proposedRunsAreAddedAsChosen()
    {
        ShownTab shown(QStringLiteral("Next runs"));
        QSignalSpy steps(&shown.page, &Page::stepRequested);
        auto* table = shown.child<QTableView>("nextRuns");
        auto* chooser = shown.child<QComboBox>("nextRunsFor");
        QTRY_VERIFY(shown.text("nextRunsText").contains(QStringLiteral("further run")) ||
                    table->model()->rowCount() > 0);
        QCOMPARE(chooser->count(), 2);
        chooser->setCurrentIndex(1); // a number of runs
        emit chooser->activated(1);
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(!shown.child<QWidget>("addNextRuns")->isEnabled());
        QVERIFY(shown.child<QSpinBox>("nextRunsCount")->isVisible());
        QVERIFY(!shown.child<QWidget>("goOn")->isVisible());
        QTRY_COMPARE(table->model()->rowCount(), 4);
        shown.child<QSpinBox>("nextRunsCount")->setValue(2);
        QTRY_COMPARE(table->model()->rowCount(), 2);
        QTest::mouseClick(shown.child<QWidget>("addNextRuns"), Qt::LeftButton);
        QCOMPARE(shown.changes.count(), 1);
        QCOMPARE(shown.changes[0][1].toString(), QStringLiteral("Add 2 runs"));
        const auto after = shown.changes[0][0].value<study::Study>();
        QCOMPARE(after.runs.size(), example().runs.size() + 2);
        QVERIFY(study::validate(after).empty());
        for (std::size_t i = example().runs.size(); i < after.runs.size(); ++i) {
            QCOMPARE(after.runs[i].kind, study::RunKind::Augment);
            QCOMPARE(after.runs[i].status, study::RunStatus::Pending);
        }
        QCOMPARE(steps.count(), 1);
        QCOMPARE(steps[0][0].value<Step>(), Step::Run);
    }
};

QUADRIC_QT_TEST(FollowUpViewsTest)
#include "follow_up_views_test.moc"
