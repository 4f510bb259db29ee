// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/theme.h"
#include "widgets/plots/scene/orbit_box.h"
#include "widgets/plots/scene/surface_view.h"

#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

constexpr QSize kSurfaceSize(560, 420);

/// A ridge along x in the middle of y, with one point behind it and one in front.
model::SurfaceGrid ridge()
{
    model::SurfaceGrid grid;
    grid.xName = "x";
    grid.yName = "y";
    grid.response = "z";
    for (int i = 0; i < 41; ++i) {
        grid.x.push_back(-1.0 + i / 20.0);
        grid.y.push_back(-1.0 + i / 20.0);
    }
    grid.z.resize(41, 41);
    for (int i = 0; i < 41; ++i)
        for (int j = 0; j < 41; ++j)
            grid.z(i, j) = std::exp(-std::pow(grid.y[static_cast<std::size_t>(j)] / 0.25, 2));
    grid.isExtrapolation.setConstant(41, 41, false);
    return grid;
}

model::SurfaceGrid ridgeWith(std::vector<model::ObservedPoint> points)
{
    model::SurfaceGrid grid = ridge();
    grid.observed = std::move(points);
    return grid;
}

/// Of a picture what lies below title and legend.
QRect belowLegend(const QSize& size)
{
    constexpr int kTop = 50;
    return {0, kTop, size.width(), size.height() - kTop};
}

} // namespace

class SurfaceTest : public QObject {
    Q_OBJECT

private slots:
    void projectsKnownPoints()
    {
        const QRectF area(0.0, 0.0, 400.0, 400.0);
        const Projection front({0.0, 0.0, 1.0}, 0.5, area);
        const QPointF middle = front.toScreen({});
        const double s = front.scale();
        QCOMPARE(front.toScreen({1.0, 0.0, 0.0}) - middle, QPointF(s, 0.0));
        QCOMPARE(front.toScreen({0.0, 0.0, 0.5}) - middle, QPointF(0.0, -0.5 * s));
        QCOMPARE(front.depthOf({0.0, 1.0, 0.0}) - front.depthOf({}), 1.0);

        const Projection top({0.0, 90.0, 1.0}, 0.5, area);
        const QPointF offset = top.toScreen({0.0, 1.0, 0.0}) - top.toScreen({});
        QVERIFY(std::abs(offset.x()) < 1e-9);
        QVERIFY(std::abs(offset.y() + top.scale()) < 1e-9); // +y is up as seen from above

        const Projection side({90.0, 0.0, 1.0}, 0.5, area); // from +x: y runs to the right
        QVERIFY(std::abs((side.toScreen({0.0, 1.0, 0.0}) - side.toScreen({})).x() - side.scale()) < 1e-9);
    }

    void nearerIsLarger()
    {
        const Projection front({0.0, 0.0, 1.0}, 0.5, QRectF(0.0, 0.0, 400.0, 400.0));
        const double middle = front.toScreen({}).x();
        const double nearOffset = front.toScreen({1.0, -1.0, 0.0}).x() - middle;
        const double farOffset = front.toScreen({1.0, 1.0, 0.0}).x() - middle;
        QVERIFY(std::abs(nearOffset / farOffset - 8.0 / 6.0) < 1e-9); // the eye is 7 away from the middle
    }

    void aConstraintTakesTheColorsAway()
    {
        SurfaceView view;
        model::SurfaceGrid grid = ridge();
        grid.z.setConstant(1.0);
        grid.z(0, 0) = 0.0; // everything else has the last color
        view.setGrid(grid);
        const QRect withoutColorBar(0, 0, kSurfaceSize.width() - 90, kSurfaceSize.height());
        const int before = countPixels(pictureOf(view, kSurfaceSize), viridis(1.0), withoutColorBar);
        grid.feasible.value.setConstant(41, 41, 1.0);
        for (int i = 0; i < 41; ++i) // half of the base, its boundary between two nodes
            grid.feasible.value.row(i).setConstant(0.025 - grid.x[static_cast<std::size_t>(i)]);
        view.setGrid(grid);
        const int after = countPixels(pictureOf(view, kSurfaceSize), viridis(1.0), withoutColorBar);
        QVERIFY2(after > 0.3 * before && after < 0.7 * before, qPrintable(QString::number(after)));
    }

    void whatMostlyFailsIsPaleAndFailedRunsAreCrosses()
    {
        SurfaceView view;
        model::MarkedSurface grid = ridge();
        grid.z.setConstant(1.0);
        grid.z(0, 0) = 0.0; // everything else has the last color
        view.setGrid(grid);
        const QRect withoutColorBar(0, 0, kSurfaceSize.width() - 90, kSurfaceSize.height());
        const int before = countPixels(pictureOf(view, kSurfaceSize), viridis(1.0), withoutColorBar);
        grid.running.level = 0.5;
        grid.running.value.setConstant(41, 41, 1.0);
        for (int i = 0; i < 41; ++i) // half of the base, its boundary between two nodes
            grid.running.value.row(i).setConstant(0.525 - grid.x[static_cast<std::size_t>(i)]);
        view.setGrid(grid);
        const QImage pale = pictureOf(view, kSurfaceSize);
        const int after = countPixels(pale, viridis(1.0), withoutColorBar);
        QVERIFY2(after > 0.3 * before && after < 0.7 * before, qPrintable(QString::number(after)));
        grid.failed = {{3, 0.8, -0.8, "crash"}};
        view.setGrid(grid);
        const QColor cross = plotColors(view.palette()).error;
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), cross) > countPixels(pale, cross) + 8);
    }

    void theSettingIsMarkedOnTheSurface()
    {
        SurfaceView view;
        view.setGrid(ridge());
        const QColor mark = plotColors(view.palette()).error;
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), mark), 0);
        view.setSetting(QPointF(0.2, 0.0));
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), mark) > 20);
        view.setSetting(QPointF(5.0, 0.0)); // beside the surface
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), mark), 0);
    }

    void turningRoundKeepsTheScale()
    {
        const QRectF area(10.0, 20.0, 300.0, 200.0);
        const double scale = Projection({0.0, 30.0, 1.0}, 0.6, area).scale();
        for (const double azimuth : {17.0, 45.0, -120.0, 180.0}) {
            const Projection turned({azimuth, 30.0, 1.0}, 0.6, area);
            QCOMPARE(turned.scale(), scale);
            for (int corner = 0; corner < 8; ++corner) {
                const Point3 point{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 0.6 : -0.6};
                QVERIFY(area.adjusted(-2.0, -2.0, 2.0, 2.0).contains(turned.toScreen(point)));
            }
        }
    }

    void dragTurnsAndKeysReset()
    {
        SurfaceView view;
        view.resize(kSurfaceSize);
        view.setGrid(samples::surface());
        const double azimuth = view.azimuth();
        const double elevation = view.elevation();
        QTest::mousePress(&view, Qt::LeftButton, {}, {200, 200});
        QTest::mouseMove(&view, {300, 230});
        QTest::mouseRelease(&view, Qt::LeftButton, {}, {300, 230});
        QVERIFY(view.azimuth() < azimuth);
        QVERIFY(view.elevation() > elevation);
        QTest::keyClick(&view, Qt::Key_Home);
        QCOMPARE(view.azimuth(), azimuth);
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(view.azimuth(), azimuth + 5.0);
        view.setView(0.0, 500.0);
        QCOMPARE(view.elevation(), 90.0);
    }

    void ridgeHidesThePointBehindIt()
    {
        SurfaceView view;
        view.setGrid(ridgeWith({{1, 0.0, 0.8, 0.1, 0.0}}));
        const QColor observed = plotColors(view.palette()).observed;
        view.setView(0.0, 12.0);
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), observed, belowLegend(kSurfaceSize)), 0);
        view.setView(0.0, 75.0); // over the ridge
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), observed, belowLegend(kSurfaceSize)) > 20);
        view.setView(180.0, 12.0); // from the other side
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), observed, belowLegend(kSurfaceSize)) > 20);
    }

    void pointInFrontIsDrawn()
    {
        SurfaceView view;
        view.setGrid(ridgeWith({{1, 0.0, -0.8, 0.1, 0.0}}));
        view.setView(0.0, 12.0);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), plotColors(view.palette()).observed,
                            belowLegend(kSurfaceSize)) > 20);
    }

    void clickPicksTheRun()
    {
        SurfaceView view;
        view.setGrid(ridgeWith({{7, -0.7, -0.8, 0.1, 0.0}, {9, 0.7, -0.8, 0.1, 0.0}}));
        view.setView(0.0, 30.0);
        const QImage picture = pictureOf(view, kSurfaceSize);
        const QColor observed = plotColors(view.palette()).observed;
        const auto left =
            middleOf(picture, observed, {0, 50, kSurfaceSize.width() / 2 - 60, kSurfaceSize.height()});
        const auto right =
            middleOf(picture, observed,
                     {kSurfaceSize.width() / 2 - 60, 50, kSurfaceSize.width(), kSurfaceSize.height()});
        QVERIFY(left && right);
        QSignalSpy picked(&view, &Plot::runsPicked);
        QTest::mouseClick(&view, Qt::LeftButton, {}, left->toPoint());
        QTest::mouseClick(&view, Qt::LeftButton, {}, right->toPoint());
        QTest::mouseClick(&view, Qt::LeftButton, {}, {5, kSurfaceSize.height() - 5});
        QCOMPARE(picked.count(), 2);
        QCOMPARE(picked[0][0].value<PickedRuns>().current, 7);
        QCOMPARE(picked[1][0].value<PickedRuns>().current, 9);
    }

    void hiddenRunIsNotPicked()
    {
        SurfaceView view;
        view.setGrid(ridgeWith({{1, 0.0, 0.8, 0.1, 0.0}}));
        view.setView(0.0, 12.0);
        view.resize(kSurfaceSize);
        QSignalSpy picked(&view, &Plot::runsPicked);
        for (int y = 20; y < kSurfaceSize.height(); y += 8)
            for (int x = 20; x < kSurfaceSize.width(); x += 8)
                QTest::mouseClick(&view, Qt::LeftButton, {}, {x, y});
        QCOMPARE(picked.count(), 0);
    }

    void pickedRunIsLit()
    {
        SurfaceView view;
        view.setGrid(ridgeWith({{7, 0.0, -0.8, 0.1, 0.0}}));
        const QColor observed = plotColors(view.palette()).observed;
        const int plain = countPixels(pictureOf(view, kSurfaceSize), observed);
        view.setPickedRuns(7);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), observed) > plain);
        view.setPickedRuns(8);
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), observed), plain);
    }

    void runsAtOtherSettingsArePale()
    {
        SurfaceView view;
        view.setView(0.0, 30.0);
        const QColor observed = plotColors(view.palette()).observed;
        view.setGrid(ridgeWith({{1, 0.0, -0.8, 0.1, 0.0}})); // its own fit is the surface, 0 out there
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), observed) > 20);
        view.setGrid(ridgeWith({{1, 0.0, -0.8, 0.5, 0.45}}));
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), observed), 0);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), blend(observed, Qt::white, 0.5)) > 10);
    }

    void extrapolationLooksDifferent()
    {
        SurfaceView view;
        model::SurfaceGrid grid = ridge();
        grid.z.setConstant(1.0);
        grid.z(0, 0) = 0.0; // everything else has the last color
        view.setGrid(grid);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), viridis(1.0)) > 5000);
        grid.isExtrapolation.setConstant(true);
        view.setGrid(grid);
        const QRect withoutColorBar(0, 0, kSurfaceSize.width() - 90, kSurfaceSize.height());
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), viridis(1.0), withoutColorBar), 0);
    }

    void colorsFollowThePalette()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            view.setPalette(palette);
            QCOMPARE(QColor(pictureOf(view, kSurfaceSize).pixel(2, 2)), palette.color(QPalette::Base));
        }
    }

    void simulatedDataAreMarked()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        const QColor warning = plotColors(view.palette()).warning;
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), warning), 0);
        view.setSimulated(true);
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), warning), 0); // on the screen the window says it
        view.setPictured(true);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), warning) > 40);
    }

    void brokenGridsAreRefused()
    {
        SurfaceView view;
        model::SurfaceGrid wrongSize = ridge();
        wrongSize.x.pop_back();
        view.setGrid(wrongSize);
        pictureOf(view, kSurfaceSize);
        model::SurfaceGrid holes = ridgeWith({{1, 0.0, 0.0, std::nan(""), 0.0}});
        holes.z(3, 4) = std::nan("");
        view.setGrid(holes);
        const QColor ground = plotColors(view.palette()).background;
        const QRect middle(150, 150, 150, 100);
        QVERIFY(countPixels(pictureOf(view, kSurfaceSize), ground, middle) <
                middle.width() * middle.height() / 2);
        QCOMPARE(countPixels(pictureOf(view, kSurfaceSize), plotColors(view.palette()).observed), 0);
        pictureOf(view, {20, 20});
    }

    void presetsLookFromFixedPlaces()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        const double azimuth = view.azimuth();
        view.setPreset(SurfaceView::Preset::Top);
        QCOMPARE(view.elevation(), 90.0);
        view.setPreset(SurfaceView::Preset::Front);
        QCOMPARE(view.azimuth(), 0.0);
        QCOMPARE(view.elevation(), 0.0);
        QTest::keyClick(&view, Qt::Key_1);
        QCOMPARE(view.azimuth(), azimuth);
    }

    void theIntervalHasRoomOnTheAxis()
    {
        SurfaceView view;
        model::SurfaceGrid grid = ridge();
        view.setGrid(grid);
        view.setIntervalShown(true);
        const QImage without = pictureOf(view, kSurfaceSize); // the grid has none
        view.setIntervalShown(false);
        QCOMPARE(pictureOf(view, kSurfaceSize), without);
        grid.low = grid.z.array() - 2.0;
        grid.high = grid.z.array() + 2.0;
        view.setGrid(grid);
        const QImage alone = pictureOf(view, kSurfaceSize);
        QSignalSpy changes(&view, &SurfaceView::extrasChanged);
        QTest::keyClick(&view, Qt::Key_I);
        QVERIFY(view.isIntervalShown());
        QCOMPARE(changes.count(), 1);
        const QImage withNets = pictureOf(view, kSurfaceSize);
        int changed = 0;
        for (int y = 0; y < kSurfaceSize.height(); ++y)
            for (int x = 0; x < kSurfaceSize.width() / 2; ++x) // the color bar stays
                changed += withNets.pixel(x, y) != alone.pixel(x, y);
        QVERIFY(changed > kSurfaceSize.width() * kSurfaceSize.height() /
                              20); // nets, and a flatter surface on a longer axis
    }

    void contoursLieOnTheFloor()
    {
        SurfaceView view;
        view.setGrid(ridge());
        view.setView(0.0, 20.0);
        const QImage without = pictureOf(view, kSurfaceSize);
        QTest::keyClick(&view, Qt::Key_C);
        QVERIFY(view.areContoursShown());
        const QImage with = pictureOf(view, kSurfaceSize);
        int highest = kSurfaceSize.height();
        int changed = 0;
        for (int y = 0; y < kSurfaceSize.height(); ++y)
            for (int x = 0; x < kSurfaceSize.width(); ++x)
                if (with.pixel(x, y) != without.pixel(x, y)) {
                    ++changed;
                    highest = std::min(highest, y);
                }
        QVERIFY(changed > 100);
        QVERIFY(highest > kSurfaceSize.height() / 3); // nothing above the floor
    }

    void turningIsDrawnQuicklyAndRestsSmoothly()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        QTest::keyClick(&view, Qt::Key_Left);
        const QImage quick = pictureOf(view, kSurfaceSize);
        QTRY_VERIFY(pictureOf(view, kSurfaceSize) != quick);
        const QByteArray pdf = pdfOf(view, {560.0, 420.0});
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(pdfOf(view, {560.0, 420.0}).size(), pdf.size()); // paper is never drawn quickly
    }

    void printsAsVectors()
    {
        SurfaceView view;
        view.setPalette(darkPalette());
        view.setGrid(samples::surface());
        view.setSimulated(true);
        const QByteArray pdf = pdfOf(view, {560.0, 420.0});
        QVERIFY(pdf.contains("/Font"));
        QVERIFY(!pdf.contains("/Subtype /Image"));
        QVERIFY2(pdf.size() < 400000, qPrintable(QString::number(pdf.size())));
    }

    void paintTime()
    {
        SurfaceView view;
        view.setGrid(samples::surface());
        pictureOf(view, {700, 500});
        QBENCHMARK
        {
            pictureOf(view, {700, 500});
        }
    }
};

QUADRIC_QT_TEST(SurfaceTest)
#include "surface_test.moc"
