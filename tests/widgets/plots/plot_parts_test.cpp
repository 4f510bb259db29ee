// SPDX-License-Identifier: GPL-3.0-or-later
#include "sample_data.h"
#include "square_heights.h"
#include "tests/support/qt_tests.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/diagnostic_plots.h"
#include "widgets/plots/panel/panel_layout.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/pareto_data.h"
#include "widgets/plots/scene/surface_mesh.h"

#include <QImage>
#include <QPainter>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

class PlotPartsTest : public QObject {
    Q_OBJECT

private slots:
    void aPlaneHasStraightLines()
    {
        const auto lines = isoLines(heights(5, [](double x, double y) { return x + 2.0 * y; }), {0.3});
        QCOMPARE(lines.size(), std::size_t(1));
        for (const Eigen::Vector2d& point : lines[0].points) {
            const Eigen::Vector2d at = fromIndex(point, 5);
            QVERIFY(std::abs(at.x() + 2.0 * at.y() - 0.3) < 1e-12);
        }
        QVERIFY(lines[0].points.front() != lines[0].points.back());
    }

    void aHillHasAClosedCircle()
    {
        constexpr int kNodes = 61;
        const auto lines =
            isoLines(heights(kNodes, [](double x, double y) { return -std::hypot(x, y); }), {-0.5, -2.0});
        QCOMPARE(lines.size(), std::size_t(1)); // no point is that deep
        QCOMPARE(lines[0].points.front(), lines[0].points.back());
        double length = 0.0;
        for (std::size_t i = 0; i < lines[0].points.size(); ++i) {
            const Eigen::Vector2d at = fromIndex(lines[0].points[i], kNodes);
            QVERIFY(std::abs(at.norm() - 0.5) < 1e-3);
            if (i > 0)
                length += (at - fromIndex(lines[0].points[i - 1], kNodes)).norm();
        }
        QVERIFY(std::abs(length - std::numbers::pi) < 0.01);
    }

    void aSaddleIsCutOnTheSideOfItsMiddle()
    {
        Eigen::MatrixXd z(2, 2);
        z << 1.0, 0.0, 0.0, 1.0; // the middle is at 0.5
        for (const double level : {0.4, 0.6}) {
            const auto lines = isoLines(z, {level});
            QCOMPARE(lines.size(), std::size_t(2));
            for (const IsoLine& line : lines) {
                const Eigen::Vector2d middle = (line.points.front() + line.points.back()) / 2.0;
                const bool isNearHighCorner = std::abs(middle.x() - middle.y()) < 0.2;
                QCOMPARE(isNearHighCorner, level > 0.5);
            }
        }
    }

    void holesAreLeftOut()
    {
        Eigen::MatrixXd z = heights(5, [](double x, double) { return x; });
        z(2, 2) = std::nan("");
        double length = 0.0;
        for (const IsoLine& line : isoLines(z, {0.1}))
            for (std::size_t i = 1; i < line.points.size(); ++i)
                length += (line.points[i] - line.points[i - 1]).norm();
        QVERIFY(std::abs(length - 2.0) < 1e-12); // two of the four cells that the line crosses are whole
    }

    void theGridIsReadBetweenItsNodes()
    {
        const model::SurfaceGrid grid = samples::surface();
        const double x = std::sqrt(grid.x[3] * grid.x[4]); // halfway on the log2 axis
        const auto at = locate(grid, x, grid.y[7]);
        QVERIFY(at.has_value());
        QVERIFY(std::abs(interpolate(grid.z, *at) - (grid.z(3, 7) + grid.z(4, 7)) / 2.0) < 1e-6);
        QVERIFY(!locate(grid, 2.0 * grid.x.back(), grid.y[7]));
        QVERIFY(describe(grid, x, grid.y[7]).contains(QStringLiteral("img/s")));
    }

    void panelsShareTheRoom()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        PanelBoard board;
        board.columns = 2;
        board.panels.resize(4);
        for (Panel& panel : board.panels)
            panel.x.scale = panel.y.scale = {0.0, 10.0, false};
        const PanelLayout layout(board, {0, 0, 600, 400}, style);
        QCOMPARE(layout.frames().size(), std::size_t(4));
        QCOMPARE(layout.frames()[0].inner.size(), layout.frames()[3].inner.size());
        QVERIFY(layout.frames()[1].inner.left() > layout.frames()[0].inner.right());
        QVERIFY(layout.frames()[2].inner.top() > layout.frames()[0].inner.bottom());
        QCOMPARE(layout.frames()[0].at(5.0, 5.0), layout.frames()[0].inner.center());
        QCOMPARE(layout.frames()[0].at(0.0, 10.0), layout.frames()[0].inner.topLeft());
    }

    void aLegendTakesAsManyLinesAsItNeeds()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        const QString name = QStringLiteral("gradient_compression");
        const QStringList entries(4, name);
        const double own = kLegendSample + QFontMetricsF(style.small).horizontalAdvance(name);
        QCOMPARE(legendLines(entries, 4 * own + 3 * kLegendGap + 1, style).size(), std::size_t(1));
        const auto lines = legendLines(entries, 3 * own + 2 * kLegendGap + 1, style);
        QCOMPARE(lines.size(), std::size_t(2));
        QCOMPARE(lines[0], std::size_t(3));
        QCOMPARE(legendLines(entries, own / 2, style).size(), std::size_t(4));
    }

    void panelsAreAsWideAsTheirTitlesWhereRowsHaveRoom()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        PanelBoard board;
        board.sharesY = true;
        board.panels.resize(10);
        for (Panel& panel : board.panels) {
            panel.title = QStringLiteral("batch × pipeline");
            panel.x.scale = panel.y.scale = {0.0, 10.0, false};
        }
        const double title = QFontMetricsF(style.title).horizontalAdvance(board.panels[0].title);
        const PanelLayout high(board, {0, 0, 600, 1200}, style);
        for (const PanelFrame& frame : high.frames())
            QVERIFY(frame.inner.width() >= title);
        const PanelLayout low(board, {0, 0, 600, 300}, style);
        QCOMPARE(low.frames()[4].inner.top(), low.frames()[0].inner.top());
    }

    void namesOfDotsDoNotOverlap()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        PanelFrame frame;
        frame.inner = {0, 0, 400, 300};
        frame.xScale = frame.yScale = {0.0, 10.0, false};
        const std::vector<PanelDot> dots{{.x = 1.0, .y = 1.0, .label = QStringLiteral("small")},
                                         {.x = 1.1, .y = 1.1, .label = QStringLiteral("large")},
                                         {.x = 9.9, .y = 9.0, .label = QStringLiteral("at the edge")}};
        const std::vector<DotLabel> labels = dotLabels(frame, dots, style);
        QCOMPARE(labels.size(), dots.size()); // the third finds a place beside
        QCOMPARE(labels[0].text, QStringLiteral("at the edge"));
        QVERIFY(labels[0].place.right() < frame.xOf(9.9));
        QCOMPARE(labels[1].text, QStringLiteral("large"));
        QVERIFY(!labels[1].place.intersects(labels[2].place));
        const std::vector<DotLabel> crowded = dotLabels(frame, std::vector<PanelDot>(30, dots[0]), style);
        for (std::size_t i = 0; i < crowded.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!crowded[i].place.intersects(crowded[j].place));
    }

    void rowsThatMatterAreAlwaysSeen()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        PanelBoard board;
        Panel& panel = board.panels.emplace_back();
        panel.x.scale = {0.0, 10.0, false};
        for (int i = 0; i < 30; ++i)
            addRow(panel, QStringLiteral("term %1").arg(i), {.right = 10.0 - i / 3.0});
        const QRectF area(0, 0, 400, 210);
        const std::size_t usual = PanelLayout(board, area, style).frames()[0].yTicks.size();
        QVERIFY(usual > 2 && usual < 14);
        panel.leastRows = 14;
        const PanelFrame frame = PanelLayout(board, area, style).frames()[0];
        QVERIFY(frame.yTicks.size() >= 14);
        QCOMPARE(frame.yTicks[13].label, QStringLiteral("term 13"));
        panel.leastRows = 99; // more than there are
        QVERIFY(PanelLayout(board, {0, 0, 400, 400}, style).frames()[0].yTicks.size() == 30);
    }

    void significantBarsAreTheOnesThatMatter()
    {
        const Panel panel = paretoPanel(samples::fitWithErrors());
        int significant = 0;
        for (std::size_t i = 0; i < panel.bars.size(); ++i)
            if (panel.bars[i].role != BarRole::Weak)
                significant = static_cast<int>(i) + 1;
        QVERIFY(significant > 0 && significant < static_cast<int>(panel.bars.size()));
        QCOMPARE(panel.leastRows, significant);
    }

    void howeverLongWhatIsHeldIsThePlotKeepsItsRoom()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, true);
        QImage image(400, 300, QImage::Format_RGB32);
        QPainter painter(&image);
        PlotHeader header{.title = QStringLiteral("y"), .held = QStringLiteral("at a 1"), .isWhole = true};
        const QRectF target(0, 0, 400, 300);
        const QRectF beside = drawHeader(painter, target, style, header);
        header.held = QStringLiteral("learning_rate 0.225 · ").repeated(6);
        const QRectF lines = drawHeader(painter, target, style, header);
        QVERIFY(lines.height() < beside.height());
        header.held = QStringLiteral("learning_rate 0.225 · ").repeated(500);
        QVERIFY(drawHeader(painter, target, style, header).height() > 0.55 * beside.height());
        header.isWhole = false; // on the screen it takes no room of its own
        QCOMPARE(drawHeader(painter, target, style, header), beside);
    }

    void aLegendGivesWayInASmallPlot()
    {
        QWidget widget;
        const PlotStyle style = plotStyle(widget, false);
        const QStringList texts{QStringLiteral("run"), QStringLiteral("extrapolated")};
        QCOMPARE(legendHeight(texts, {400, 300}, style), legendLineHeight(style));
        QCOMPARE(legendHeight(texts, {400, 40}, style), 0.0);
        QCOMPARE(legendHeight(texts, {30, 60}, style), 0.0);
        QCOMPARE(legendHeight({}, {400, 300}, style), 0.0);
    }

    void outliersBearTheirNumberAndLimitsAreDrawn()
    {
        model::NormalPlot residuals;
        residuals.points = {{.label = "1", .value = -0.4, .score = -1.0, .run = 1},
                            {.label = "7", .value = 3.4, .score = 1.0, .run = 7}};
        const ResidualScale scale{true, model::OutlierTest{2.0, 3.0, {7}}};
        const Panel normal = normalPanel(residuals, scale);
        QCOMPARE(normal.dots[0].label, QString());
        QCOMPARE(normal.dots[1].label, QStringLiteral("7"));
        model::OrderPlot ordered;
        ordered.runs = {1, 7};
        ordered.orders = {1, 2};
        ordered.residuals = {-0.4, 3.4};
        const Panel order = orderPanel(ordered, scale);
        std::set<double> levels;
        for (const PanelLine& line : order.lines)
            levels.insert(line.y.front());
        QCOMPARE(levels, (std::set<double>{-3.0, -2.0, 0.0, 2.0, 3.0}));
        QVERIFY(order.y.scale.low <= -3.4 && order.y.scale.high >= 3.4);
        QCOMPARE(residualLegend(scale).size(), std::size_t(2));
        QVERIFY(residualLegend({false, std::nullopt}).empty());
    }

    void aBarOfTheHistogramKnowsItsRuns()
    {
        model::OrderPlot ordered;
        ordered.runs = ordered.orders = {1, 2, 3, 4, 5};
        ordered.residuals = {-2.0, -1.0, 0.0, 1.0, 2.0};
        std::vector<int> runs;
        for (const PanelBar& bar : histogramPanel(ordered).bars) {
            QCOMPARE(static_cast<double>(bar.runs.size()), bar.high);
            runs.insert(runs.end(), bar.runs.begin(), bar.runs.end());
        }
        QCOMPARE(runs, ordered.runs);
    }

    void aPlaceOnACurveIsDescribed()
    {
        model::EffectCurve curve;
        curve.factor = "gpus";
        curve.unit = "GPUs";
        curve.response = "throughput";
        curve.responseUnit = "img/s";
        curve.isLog2 = true;
        curve.actual = {8.0, 32.0, 128.0};
        curve.mean = {100.0, 200.0, 300.0};
        curve.low = {90.0, 190.0, 290.0};
        curve.high = {110.0, 210.0, 310.0};
        curve.isExtrapolation = {false, false, true};
        const QString half = describeCurve(curve, 16.0);
        QVERIFY2(half.startsWith(QStringLiteral("gpus 16")), qPrintable(half));
        QVERIFY2(half.contains(QStringLiteral("throughput 150 ± 10 img/s")), qPrintable(half));
        QVERIFY(!half.contains(QStringLiteral("extrapolated")));
        QVERIFY(describeCurve(curve, 120.0).contains(QStringLiteral("extrapolated")));
        curve.categories = {"fp32", "bf16"};
        curve.actual = {0.0, 1.0};
        QVERIFY(describeCurve(curve, 0.4).isEmpty()); // as many means as levels
        curve.mean = {100.0, 200.0};
        QVERIFY(describeCurve(curve, 0.7).startsWith(QStringLiteral("gpus bf16")));
    }

    void everyBarSaysWhatItIs()
    {
        const Panel panel = paretoPanel(samples::fitWithErrors());
        QCOMPARE(panel.bars.size(), panel.y.ticks.size());
        QVERIFY(std::ranges::is_sorted(panel.bars, std::ranges::greater{}, &PanelBar::right));
        for (std::size_t i = 0; i < panel.bars.size(); ++i) {
            QCOMPARE(panel.y.ticks[i].value, -double(i));
            QVERIFY(panel.bars[i].low < panel.y.ticks[i].value &&
                    panel.y.ticks[i].value < panel.bars[i].high);
            QVERIFY(panel.bars[i].tip.startsWith(panel.y.ticks[i].label));
        }
        QVERIFY(panel.bars[0].tip.contains(QStringLiteral("\nsignificant")));
    }

    void aTextThatDoesNotFitLosesItsUnitFirst()
    {
        const QFontMetricsF metrics{QFont()};
        const QString text = QStringLiteral("batch_per_gpu (images)");
        const QString name = QStringLiteral("batch_per_gpu");
        QCOMPARE(fitted(text, metrics, metrics.horizontalAdvance(text) + 1.0), text);
        QCOMPARE(fitted(text, metrics, metrics.horizontalAdvance(text) - 1.0), name);
        QCOMPARE(fitted(text, metrics, metrics.horizontalAdvance(name) + 1.0), name);
        QVERIFY(fitted(text, metrics, metrics.horizontalAdvance(name) - 1.0).endsWith(QChar(0x2026)));
        QVERIFY(fitted(QStringLiteral("(images)"), metrics, 20.0).endsWith(QChar(0x2026)));
    }

    void namesOfLimitsTouchNeitherLinesNorEachOther()
    {
        const QRectF band(0, 0, 400, 28);
        for (double first = 10.0; first < 395.0; first += 3.0)
            for (double second = first + 0.5; second < 395.0; second += 3.0)
                for (const double width : {30.0, 90.0, 170.0}) {
                    const std::vector<LimitName> names{{first, width}, {second, 60.0}};
                    const std::vector<QRectF> places = placeLimitNames(names, band);
                    QCOMPARE(places.size(), names.size());
                    const bool hasRoomRight =
                        second + kLimitGap + 60.0 <= 400.0 && first + kLimitGap + width <= 400.0;
                    const bool hasRoomLeft = second >= kLimitGap + 60.0 && first >= kLimitGap + width;
                    if (!hasRoomRight && !hasRoomLeft)
                        continue;
                    QVERIFY(!places[0].intersects(places[1]));
                    for (std::size_t i = 0; i < places.size(); ++i)
                        for (std::size_t line = 0; line < names.size(); ++line) {
                            const QRectF reach(names[line].x - 1.0, places[line].top() + 0.1, 2.0,
                                               band.bottom() - places[line].top());
                            QVERIFY(!places[i].intersects(reach));
                        }
                    QVERIFY(band.contains(places[0]) && band.contains(places[1]));
                }
    }

    void aNameStandsInTheLowerLineWhereNothingIsInItsWay()
    {
        const QRectF band(0, 0, 400, 28);
        const std::vector<QRectF> apart = placeLimitNames({{50, 60}, {200, 60}}, band);
        QCOMPARE(apart[0].top(), 14.0);
        QCOMPARE(apart[1].top(), 14.0);
        QCOMPARE(placeLimitNames({{50, 60}, {60, 60}}, band)[0].top(), 0.0);
        QVERIFY(placeLimitNames({{380, 60}}, band)[0].right() < 380.0);
    }
};

QUADRIC_QT_TEST(PlotPartsTest)
#include "plot_parts_test.moc"
