// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "square_heights.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/iso_lines.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/response_plots.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

using Outline = std::vector<Eigen::Vector2d>;

constexpr int kNodes = 61;

/// In units of −1 … 1; positive where the region lies to the left.
double areaOf(const std::vector<Outline>& outlines, int nodes)
{
    double area = 0.0;
    for (const Outline& outline : outlines)
        for (std::size_t i = 0; i < outline.size(); ++i) {
            const Eigen::Vector2d a = fromIndex(outline[i], nodes);
            const Eigen::Vector2d b = fromIndex(outline[(i + 1) % outline.size()], nodes);
            area += (a.x() * b.y() - b.x() * a.y()) / 2.0;
        }
    return area;
}

double bowl(double x, double y)
{
    return x * x + y * y;
}

} // namespace

class ContourTest : public QObject {
    Q_OBJECT

private slots:
    void aPlaneIsCutStraight()
    {
        const auto region = isoRegion(heights(5, [](double x, double y) { return x + 2.0 * y; }), 0.3);
        QCOMPARE(region.size(), std::size_t(1));
        // x + 2 y ≥ 0.3 over the square: below, y = 0.15 − x / 2 leaves 2 · 0.85 of 4.
        QVERIFY(std::abs(areaOf(region, 5) - 1.7) < 1e-12);
    }

    void whatLiesAboveALevelOfABowlIsTheSquareWithoutADisc()
    {
        const auto region = isoRegion(heights(kNodes, bowl), 0.25);
        QCOMPARE(region.size(), std::size_t(2)); // the border, and the hole
        QVERIFY(std::abs(areaOf(region, kNodes) - (4.0 - std::numbers::pi * 0.25)) < 2e-3);
        for (const Outline& outline : region)
            for (const Eigen::Vector2d& point : outline) {
                const Eigen::Vector2d at = fromIndex(point, kNodes);
                const bool isOnBorder = at.cwiseAbs().maxCoeff() > 1.0 - 1e-12;
                QVERIFY(isOnBorder || std::abs(at.norm() - 0.5) < 1e-3);
            }
    }

    void levelsOutsideTheHeightsHaveAllOrNothing()
    {
        const Eigen::MatrixXd z = heights(7, bowl);
        QVERIFY(std::abs(areaOf(isoRegion(z, -1.0), 7) - 4.0) < 1e-12);
        QVERIFY(isoRegion(z, 3.0).empty());
    }

    void cornersOfASaddleAreJoinedThroughAHighMiddleOnly()
    {
        Eigen::MatrixXd z(2, 2);
        z << 1.0, 0.0, 0.0, 1.0; // the middle is at 0.5
        QCOMPARE(isoRegion(z, 0.4).size(), std::size_t(1));
        QCOMPARE(isoRegion(z, 0.6).size(), std::size_t(2));
        // Two corners with sides of 0.4; or all but two with sides of 0.4. The cell's own side is 2 units.
        QVERIFY(std::abs(areaOf(isoRegion(z, 0.6), 2) - 4.0 * 0.16) < 1e-12);
        QVERIFY(std::abs(areaOf(isoRegion(z, 0.4), 2) - 4.0 * (1.0 - 0.16)) < 1e-12);
    }

    void cellsWithoutAValueAreLeftOut()
    {
        Eigen::MatrixXd z = heights(5, [](double x, double) { return x; });
        z(2, 2) = std::nan("");
        QVERIFY(std::abs(areaOf(isoRegion(z, -5.0), 5) - (4.0 - 4.0 * 0.25)) < 1e-12);
    }

    void bandsEndAtTheLines()
    {
        const Eigen::MatrixXd z = heights(kNodes, bowl);
        const AxisScale scale{0.0, 2.0, false};
        const std::vector<ColorBand> bands = colorBands(z, scale);
        QVERIFY(bands.size() >= 32 && bands.size() < 80);
        QVERIFY(bands.front().level <= 0.0 && bands.back().level < 2.0);
        for (const Tick& line : contourTicks(scale))
            QVERIFY(line.value >= 2.0 - 1e-9 || std::ranges::any_of(bands, [&line](const ColorBand& band) {
                        return std::abs(band.level - line.value) < 1e-9;
                    }));
        for (std::size_t k = 1; k < bands.size(); ++k) { // each inside the one before, by the ring between
            const double inside = areaOf(bands[k].outlines, kNodes);
            QVERIFY(inside < areaOf(bands[k - 1].outlines, kNodes));
            if (bands[k].level < 1.0) // the disc lies inside the square
                QVERIFY(std::abs(inside - (4.0 - std::numbers::pi * bands[k].level)) < 4e-3);
        }
    }

    void theMapIsMadeOfVectors()
    {
        ContourPlot plot;
        plot.setGrid(samples::surface());
        const QByteArray svg = renderSvg(plot, {.size = QSize(340, 290), .decimals = 1});
        QVERIFY(!svg.contains("<image"));
        QVERIFY2(svg.size() < 40000, QByteArray::number(svg.size()));
        QVERIFY(!samples::pdfOf(plot, QSizeF(340, 290)).contains("/Subtype /Image"));
    }

    void whatIsInfeasibleIsHatchedAndTheTooltipNamesTheConstraint()
    {
        model::SurfaceGrid grid = samples::surface();
        grid.feasible.value.setConstant(grid.z.rows(), grid.z.cols(), 1.0);
        grid.feasible.value.rightCols(2).setConstant(-1.0);
        grid.feasible.reason = [](double, double) { return std::string("a × b = 9 > 8"); };
        ContourPlot plot;
        plot.setGrid(grid);
        const Panel& panel = plot.board().panels.front();
        const auto isBarred = [](const PanelRegion& region) { return region.role == RegionRole::Barred; };
        QCOMPARE(std::ranges::count_if(panel.regions, isBarred), 1);
        QVERIFY(plot.board().legend.back().text == QStringLiteral("infeasible"));
        QVERIFY(panel.reading(grid.x[1], grid.y[1]).endsWith(QStringLiteral("Infeasible: a × b = 9 > 8.")));
    }

    void whatMostlyFailsIsHatchedWithALineAtAHalfAndCrossesOfFailedRuns()
    {
        model::MarkedSurface grid = samples::surface();
        grid.running.level = 0.5;
        grid.running.value.setConstant(grid.z.rows(), grid.z.cols(), 0.9);
        grid.running.value.rightCols(grid.z.cols() / 2).setConstant(0.2);
        grid.failed = {{7, grid.x[1], grid.y.back(), "out-of-memory"}};
        ContourPlot plot;
        plot.setGrid(grid);
        const Panel& panel = plot.board().panels.front();
        QCOMPARE(std::ranges::count(panel.regions, RegionRole::Failing, &PanelRegion::role), 1);
        QCOMPARE(std::ranges::count(panel.contours, true, &PanelContour::isChance), 1);
        QCOMPARE(std::ranges::count(panel.dots, DotRole::Failed, &PanelDot::role), 1);
        QVERIFY(panel.dots.back().tip.startsWith(QStringLiteral("Run 7 failed: out of memory")));
        const auto hasEntry = [&plot](const QString& text) {
            return std::ranges::count(plot.board().legend, text, &LegendEntry::text) == 1;
        };
        QVERIFY(hasEntry(QStringLiteral("P(runs) < 50 %")));
        QVERIFY(hasEntry(QStringLiteral("failed run")));
        QVERIFY(panel.reading(grid.x[1], grid.y[1]).endsWith(QStringLiteral("Runs with 90 %")));
        const QImage picture = samples::pictureOf(plot, QSize(560, 420));
        QVERIFY(samples::countPixels(picture, plotColors(plot.palette()).error) > 40);
    }

    void theColorIsThatOfTheValue()
    {
        model::SurfaceGrid grid = samples::surface();
        grid.observed.clear();
        grid.isExtrapolation.setConstant(false);
        ContourPlot plot;
        plot.setGrid(grid);
        const QImage picture = samples::pictureOf(plot, QSize(560, 420));
        // The four colors at the ends and in the middle of the scale stand somewhere on the map.
        const AxisScale scale = scaleOver({grid.z.data(), grid.z.data() + grid.z.size()}, false);
        const std::vector<ColorBand> bands = colorBands(grid.z, scale);
        for (const std::size_t k : {bands.size() / 3, bands.size() / 2, bands.size() - 2})
            QVERIFY(samples::countPixels(picture, viridis(bands[k].share)) > 20);
    }
};

QUADRIC_QT_TEST(ContourTest)
#include "contour_test.moc"
