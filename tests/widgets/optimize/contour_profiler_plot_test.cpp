// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limit_plot.h"

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// A response x + y over −1 to +1 in both directions, allowed from −0.5 to +1, and one corner barred.
optimize::LimitMap sampleMap()
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
    map.isAllowed(0, 0) = false;
    map.layers.push_back(layer);
    return map;
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

class LimitPlotTest : public QObject {
    Q_OBJECT

private slots:
    void forbiddenRegionsAreWhereTheLimitsSay()
    {
        LimitPlot plot;
        plot.setMap(sampleMap(), {0.0, 0.0});
        const std::vector<PanelRegion>& regions = plot.board().panels.front().regions;
        QCOMPARE(regions.size(), std::size_t(4));
        QVERIFY(std::abs(areaOf(regions[0]) - 4.0) < 1e-9);           // all
        QVERIFY(std::abs(areaOf(regions[1]) - 1.5 * 1.5 / 2) < 1e-9); // x + y < −0.5: a triangle
        QVERIFY(std::abs(areaOf(regions[2]) - 0.5) < 1e-9);           // x + y > 1
        QVERIFY(std::abs(areaOf(regions[3]) - 0.05 * 0.05) < 1e-9);   // one cell
    }

    void limitsHaveTheirNamesAndTheirAllowedSideAtTheLeft()
    {
        LimitPlot plot;
        plot.setMap(sampleMap(), {0.0, 0.0});
        const std::vector<PanelContour>& contours = plot.board().panels.front().contours;
        QCOMPARE(contours.size(), std::size_t(2));
        QCOMPARE(contours[0].label, QStringLiteral("rate ≥ −0.5"));
        QCOMPARE(contours[1].label, QStringLiteral("rate ≤ 1"));
        for (const PanelContour& contour : contours) {
            const QPointF way = contour.points.back() - contour.points.front();
            const QPointF left(-way.y(), way.x());
            QCOMPARE(left.x() + left.y() > 0.0, &contour == &contours[0]); // more is allowed, or less
        }
    }

    void aClickAndTheDraggedDotAskForASetting()
    {
        LimitPlot plot;
        plot.resize(500, 400);
        plot.setMap(sampleMap(), {0.0, 0.0});
        QSignalSpy asked(&plot, &LimitPlot::placeRequested);
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
        LimitPlot plot;
        plot.resize(500, 400);
        plot.setMap(sampleMap(), {0.0, 0.0});
        QSignalSpy stepped(&plot, &LimitPlot::stepRequested);
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

QTEST_MAIN(LimitPlotTest)
#include "limit_plot_test.moc"
