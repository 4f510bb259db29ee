// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/find_optimum.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/wording.h"

#include <QLineEdit>
#include <QSet>
#include <QSignalSpy>
#include <QSlider>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

QSlider* weightSlider(const QWidget& page, const QString& response)
{
    return named<QSlider>(page, QStringLiteral("Weight of ") + response);
}

QString textOf(const QWidget& page, const char* name)
{
    return page.findChild<SteadyLabel*>(QLatin1String(name))->text();
}

/// The page on the screen, with somebody who answers its requests as the editor does.
struct Shown {
    OptimizePage page;
    ContextPointer context;
    QSignalSpy changes{&page, &Page::changeRequested};

    explicit Shown(study::Study study = example())
        : context(contextOf(std::move(study)))
    {
        QObject::connect(&page, &Page::changeRequested, &page, [this](const study::Study& after) {
            context = contextOf(after);
            page.setContext(context);
        });
        page.setContext(context);
        page.resize(1100, 760);
        page.show();
        (void)QTest::qWaitForWindowExposed(&page);
    }
    template <typename Widget> Widget* child(const char* name) const
    {
        return page.findChild<Widget*>(QLatin1String(name));
    }
    void showTab(const QString& title)
    {
        auto* tabs = page.findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i)
            if (tabs->tabText(i) == title)
                tabs->setCurrentIndex(i);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), title);
    }
};

QString cellsOf(const QTableView& table)
{
    QStringList cells;
    for (int row = 0; row < table.model()->rowCount(); ++row)
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells << table.model()->index(row, column).data().toString();
    return cells.join(QLatin1Char('|'));
}

} // namespace

class OptimizePageTest : public QObject {
    Q_OBJECT

private slots:
    void theRecommendationIsTheOptimum()
    {
        const ContextPointer context = contextOf(example());
        OptimizePage page;
        page.setContext(context);
        const optimize::Optimum best = optimize::findOptimum(context->study, context->fits);
        QVERIFY(best.isOk());
        const QString text = textOf(page, "recommendation");
        QVERIFY2(text.startsWith(QStringLiteral("Best setting: ") + recommendationText(context->study, best)),
                 qPrintable(text));
    }

    void filesOfPicturesAreNamedAfterStudyViewAndResponse()
    {
        OptimizePage page;
        page.setContext(contextOf(example()));
        const auto nameOf = [&page](const char* plot) {
            return pictureName(*page.findChild<Plot*>(QLatin1String(plot)), QStringLiteral("pdf"));
        };
        QCOMPARE(nameOf("desirability:images_per_sec"),
                 QStringLiteral("ResNet-50-scaling-15-runs-desirability-images_per_sec.pdf"));
        QCOMPARE(nameOf("profiler"), QStringLiteral("ResNet-50-scaling-15-runs-profiler.pdf"));
    }

    void confirmingAsksForAsManyRunsAsChosen()
    {
        Shown shown;
        QSignalSpy confirms(&shown.page, &OptimizePage::confirmRequested);
        QTest::mouseClick(buttonWith(shown.page, QStringLiteral("Confirm with 3 runs")), Qt::LeftButton);
        QCOMPARE(confirms.count(), 1);
        const optimize::Optimum best = optimize::findOptimum(shown.context->study, shown.context->fits);
        QVERIFY(confirms[0][0].value<study::Settings>() == best.settings);
        QCOMPARE(confirms[0][1].toInt(), 3);
        shown.child<QSpinBox>("confirmRuns")->setValue(5);
        QTest::mouseClick(buttonWith(shown.page, QStringLiteral("Confirm with 5 runs")), Qt::LeftButton);
        QCOMPARE(confirms[1][1].toInt(), 5);
    }

    void oneDragIsOneUndoStep()
    {
        Shown shown;
        QSlider* slider = weightSlider(shown.page, QStringLiteral("images_per_sec"));
        slider->setSliderDown(true);
        slider->setValue(20);
        slider->setValue(30);
        slider->setSliderDown(false);
        slider->setSliderDown(true);
        slider->setValue(40);
        slider->setSliderDown(false);
        QCOMPARE(shown.changes.count(), 3);
        QCOMPARE(shown.changes[0][0].value<study::Study>().responses[0].weight, 2.0);
        QCOMPARE(shown.changes[1][0].value<study::Study>().responses[0].weight, 3.0);
        QCOMPARE(shown.changes[2][0].value<study::Study>().responses[0].weight, 4.0);
        const QString key = shown.changes[0][2].toString();
        QVERIFY(key.startsWith(QStringLiteral("weight:images_per_sec:")));
        QCOMPARE(shown.changes[1][2].toString(), key);
        QVERIFY(shown.changes[2][2].toString() != key);
    }

    void theSentenceFollowsTheSlider()
    {
        Shown shown;
        study::Study changed = shown.context->study;
        weightSlider(shown.page, QStringLiteral("images_per_sec"))->setValue(30);
        changed.responses[0].weight = 3.0;
        const QString best = recommendationText(changed, optimize::findOptimum(changed, shown.context->fits));
        QVERIFY(textOf(shown.page, "recommendation").startsWith(QStringLiteral("Best setting: ") + best));
    }

    void everythingMovesInTheSameTurn_data()
    {
        QTest::addColumn<QString>("tab");
        for (const char* tab : {"Contour profiler", "Ramps", "Solutions"})
            QTest::newRow(tab) << QString::fromLatin1(tab);
    }

    /// Nothing waits for the event loop: right after the slider's signal all of it shows the new answer.
    void everythingMovesInTheSameTurn()
    {
        QFETCH(QString, tab);
        Shown shown;
        shown.showTab(tab);
        QWidget* below = shown.page.findChild<QTabWidget*>()->currentWidget();
        auto* profiler = shown.child<Profiler>("profiler");
        auto* curve = shown.child<DesirabilityCurve>("desirability:scaling_efficiency");
        const QString sentence = textOf(shown.page, "recommendation");
        const QString prediction = textOf(shown.page, "prediction:scaling_efficiency");
        const QString sacrifice = textOf(shown.page, "sacrifice:scaling_efficiency");
        const QImage before[] = {profiler->grab().toImage(), curve->grab().toImage(),
                                 below->grab().toImage()};
        weightSlider(shown.page, QStringLiteral("images_per_sec"))->setValue(50);
        QVERIFY(textOf(shown.page, "recommendation") != sentence);
        QVERIFY(textOf(shown.page, "prediction:scaling_efficiency") != prediction);
        QVERIFY(textOf(shown.page, "sacrifice:scaling_efficiency") != sacrifice);
        QVERIFY(profiler->grab().toImage() != before[0]);
        QVERIFY(curve->grab().toImage() != before[1]);
        QVERIFY(below->grab().toImage() != before[2]);
    }

    void whatTheBestOwesToItsChoiceFollowsInTheBackground()
    {
        study::Study study = example();
        study.responses[1].goal = study::Goal::None;
        for (study::Run& run : study.runs) // noise alone: the best of it owes most to its choice
            run.results[study.responses[0].name] = 1000.0 + 100.0 * std::sin(3.0 * run.id);
        study.model[study.responses[0].name] = "quadratic";
        Shown shown(std::move(study));
        QTRY_VERIFY_WITH_TIMEOUT(
            textOf(shown.page, "correction").contains(QStringLiteral("after correction")), kPatienceMs);
        const QString corrected = textOf(shown.page, "correction");
        auto* profiler = shown.child<Profiler>("profiler");
        for (const auto key : {Qt::Key_Left, Qt::Key_Right}) // one of them leaves the optimum
            if (!textOf(shown.page, "correction").isEmpty())
                QTest::keyClick(profiler, key);
        QCOMPARE(textOf(shown.page, "correction"), QString());
        shown.showTab(QStringLiteral("Solutions"));
        auto* table = shown.child<QTableView>("solutions");
        const QPoint first = table->visualRect(table->model()->index(0, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(textOf(shown.page, "correction"), corrected);
    }

    void pickingASolutionMovesTheProfiler()
    {
        Shown shown;
        shown.showTab(QStringLiteral("Solutions"));
        auto* table = shown.child<QTableView>("solutions");
        const QString best = textOf(shown.page, "recommendation");
        const QString cells = cellsOf(*table);
        QTest::keyClick(shown.child<Profiler>("profiler"), Qt::Key_Left);
        const QString beside = textOf(shown.page, "recommendation");
        QVERIFY(beside != best);
        QCOMPARE(cellsOf(*table), cells);
        const QPoint first = table->visualRect(table->model()->index(0, 0)).center();
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, first);
        QCOMPARE(textOf(shown.page, "recommendation"), best);
    }

    void theWayBackLeadsToTheOptimum()
    {
        Shown shown;
        auto* back = shown.child<QAbstractButton>("backToOptimum");
        QVERIFY(!back->isEnabled());
        const QString best = textOf(shown.page, "recommendation");
        QTest::keyClick(shown.child<Profiler>("profiler"), Qt::Key_Left);
        QVERIFY(back->isEnabled());
        QTest::mouseClick(back, Qt::LeftButton);
        QCOMPARE(textOf(shown.page, "recommendation"), best);
    }

    void pickingAPointOfTheFrontMovesTheProfiler()
    {
        Shown shown;
        shown.showTab(QStringLiteral("Pareto front"));
        auto* front = shown.child<Plot>("front");
        const QString sentence = textOf(shown.page, "recommendation");
        QTRY_VERIFY(
            (QTest::keyClick(front, Qt::Key_Right), textOf(shown.page, "recommendation") != sentence));
    }

    void contoursFollowTheCrosshairUntilTheyAreFixed()
    {
        Shown shown;
        shown.showTab(QStringLiteral("Contour profiler"));
        auto* map = shown.child<Plot>("contourProfiler");
        auto* typed = shown.child<QLineEdit>("contourValue:images_per_sec");
        const QString sentence = textOf(shown.page, "recommendation"), value = typed->text();
        QTest::keyClick(map, Qt::Key_Left);
        QVERIFY(textOf(shown.page, "recommendation") != sentence);
        QVERIFY(typed->text() != value);
        const auto type = [typed](const QString& text) {
            typed->selectAll();
            QTest::keyClicks(typed, text);
            QTest::keyClick(typed, Qt::Key_Return);
        };
        type(QStringLiteral("500"));
        QTest::keyClick(map, Qt::Key_Left);
        QCOMPARE(typed->text(), QStringLiteral("500"));
        type(QStringLiteral("much"));
        QCOMPARE(typed->text(), QStringLiteral("500"));
    }

    void aSmallSurfaceTakesTheMapsPlaceAndGivesItBack()
    {
        Shown shown;
        shown.showTab(QStringLiteral("Contour profiler"));
        auto* map = shown.child<Plot>("contourProfiler");
        auto* small = shown.child<Plot>("smallSurfaces");
        QVERIFY(map->isVisible() && small->isVisible());
        QTest::mouseClick(small, Qt::LeftButton, {}, {30, 50});
        QVERIFY(!map->isVisible() && shown.child<Plot>("largeSurface")->isVisible());
        QTest::mouseClick(small, Qt::LeftButton, {}, {30, 50});
        QVERIFY(map->isVisible());
    }

    void handlesOfTheDesirabilityChangeTheGoal()
    {
        Shown shown;
        auto* curve = shown.child<DesirabilityCurve>("desirability:images_per_sec");
        curve->setFocus();
        const QString sentence = textOf(shown.page, "recommendation");
        QTest::keyClick(curve, Qt::Key_Right); // the lower limit
        QCOMPARE(shown.changes.count(), 1);
        const auto limited = shown.changes[0][0].value<study::Study>().responses[0];
        QVERIFY(limited.low.has_value() && limited.high.has_value());
        QTest::keyClick(curve, Qt::Key_Up); // the exponent
        for (int i = 0; i < 5; ++i)
            QTest::keyClick(curve, Qt::Key_Right);
        QCOMPARE(shown.changes.count(), 6);
        const auto shaped = shown.changes.last()[0].value<study::Study>().responses[0];
        QCOMPARE(shaped.shape.size(), std::size_t(1));
        QVERIFY(std::abs(shaped.shape.front() - 1.5) < 1e-9);
        QVERIFY(textOf(shown.page, "recommendation") != sentence);
    }

    /// Which lies beyond all runs, and which the search has used.
    void theCurveEndsAtTheOwnBestOfTheModel()
    {
        const auto context = std::make_shared<StudyContext>(*contextOf(example()));
        context->fits = optimize::fitForGoals(context->study);
        OptimizePage page;
        const QSignalSpy changes(&page, &Page::changeRequested);
        page.setContext(context);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatienceMs));
        const double end = optimize::desirabilityOf(context->study.responses[0], context->fits[0]).high;
        QVERIFY(end > context->fits[0].largestObserved);
        auto* curve = page.findChild<DesirabilityCurve*>(QStringLiteral("desirability:images_per_sec"));
        curve->setFocus();
        QTest::keyClick(curve, Qt::Key_Right); // the lower limit, which sets both
        QCOMPARE(*changes[0][0].value<study::Study>().responses[0].high, end);
    }

    void aPadlockIsToggledByKeyAndItsCostIsTold()
    {
        Shown shown;
        auto* profiler = shown.child<Profiler>("profiler");
        profiler->setFocus();
        const QString hint = textOf(shown.page, "lockCost");
        QTest::keyClick(profiler, Qt::Key_Left);
        QTest::keyClick(profiler, Qt::Key_Left);
        QTest::keyClick(profiler, Qt::Key_L);
        QVERIFY(textOf(shown.page, "lockCost").startsWith(QStringLiteral("With")));
        QTest::keyClick(profiler, Qt::Key_L);
        QCOMPARE(textOf(shown.page, "lockCost"), hint);
    }

    void everyControlIsReachedByTab()
    {
        Shown shown;
        shown.page.activateWindow();
        QSet<QString> missing{"weight:images_per_sec",
                              "goal:images_per_sec",
                              "desirability:images_per_sec",
                              "weight:scaling_efficiency",
                              "profiler",
                              "confirm",
                              "confirmRuns",
                              "surfaceOf"};
        shown.child<QWidget>("confirmRuns")->setFocus();
        for (int i = 0; i < 60 && !missing.isEmpty(); ++i) {
            QWidget* focused = shown.page.focusWidget();
            QVERIFY(focused != nullptr);
            missing.remove(focused->objectName());
            QTest::keyClick(focused, Qt::Key_Tab);
        }
        QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.values()).join(", ")));
    }

    void manyResponsesFitASmallWindow()
    {
        study::Study study = example();
        for (int i = 0; i < 3; ++i) {
            study::Response more = study.responses.front();
            more.name += std::to_string(i);
            study.responses.push_back(more);
            for (study::Run& run : study.runs)
                run.results[more.name] = run.results.at("images_per_sec") * (1.0 + 0.1 * i);
        }
        Shown shown(study);
        constexpr int kRoom = 648; // below menu and above status of the smallest window that is promised
        shown.page.resize(840, kRoom);
        QVERIFY(shown.page.minimumSizeHint().width() <= 840);
        QVERIFY2(shown.page.minimumSizeHint().height() <= kRoom,
                 qPrintable(QString::number(shown.page.minimumSizeHint().height())));
        QCOMPARE(shown.page.findChildren<DesirabilityCurve*>().size(), 5);
    }

    void withoutAModelThePageLeadsToTheRuns()
    {
        OptimizePage page;
        page.setContext(contextOf(exampleWithoutResults()));
        QSignalSpy steps(&page, &Page::stepRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Go to Run")), Qt::LeftButton);
        QCOMPARE(steps.count(), 1);
        QCOMPARE(steps[0][0].value<Step>(), Step::Run);
    }
};

QUADRIC_QT_TEST(OptimizePageTest)
#include "optimize_page_test.moc"
