// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/theme.h"
#include "widgets/base/typed_value.h"
#include "widgets/plots/profiler/profiler_layout.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/design_scene.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

/// The profiler with sample data, and where its cells are.
struct ShownProfiler {
    Profiler profiler;
    ProfilerData data = samples::profiler();
    QSignalSpy requests{&profiler, &Profiler::valueRequested};

    ShownProfiler()
    {
        profiler.resize(kPictureSize);
        profiler.setData(data);
    }
    QRectF cell(std::size_t row, std::size_t column) const
    {
        const PlotStyle style = plotStyle(profiler, false);
        return ProfilerLayout(data, areaBelowHeader(profiler.rect(), style, false), style).cell(row, column);
    }
    QPoint at(std::size_t row, std::size_t column, double fraction) const
    {
        const QRectF cell = this->cell(row, column);
        return QPointF(cell.left() + fraction * cell.width(), cell.center().y()).toPoint();
    }
    int factor() const { return requests.last()[0].toInt(); }
    double value() const { return requests.last()[1].toDouble(); }
};

optimize::Desirability targetGoal()
{
    optimize::Desirability desirability;
    desirability.goal = study::Goal::Target;
    desirability.low = 10.0;
    desirability.target = 20.0;
    desirability.high = 40.0;
    return desirability;
}

} // namespace

class ProfilerTest : public QObject {
    Q_OBJECT

private slots:
    void theCurveEndsWhereAConstraintForbids()
    {
        ShownProfiler shown;
        const QColor accent = plotColors(shown.profiler.palette()).accent;
        const QRect cell = shown.cell(0, 0).toRect();
        const QRect right(cell.center().x() + 2, cell.top() + 2, cell.width() / 2 - 4, cell.height() - 4);
        QVERIFY(samples::countPixels(samples::pictureOf(shown.profiler, kPictureSize), accent, right) > 0);
        const std::vector<double>& axis = shown.data.cells.front().front().curve.actual;
        const AxisScale scale = profilerScale(shown.data.cells.front().front().curve);
        shown.data.infeasible = {{{scale.actualAt(0.5), axis.back()}}};
        shown.profiler.setData(shown.data);
        QCOMPARE(samples::countPixels(samples::pictureOf(shown.profiler, kPictureSize), accent, right), 0);
    }

    void stretchesThatMostlyFailAreHatchedBehindTheCurve()
    {
        ShownProfiler shown;
        const QColor accent = plotColors(shown.profiler.palette()).accent;
        const QColor text = plotColors(shown.profiler.palette()).text;
        const QRect cell = shown.cell(0, 0).toRect();
        const QRect right(cell.center().x() + 2, cell.top() + 2, cell.width() / 2 - 4, cell.height() - 4);
        const std::vector<double>& axis = shown.data.cells.front().front().curve.actual;
        const AxisScale scale = profilerScale(shown.data.cells.front().front().curve);
        shown.data.failing = {{{scale.actualAt(0.75), axis.back()}}};
        shown.profiler.setData(shown.data);
        const QImage picture = samples::pictureOf(shown.profiler, kPictureSize);
        QVERIFY(samples::countPixels(picture, accent, right) > 0); // the curve goes on
        QVERIFY(samples::countPixels(picture, text, right) > 5);   // the line at an even chance
    }

    void dragAsksForActualValues()
    {
        ShownProfiler shown;
        QTest::mousePress(&shown.profiler, Qt::LeftButton, {}, shown.at(1, 0, 0.25));
        QCOMPARE(shown.factor(), 0);
        QVERIFY(std::abs(std::log2(shown.value()) - 3.0) < 0.03); // a quarter of 4…64 on a log2 axis is 8
        QTest::mouseMove(&shown.profiler, shown.at(1, 0, 0.75));
        QVERIFY(std::abs(std::log2(shown.value()) - 5.0) < 0.03);
        QTest::mouseRelease(&shown.profiler, Qt::LeftButton, {}, shown.at(1, 0, 0.75));
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, shown.at(2, 1, 0.3));
        QCOMPARE(shown.factor(), 1);
        QVERIFY(std::abs(shown.value() - 30.0) < 0.7);
    }

    void dragBeyondTheCellStopsAtTheEnd()
    {
        ShownProfiler shown;
        QTest::mousePress(&shown.profiler, Qt::LeftButton, {}, shown.at(0, 0, 0.3));
        QTest::mouseMove(&shown.profiler, shown.at(0, 2, 0.5));
        QCOMPARE(shown.factor(), 0);
        QCOMPARE(shown.value(), 64.0);
        QTest::mouseMove(&shown.profiler, {0, 10});
        QCOMPARE(shown.value(), 4.0);
    }

    void categoricalFactorsGiveLevels()
    {
        ShownProfiler shown;
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, shown.at(0, 2, 0.97));
        QCOMPARE(shown.factor(), 2);
        QCOMPARE(shown.value(), 2.0);
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, shown.at(0, 2, 0.1));
        QCOMPARE(shown.value(), 0.0);
    }

    void arrowKeysStepTheFocusedFactor()
    {
        ShownProfiler shown;
        QTest::keyClick(&shown.profiler, Qt::Key_Right);
        QCOMPARE(shown.factor(), 0);
        QVERIFY(std::abs(shown.value() - std::exp2(4.0 + 0.05 * 4.0)) <
                1e-9); // a twentieth of four doublings
        QTest::keyClick(&shown.profiler, Qt::Key_Down);
        QTest::keyClick(&shown.profiler, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(shown.factor(), 1);
        QVERIFY(std::abs(shown.value() - 49.0) < 1e-9);
        QTest::keyClick(&shown.profiler, Qt::Key_Down);
        QTest::keyClick(&shown.profiler, Qt::Key_Left);
        QCOMPARE(shown.factor(), 2);
        QCOMPARE(shown.value(), 0.0);
    }

    void valuesAreTypedInTheirPlace()
    {
        ShownProfiler shown;
        shown.profiler.show();
        const std::size_t last = shown.data.cells.size() - 1;
        const QPoint value(shown.at(last, 1, 0.9).x(), static_cast<int>(shown.cell(last, 1).bottom()) + 38);
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, value);
        QCOMPARE(shown.requests.count(), 0); // a click below the axes moves nothing
        QTest::mouseDClick(&shown.profiler, Qt::LeftButton, {}, value);
        QCOMPARE(shown.requests.count(), 0);
        auto* field = shown.profiler.findChild<ValueField*>();
        QVERIFY(field != nullptr && field->isVisible());
        QTest::keyClicks(field, QStringLiteral("much"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isVisible()); // refused, to be corrected
        QVERIFY2(field->accessibleDescription().contains(QStringLiteral("expected a number")),
                 qPrintable(field->accessibleDescription()));
        QTest::keyClicks(field, QStringLiteral("12.5"));
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->isVisible());
        QCOMPARE(shown.requests.count(), 1);
        QCOMPARE(shown.factor(), 1);
        QCOMPARE(shown.value(), 12.5);
    }

    void escapeLeavesEverythingAsItWas()
    {
        ShownProfiler shown;
        shown.profiler.show();
        const double before = shown.data.cells.front()[1].current;
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, shown.at(0, 1, 0.9));
        QVERIFY(shown.value() != before);
        QTest::mouseDClick(&shown.profiler, Qt::LeftButton, {}, shown.at(0, 1, 0.9));
        QCOMPARE(shown.value(), before); // what the first click moved is back
        auto* field = shown.profiler.findChild<ValueField*>();
        QVERIFY(field != nullptr && field->isVisible());
        const auto asked = shown.requests.count();
        QTest::keyClicks(field, QStringLiteral("12.5"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
        QCOMPARE(shown.requests.count(), asked);
    }

    void dotsStandWhereAFactorCanBeSetTo()
    {
        ShownProfiler shown;
        const QImage without = pictureOf(shown.profiler, kPictureSize);
        const auto pictureWith = [&shown](const std::vector<double>& legal) {
            shown.data.cells.front()[0].legal = legal;
            shown.profiler.setData(shown.data);
            return pictureOf(shown.profiler, kPictureSize);
        };
        const QImage with = pictureWith({4.0, 16.0, 64.0}); // the ends and the middle of a log2 axis
        const auto isChanged = [&](std::size_t row, double fraction) {
            const QRect cell = shown.cell(row, 0).toRect();
            const QRect strip =
                QRect(shown.at(row, 0, fraction).x() - 3, cell.top(), 7, cell.height()) & cell;
            return with.copy(strip) != without.copy(strip);
        };
        for (std::size_t row = 0; row < shown.data.cells.size(); ++row) {
            for (const double fraction : {0.0, 0.5, 1.0})
                QVERIFY2(isChanged(row, fraction), qPrintable(QString::number(fraction)));
            QVERIFY(!isChanged(row, 0.25) && !isChanged(row, 0.75));
        }
        std::vector<double> dense;
        for (double value = 4.0; value <= 64.0; ++value)
            dense.push_back(value);
        QCOMPARE(pictureWith(dense), without);
    }

    void readingIsInterpolatedOnTheFactorsScale()
    {
        model::EffectCurve curve;
        curve.isLog2 = true;
        curve.actual = {4.0, 16.0};
        curve.mean = {10.0, 20.0};
        curve.low = {9.0, 18.0};
        curve.high = {11.0, 22.0};
        QCOMPARE(readCurve(curve, 8.0).mean, 15.0);
        QCOMPARE(*readCurve(curve, 8.0).high, 16.5);
        QCOMPARE(readCurve(curve, 1000.0).mean, 20.0);
        QCOMPARE(readCurve(curve, 1.0).mean, 10.0);
        QCOMPARE(readingText({curve, 8.0}), QStringLiteral("15.0 ± 1.5"));
        // After a transform the halves differ and are both shown.
        model::EffectCurve skewed = curve;
        for (double& high : skewed.high)
            high += 3.0;
        QCOMPARE(readingText({skewed, 8.0}), QStringLiteral("15.0 (13.5 to 19.5)"));
    }

    void tableHasTheShownSettingAndEveryCurve()
    {
        ShownProfiler shown;
        const TextTable table = shown.profiler.table();
        std::size_t points = 1; // the shown setting
        for (const ProfilerCell& cell : shown.data.cells.front())
            points += cell.curve.actual.size();
        QCOMPARE(table.rows.size(), points);
        for (const QStringList& row : table.rows)
            QCOMPARE(std::size_t(row.size()), table.columns.size());
        const model::EffectCurve& first = shown.data.cells.front().front().curve;
        QCOMPARE(table.rows[1][0], withUnit(first.factor, first.unit));
        QCOMPARE(table.rows[1][1], formatNumber(first.actual.front()));
        const double half = (first.high.front() - first.low.front()) / 2.0;
        QCOMPARE(table.rows[1][2], formatNumber(first.mean.front(), half));
        QCOMPARE(table.rows[1][3], formatNumber(first.low.front(), half));
        QCOMPARE(table.rows[1][4], formatNumber(first.high.front(), half));
        QVERIFY2(table.note.contains(QString::fromStdString(first.factor)), qPrintable(table.note));
    }

    void brokenDataShowNothing()
    {
        ShownProfiler shown;
        shown.data.cells[1].pop_back();
        shown.profiler.setData(shown.data);
        QTest::mouseClick(&shown.profiler, Qt::LeftButton, {}, {350, 200});
        QTest::keyClick(&shown.profiler, Qt::Key_Right);
        QCOMPARE(shown.requests.count(), 0);
        QCOMPARE(
            countPixels(pictureOf(shown.profiler, kPictureSize), plotColors(shown.profiler.palette()).error),
            0);
    }

    void profilerPrintsAsVectors()
    {
        ShownProfiler shown;
        const QByteArray pdf = pdfOf(shown.profiler, {600.0, 400.0});
        QVERIFY(pdf.contains("/Font"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
    }

    void repaintTime()
    {
        ShownProfiler shown;
        pictureOf(shown.profiler, kPictureSize);
        QBENCHMARK
        {
            pictureOf(shown.profiler, kPictureSize);
        }
    }

    void desirabilityHandleMovesItsLimit()
    {
        DesirabilityCurve curve;
        curve.resize(300, 130);
        curve.setDesirability(targetGoal(), {});
        QSignalSpy requests(&curve, &DesirabilityCurve::limitsRequested);
        // The axis goes from 10 − 0.22 · 30 to 40 + 0.22 · 30, ten pixels inside the widget.
        const auto xOf = [](double value) { return qRound(10.0 + (value - 3.4) / 43.2 * 280.0); };
        QTest::mousePress(&curve, Qt::LeftButton, {}, {xOf(20.0), 30});
        QTest::mouseMove(&curve, {xOf(30.0), 60});
        QCOMPARE(requests.count(), 1);
        QCOMPARE(requests[0][0].toDouble(), 10.0);
        QVERIFY(std::abs(requests[0][1].toDouble() - 30.0) < 0.2);
        QCOMPARE(requests[0][2].toDouble(), 40.0);
    }

    void desirabilityLimitsStayInOrder()
    {
        DesirabilityCurve curve;
        curve.resize(300, 130);
        curve.setDesirability(targetGoal(), 25.0);
        QSignalSpy requests(&curve, &DesirabilityCurve::limitsRequested);
        QTest::mousePress(&curve, Qt::LeftButton, {}, {10 + 280 * 66 / 432, 30}); // the low limit
        QTest::mouseMove(&curve, {290, 60});
        QVERIFY(requests.count() == 1);
        QVERIFY(requests[0][0].toDouble() > 19.0);
        QVERIFY(requests[0][0].toDouble() < 20.0);
    }

    void desirabilityWithoutGoalHasNoHandles()
    {
        DesirabilityCurve curve;
        optimize::Desirability none = targetGoal();
        none.goal = study::Goal::None;
        curve.setDesirability(none, 15.0);
        QSignalSpy requests(&curve, &DesirabilityCurve::limitsRequested);
        QTest::keyClick(&curve, Qt::Key_Right);
        QCOMPARE(countPixels(pictureOf(curve, {300, 130}), plotColors(curve.palette()).accent), 0);
        QCOMPARE(requests.count(), 0);
    }

    void cubeGroupsRepeatedRuns()
    {
        const study::Study boxBehnken = samples::boxBehnken();
        const DesignScene scene(boxBehnken, {cubeAxes(boxBehnken)});
        QCOMPARE(scene.points().size(), std::size_t(13)); // twelve edges and the center
        QCOMPARE(scene.points().back().runs, std::vector<int>({13, 14, 15}));
        QCOMPARE(scene.points().back().place.x, 0.0);
        QCOMPARE(scene.axes().x.ticks.size(), std::size_t(3));
        QCOMPARE(scene.axes().x.ticks[1].label, QStringLiteral("16")); // the middle of 4…64 on a log2 scale
    }

    void cubeNeedsANumericFactor()
    {
        study::Study study = samples::boxBehnken();
        study.factors.resize(2);
        QVERIFY(DesignScene(study, {cubeAxes(study)}).reason().isEmpty());
        QVERIFY(DesignScene(study, {cubeAxes(study)}).isFlat());
        study.factors.resize(1);
        QVERIFY(DesignScene(study, {cubeAxes(study)}).reason().isEmpty()); // a line
        study.factors.clear();
        QVERIFY(!DesignScene(study, {cubeAxes(study)}).reason().isEmpty());
        DesignCube cube;
        cube.setStudy(study);
        QVERIFY(!pictureOf(cube, kPictureSize).isNull());
    }

    void cubeClickPicksRunsInTurn()
    {
        study::Study study = samples::boxBehnken();
        study.runs.erase(study.runs.begin(), study.runs.begin() + 12); // the three center runs
        for (study::Run& run : study.runs)
            run.status = study::RunStatus::Done;
        DesignCube cube;
        cube.setStudy(study);
        const QRect withoutLegend(0, 0, kPictureSize.width(), kPictureSize.height() - 30);
        const auto center =
            middleOf(pictureOf(cube, kPictureSize), plotColors(cube.palette()).accent, withoutLegend);
        QVERIFY(center);
        connect(&cube, &Plot::runsPicked, &cube, &DesignCube::setPickedRuns);
        QSignalSpy picked(&cube, &Plot::runsPicked);
        for (int click = 0; click < 4; ++click)
            QTest::mouseClick(&cube, Qt::LeftButton, {}, center->toPoint());
        QCOMPARE(picked.count(), 4);
        QCOMPARE(picked[0][0].value<PickedRuns>().current, 13);
        QCOMPARE(picked[1][0].value<PickedRuns>().current, 14);
        QCOMPARE(picked[3][0].value<PickedRuns>().current, 13);
    }

    void cubePrintsAsVectors()
    {
        DesignCube cube;
        cube.setStudy(samples::boxBehnken());
        QVERIFY(!pdfOf(cube, {420.0, 300.0}).contains("/Subtype /Image"));
    }
};

QUADRIC_QT_TEST(ProfilerTest)
#include "profiler_test.moc"
