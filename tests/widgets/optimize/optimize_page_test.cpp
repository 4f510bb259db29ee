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

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QSet>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>

#include <algorithm>
#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

QSlider* weightSlider(const QWidget& page, const QString& response)
{
    return named<QSlider>(page, QStringLiteral("Weight of ") + response);
}

/// What stands beside the setting, as it is read.
QString factsOf(const QWidget& page)
{
    QTextDocument facts;
    facts.setHtml(page.findChild<QLabel*>(QStringLiteral("facts"))->text());
    return facts.toPlainText();
}

/// Opens the limits of a response.
DesirabilityCurve* openCurve(const QWidget& page, const QString& response)
{
    page.findChild<QToolButton*>(QStringLiteral("limits:") + response)->setChecked(true);
    return page.findChild<DesirabilityCurve*>(QStringLiteral("desirability:") + response);
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
        QCOMPARE(textOf(page, "recommendation"),
                 settingsText(context->study, best.settings, best.indifferent));
        for (const optimize::ResponseAtOptimum& at : best.responses) {
            const study::Response* response = study::findResponse(context->study, at.response);
            const QString said =
                nameText(at.response) + QLatin1Char(' ') + predictionText(at.predicted, response->unit);
            const QString facts = page.findChild<QLabel*>(QStringLiteral("facts"))->text();
            QVERIFY2(facts.contains(said.toHtmlEscaped()), qPrintable(facts));
        }
        QVERIFY(factsOf(page).contains(QStringLiteral("score ") + desirabilityText(best.overall)));
    }

    void theAnswerIsCopiedAsText()
    {
        Shown shown;
        QTest::mouseClick(shown.child<QWidget>("copyAnswer"), Qt::LeftButton);
        const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 4);
        QCOMPARE(lines[0], textOf(shown.page, "recommendation"));
        QVERIFY(lines[3].startsWith(QStringLiteral("score ")));
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
        auto* confirm = shown.child<QToolButton>("confirm");
        QTest::mouseClick(confirm, Qt::LeftButton, {}, {10, confirm->height() / 2});
        QCOMPARE(confirms.count(), 1);
        const optimize::Optimum best = optimize::findOptimum(shown.context->study, shown.context->fits);
        QVERIFY(confirms[0][0].value<study::Settings>() == best.settings);
        QCOMPARE(confirms[0][1].toInt(), 3);
        confirm->menu()->actions()[2]->trigger();
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
        const optimize::Optimum best = optimize::findOptimum(changed, shown.context->fits);
        QCOMPARE(textOf(shown.page, "recommendation"), settingsText(changed, best.settings));
    }

    void everythingMovesInTheSameTurn_data()
    {
        QTest::addColumn<QString>("tab");
        for (const char* tab : {"Map and front", "Solutions"})
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
        auto* curve = openCurve(shown.page, QStringLiteral("scaling_efficiency"));
        const QString sentence = textOf(shown.page, "recommendation");
        const QString facts = factsOf(shown.page);
        const QString sacrifice = textOf(shown.page, "sacrifice:scaling_efficiency");
        const QImage before[] = {profiler->grab().toImage(), curve->grab().toImage(),
                                 below->grab().toImage()};
        weightSlider(shown.page, QStringLiteral("images_per_sec"))->setValue(50);
        QVERIFY(textOf(shown.page, "recommendation") != sentence);
        QVERIFY(factsOf(shown.page) != facts);
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
        const auto dots = [&shown] {
            return shown.child<QLabel>("facts")->text().count(QStringLiteral("●"));
        };
        const auto isTold = [&shown] {
            for (int i = 0; i < 4; ++i) {
                emit shown.child<QLabel>("facts")->linkActivated(QString::number(i));
                if (shown.child<QLabel>("reason")->text().contains(QStringLiteral("after correction")))
                    return true;
            }
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isTold(), kPatienceMs);
        shown.child<QLabel>("reason")->window()->close();
        const auto corrected = dots();
        auto* profiler = shown.child<Profiler>("profiler");
        const QString best = textOf(shown.page, "recommendation");
        for (const auto key : {Qt::Key_Left, Qt::Key_Right}) // one of them leaves the optimum
            if (textOf(shown.page, "recommendation") == best)
                QTest::keyClick(profiler, key);
        QVERIFY(dots() < corrected); // what is looked at elsewhere was not chosen
        shown.child<QAbstractButton>("backToOptimum")->click();
        QCOMPARE(dots(), corrected);
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
        QVERIFY(!back->isVisible());
        const QString best = textOf(shown.page, "recommendation");
        QTest::keyClick(shown.child<Profiler>("profiler"), Qt::Key_Left);
        QVERIFY(back->isVisible());
        QTest::mouseClick(back, Qt::LeftButton);
        QCOMPARE(textOf(shown.page, "recommendation"), best);
    }

    void pickingAPointOfTheFrontMovesTheProfiler()
    {
        Shown shown;
        auto* front = shown.child<Plot>("front");
        const QString sentence = textOf(shown.page, "recommendation");
        QTRY_VERIFY(
            (QTest::keyClick(front, Qt::Key_Right), textOf(shown.page, "recommendation") != sentence));
    }

    void theDotOfTheMapMovesTheSetting()
    {
        Shown shown;
        auto* map = shown.child<Plot>("map");
        const QString sentence = textOf(shown.page, "recommendation");
        const QImage before = shown.child<Profiler>("profiler")->grab().toImage();
        QTest::keyClick(map, Qt::Key_Left);
        QVERIFY(textOf(shown.page, "recommendation") != sentence);
        QVERIFY(shown.child<Profiler>("profiler")->grab().toImage() != before);
    }

    void theMapShowsAResponseOrTheScore()
    {
        Shown shown;
        auto* chooser = shown.child<QComboBox>("mapOf");
        QCOMPARE(chooser->count(), 3);
        const QImage score = shown.child<Plot>("map")->grab().toImage();
        chooser->setCurrentIndex(2);
        emit chooser->activated(2);
        QVERIFY(shown.child<Plot>("map")->grab().toImage() != score);
        weightSlider(shown.page, QStringLiteral("images_per_sec"))->setValue(30);
        QCOMPARE(chooser->currentIndex(), 2);
    }

    void theSurfaceTakesTheRoomAndGivesItBack()
    {
        Shown shown;
        auto* toggle = shown.child<QToolButton>("asSurface");
        toggle->click();
        QVERIFY(shown.child<Plot>("largeSurface")->isVisible());
        for (const char* hidden : {"map", "profiler", "front"})
            QVERIFY2(!shown.child<Plot>(hidden)->isVisible(), hidden);
        QTRY_VERIFY(shown.child<Plot>("largeSurface")->height() > shown.page.height() / 2);
        toggle->click();
        for (const char* back : {"map", "profiler", "front"})
            QVERIFY2(shown.child<Plot>(back)->isVisible(), back);
    }

    void handlesOfTheDesirabilityChangeTheGoal()
    {
        Shown shown;
        auto* curve = openCurve(shown.page, QStringLiteral("images_per_sec"));
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
        auto* curve = openCurve(page, QStringLiteral("images_per_sec"));
        curve->setFocus();
        QTest::keyClick(curve, Qt::Key_Right); // the lower limit, which sets both
        QCOMPARE(*changes[0][0].value<study::Study>().responses[0].high, end);
    }

    void aPadlockIsToggledByKeyAndItsCostIsTold()
    {
        Shown shown;
        auto* profiler = shown.child<Profiler>("profiler");
        profiler->setFocus();
        QTest::keyClick(profiler, Qt::Key_Left);
        QTest::keyClick(profiler, Qt::Key_Left);
        const auto reason = [&shown] {
            emit shown.child<QLabel>("facts")->linkActivated(QStringLiteral("2")); // of the score
            shown.child<QLabel>("reason")->window()->close();
            return shown.child<QLabel>("reason")->text();
        };
        QTest::keyClick(profiler, Qt::Key_L);
        QVERIFY2(reason().startsWith(QStringLiteral("With")), qPrintable(reason()));
        QTest::keyClick(profiler, Qt::Key_L);
        QVERIFY2(!reason().startsWith(QStringLiteral("With")), qPrintable(reason()));
    }

    void everyControlIsReachedByTab()
    {
        Shown shown;
        shown.page.activateWindow();
        QSet<QString> missing{"weight:images_per_sec",
                              "goal:images_per_sec",
                              "limits:images_per_sec",
                              "weight:scaling_efficiency",
                              "profiler",
                              "confirm",
                              "copyAnswer",
                              "more",
                              "mapOf",
                              "asSurface",
                              "map",
                              "front"};
        shown.child<QWidget>("confirm")->setFocus();
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
        QVERIFY2(shown.page.minimumSizeHint().width() <= 840,
                 qPrintable(QString::number(shown.page.minimumSizeHint().width())));

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
