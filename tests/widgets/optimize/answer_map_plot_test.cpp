// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/optimize/charts/answer_map_plot.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// A response x + y over −1 to +1 in both directions, allowed from −0.5 to +1, and a constraint x ≤ 0.525,
/// between two nodes.
AnswerMap sampleMap()
{
    constexpr int kNodes = 41;
    optimize::LimitMap map;
    map.xName = "A";
    map.yName = "B";
    optimize::LimitLayer layer;
    layer.response = "rate";
    layer.low = -0.5;
    layer.high = 1.0;
    layer.value.resize(kNodes, kNodes);
    map.isAllowed.setConstant(kNodes, kNodes, true);
    for (int i = 0; i < kNodes; ++i) {
        map.x.push_back(-1.0 + 2.0 * i / (kNodes - 1));
        map.y.push_back(-1.0 + 2.0 * i / (kNodes - 1));
    }
    for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j < kNodes; ++j)
            layer.value(i, j) = map.x[std::size_t(i)] + map.y[std::size_t(j)];
    map.constraints.value.resize(kNodes, kNodes);
    for (int i = 0; i < kNodes; ++i)
        map.constraints.value.row(i).setConstant(0.525 - map.x[std::size_t(i)]);
    map.layers.push_back(layer);
    return {.limits = map};
}

double areaOf(const PanelRegion& region)
{
    double sum = 0.0;
    for (const QPolygonF& outline : region.outlines)
        for (qsizetype i = 0; i < outline.size(); ++i) {
            const QPointF a = outline[i], b = outline[(i + 1) % outline.size()];
            sum += (a.x() * b.y() - b.x() * a.y()) / 2.0;
        }
    return std::abs(sum);
}

} // namespace

class AnswerMapPlotTest : public QObject {
    Q_OBJECT

private slots:
    void forbiddenRegionsAreWhereTheLimitsSay()
    {
        AnswerMapPlot plot;
        plot.setMap(sampleMap());
        const std::vector<PanelRegion>& regions = plot.board().panels.front().regions;
        QCOMPARE(regions.size(), std::size_t(3));
        QVERIFY(std::abs(areaOf(regions[0]) - 1.5 * 1.5 / 2) < 1e-9); // x + y < −0.5: a triangle
        QVERIFY(std::abs(areaOf(regions[1]) - 0.5) < 1e-9);           // x + y > 1
        QVERIFY(regions[2].role == RegionRole::Barred);
        QVERIFY(std::abs(areaOf(regions[2]) - 2.0 * 0.475) < 1e-9); // the constraint's own boundary
        QCOMPARE(plot.board().legend.size(), std::size_t(1));
    }

    void whatNoRunSupportsIsHatchedAndInTheLegend()
    {
        AnswerMap profile = sampleMap();
        profile.support.resize(41, 41);
        for (int i = 0; i < 41; ++i)
            profile.support.row(i).setConstant(
                0.325 - profile.limits.x[std::size_t(i)]); // x > 0.325, between two nodes
        AnswerMapPlot plot;
        plot.setMap(profile);
        const std::vector<PanelRegion>& regions = plot.board().panels.front().regions;
        const auto region = std::ranges::find(regions, RegionRole::Unsupported, &PanelRegion::role);
        QVERIFY(region != regions.end());
        QVERIFY(std::abs(areaOf(*region) - 2.0 * 0.675) < 1e-9);
        QCOMPARE(plot.board().legend.front().text, QStringLiteral("extrapolated"));
    }

    void limitsHaveTheirNamesAndTheirAllowedSideAtTheLeft()
    {
        AnswerMapPlot plot;
        plot.setMap(sampleMap());
        const std::vector<PanelContour>& contours = plot.board().panels.front().contours;
        QCOMPARE(contours.size(), std::size_t(2));
        QCOMPARE(contours[0].label, QStringLiteral("rate ≥ −0.5"));
        QCOMPARE(contours[1].label, QStringLiteral("rate ≤ 1"));
        for (const PanelContour& contour : {contours[0], contours[1]}) {
            const QPointF way = contour.points.back() - contour.points.front();
            const QPointF left(-way.y(), way.x());
            QCOMPARE(left.x() + left.y() > 0.0,
                     contour.label == contours[0].label); // more is allowed, or less
        }
    }

    /// Colors below the limits, whose places do not move when the map also shows runs beside the grid.
    void aFilledMapHasItsLimitsWhereTheyAre()
    {
        AnswerMap map = sampleMap();
        map.surface.xName = "A";
        map.surface.yName = "B";
        map.surface.x = map.limits.x;
        map.surface.y = map.limits.y;
        map.surface.z = map.limits.layers.front().value;
        map.surface.observed = {{.run = 1, .x = 3.0, .z = 1.0}};
        AnswerMapPlot plot;
        plot.setMap(map);
        const Panel& panel = plot.board().panels.front();
        QVERIFY(panel.x.scale.high > 2.9);
        std::vector<double> forbidden;
        for (const PanelRegion& region : panel.regions)
            if (region.role == RegionRole::Forbidden)
                forbidden.push_back(areaOf(region));
        QCOMPARE(forbidden.size(), std::size_t(2));
        QVERIFY(std::abs(forbidden[0] - 1.5 * 1.5 / 2) < 1e-9 && std::abs(forbidden[1] - 0.5) < 1e-9);
        QVERIFY(std::ranges::count(panel.regions, RegionRole::Level, &PanelRegion::role) > 3);
        QVERIFY(panel.dots.back().isHandle);
    }

    void aClickAndTheDraggedDotAskForASetting()
    {
        AnswerMapPlot plot;
        plot.resize(500, 400);
        plot.setMap(sampleMap());
        QSignalSpy asked(&plot, &AnswerMapPlot::placeRequested);
        const auto pixelAt = [&plot](double x, double y) {
            return plot.layoutOnScreen().frames().front().at(x, y).toPoint();
        };
        const auto isAt = [&asked](double x, double y) {
            return std::abs(asked.back()[0].toDouble() - x) < 0.02 &&
                   std::abs(asked.back()[1].toDouble() - y) < 0.02;
        };
        QTest::mouseClick(&plot, Qt::LeftButton, {}, pixelAt(0.5, -0.5));
        QCOMPARE(asked.size(), 1);
        QVERIFY(isAt(0.5, -0.5));
        QTest::mousePress(&plot, Qt::LeftButton, {}, pixelAt(0.0, 0.0));
        const QPoint to = pixelAt(-0.25, 0.75);
        QMouseEvent move(QEvent::MouseMove, to, plot.mapToGlobal(to), Qt::LeftButton, Qt::LeftButton, {});
        QApplication::sendEvent(&plot, &move);
        QVERIFY(isAt(-0.25, 0.75));
        QTest::mouseRelease(&plot, Qt::LeftButton, {}, to);
        QCOMPARE(asked.size(), 2);
        QCOMPARE(plot.layoutOnScreen().frames().front().view, PanelView{}); // nothing is zoomed
    }

    void arrowKeysStepAndWithCtrlMoveWhatIsSeen()
    {
        AnswerMapPlot plot;
        plot.resize(500, 400);
        plot.setMap(sampleMap());
        QSignalSpy stepped(&plot, &AnswerMapPlot::stepRequested);
        QTest::keyClick(&plot, Qt::Key_Up);
        QCOMPARE(stepped.size(), 1);
        QCOMPARE(stepped.back()[1].toDouble(), 0.05);
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(stepped.back()[0].toDouble(), 0.01);
        QTest::keyClick(&plot, Qt::Key_Plus);
        const double low = plot.layoutOnScreen().frames().front().xScale.low;
        QTest::keyClick(&plot, Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(stepped.size(), 2);
        QVERIFY(plot.layoutOnScreen().frames().front().xScale.low > low);
    }
};

QUADRIC_QT_TEST(AnswerMapPlotTest)
#include "answer_map_plot_test.moc"
