// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/optimize/charts/contour_profiler_plot.h"

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
ContourProfile sampleProfile()
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
    return {.map = map, .contours = {0.25}};
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

class ContourProfilerPlotTest : public QObject {
    Q_OBJECT

private slots:
    void forbiddenRegionsAreWhereTheLimitsSay()
    {
        ContourProfilerPlot plot;
        plot.setProfile(sampleProfile());
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
        ContourProfile profile = sampleProfile();
        profile.support.resize(41, 41);
        for (int i = 0; i < 41; ++i)
            profile.support.row(i).setConstant(0.325 -
                                               profile.map.x[std::size_t(i)]); // x > 0.325, between two nodes
        ContourProfilerPlot plot;
        plot.setProfile(profile);
        const std::vector<PanelRegion>& regions = plot.board().panels.front().regions;
        const auto region = std::ranges::find(regions, RegionRole::Unsupported, &PanelRegion::role);
        QVERIFY(region != regions.end());
        QVERIFY(std::abs(areaOf(*region) - 2.0 * 0.675) < 1e-9);
        QCOMPARE(plot.board().legend.front().text, QStringLiteral("extrapolated"));
    }

    void limitsHaveTheirNamesAndTheirAllowedSideAtTheLeft()
    {
        ContourProfilerPlot plot;
        plot.setProfile(sampleProfile());
        const std::vector<PanelContour>& contours = plot.board().panels.front().contours;
        QCOMPARE(contours.size(), std::size_t(3));
        QCOMPARE(contours[0].label, QStringLiteral("rate ≥ −0.5"));
        QCOMPARE(contours[1].label, QStringLiteral("rate ≤ 1"));
        QCOMPARE(contours[2].label, QStringLiteral("rate 0.25"));
        QVERIFY(!contours[2].isLimit);
        for (const QPointF& point : contours[2].points)
            QVERIFY(std::abs(point.x() + point.y() - 0.25) < 1e-9);
        for (const PanelContour& contour : {contours[0], contours[1]}) {
            const QPointF way = contour.points.back() - contour.points.front();
            const QPointF left(-way.y(), way.x());
            QCOMPARE(left.x() + left.y() > 0.0,
                     contour.label == contours[0].label); // more is allowed, or less
        }
    }

    void aClickAndTheDraggedDotAskForASetting()
    {
        ContourProfilerPlot plot;
        plot.resize(500, 400);
        plot.setProfile(sampleProfile());
        QSignalSpy asked(&plot, &ContourProfilerPlot::placeRequested);
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
        ContourProfilerPlot plot;
        plot.resize(500, 400);
        plot.setProfile(sampleProfile());
        QSignalSpy stepped(&plot, &ContourProfilerPlot::stepRequested);
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

QUADRIC_QT_TEST(ContourProfilerPlotTest)
#include "contour_profiler_plot_test.moc"
