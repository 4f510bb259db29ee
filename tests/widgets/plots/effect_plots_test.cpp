// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/theme.h"
#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/plots/response_plots.h"
#include "widgets/text/wording.h"

#include <QTemporaryDir>
#include <QTest>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

QStringList labelsOf(const std::vector<Tick>& ticks)
{
    QStringList labels;
    for (const Tick& tick : ticks)
        labels << tick.label;
    return labels;
}

/// Longest unbroken piece of this color in a row of pixels.
int longestPiece(const QImage& image, int y, QRgb color)
{
    int longest = 0;
    int current = 0;
    for (int x = 0; x < image.width(); ++x) {
        current = image.pixel(x, y) == color ? current + 1 : 0;
        longest = std::max(longest, current);
    }
    return longest;
}

/// Lengths of the solid bars of one color from top to bottom (outlines and lines of text are thinner).
std::vector<double> solidBars(const QImage& image, const QColor& color)
{
    constexpr int kThickness = 8;
    std::vector<double> lengths;
    for (int y = 40, thickness = 0; y < image.height() - 40; ++y) {
        const int length = longestPiece(image, y, color.rgb());
        const bool isInside = length > 20 && longestPiece(image, y - 1, color.rgb()) == length;
        thickness = isInside ? thickness + 1 : 0;
        if (thickness == kThickness)
            lengths.push_back(length);
    }
    return lengths;
}

} // namespace

class EffectPlotsTest : public QObject {
    Q_OBJECT

private slots:
    void termNamesAreTypeset()
    {
        QCOMPARE(termText("A*B"), QStringLiteral("A × B"));
        QCOMPARE(termText("A^2"), QStringLiteral("A²"));
        QCOMPARE(termText("gpu_count*precision[bf16]"), QStringLiteral("gpu_count × precision[bf16]"));
        QCOMPARE(termText("A^2*B2"), QStringLiteral("A² × B2"));
        QCOMPARE(withUnit("batch", ""), QStringLiteral("batch"));
        QCOMPARE(withUnit("overlap", "%"), QStringLiteral("overlap (%)"));
    }

    void ticksStandAtRoundValues()
    {
        QCOMPARE(labelsOf(chooseTicks({4, 64, true}, 6)), QStringList({"4", "8", "16", "32", "64"}));
        QCOMPARE(labelsOf(chooseTicks({4, 64, true}, 3)), QStringList({"4", "16", "64"}));
        QCOMPARE(labelsOf(chooseTicks({96, 192, true}, 6)), QStringList({"96", "128", "192"}));
        QCOMPARE(labelsOf(chooseTicks({0, 100, false}, 6)),
                 QStringList({"0", "20", "40", "60", "80", "100"}));
        QCOMPARE(labelsOf(chooseTicks({0, 100, false}, 4)), QStringList({"0", "50", "100"}));
        QCOMPARE(labelsOf(chooseTicks({-0.5, 0.5, false}, 3)), QStringList({"−0.5", "0.0", "0.5"}));
        const AxisScale learningRate{1e-4, 1e-1, true};
        QCOMPARE(labelsOf(chooseTicks(learningRate, 4)), QStringList({"0.0001", "0.001", "0.01", "0.1"}));
        QCOMPARE(labelsOf(chooseTicks(learningRate, 7)),
                 QStringList({"0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1"}));
        QCOMPARE(labelsOf(chooseTicks({0.9e-4, 1.1e-1, true}, 2)), QStringList({"0.0001", "0.01"}));
        QCOMPARE(labelsOf(chooseTicks({0.002, 0.02, true}, 5)),
                 QStringList({"0.002", "0.005", "0.01", "0.02"}));
        QCOMPARE(labelsOf(chooseTicks({0.125, 2, true}, 6)), QStringList({"0.125", "0.25", "0.5", "1", "2"}));
        QCOMPARE(
            labelsOf(chooseTicks({1, 1e6, true}, 4)),
            QStringList({"1", "100", QStringLiteral("10\u202F000"), QStringLiteral("1\u202F000\u202F000")}));
        QCOMPARE(scaleOver({3.0, 3.0}, false).fractionOf(3.0), 0.5);
        QCOMPARE((AxisScale{4, 64, true}.actualAt(0.5)), 16.0);
        QCOMPARE((AxisScale{4, 64, true}.fractionOf(32)), 0.75);
    }

    void countsHaveNoTicksBetweenThem()
    {
        model::EffectCurve curve;
        curve.factor = "gpus";
        curve.actual = {1.0, 1.5, 2.0};
        curve.adjustedAt = {1.0, 2.0};
        QCOMPARE(labelsOf(factorAxis(curve).ticks), QStringList({"1", "2"}));
        curve.isLog2 = true;
        QCOMPARE(labelsOf(factorAxis(curve).ticks), QStringList({"1", "2"}));
        curve.adjustedAt = {1.0, 1.4, 2.0};
        QVERIFY(factorAxis(curve).ticks.empty()); // a rate: the usual ones
        QVERIFY(wholeTicks({8, 64, false}).empty());
    }

    void labelsOfNeighborsDoNotTouch()
    {
        const QFontMetricsF metrics{QFont()};
        constexpr double kLength = 220.0, kOverhang = 5.0;
        for (const AxisScale& scale : {AxisScale{1e-4, 1e-1, true}, AxisScale{16, 256, true},
                                       AxisScale{0, 100000, false}, AxisScale{-0.001, 0.001, false}}) {
            const std::vector<Tick> ticks = horizontalTicks(scale, kLength, metrics, kOverhang);
            QVERIFY(!ticks.empty());
            for (const Tick& tick : ticks) {
                const double half = metrics.horizontalAdvance(tick.label) / 2.0;
                const double middle = scale.fractionOf(tick.value) * kLength;
                QVERIFY2(middle - half >= -kOverhang && middle + half <= kLength + kOverhang,
                         qPrintable(tick.label));
            }
        }
    }

    void anUprightAxisHasMoreThanOneTick()
    {
        const QFontMetricsF metrics{QFont()};
        for (double low = -3.0; low < 3.0; low += 0.13)
            for (const double range : {0.3, 0.9, 1.9, 4.7})
                QVERIFY(verticalTicks({low, low + range}, 4.0 * metrics.height(), metrics).size() > 1);
    }

    void barsAreSortedAndToScale()
    {
        ParetoChart chart;
        model::Fit fit = samples::fitWithErrors();
        for (model::Effect& effect : fit.effects)
            effect.effect = std::abs(effect.effect);
        fit.effectLimit.value = 0.1; // all bars beyond the limit, in one color
        fit.effectLimit.bonferroni.reset();
        chart.setFit(fit);
        const std::vector<double> bars =
            solidBars(pictureOf(chart, kPictureSize), plotColors(chart.palette()).accent);
        const std::vector<double> expected{18.1, 8.4, 5.2, 3.5, 3.3, 2.48, 1.6};
        QVERIFY(bars.size() >= expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) // the limit's line takes some pixels off each bar
            QVERIFY2(std::abs(bars[i] / bars[0] - expected[i] / expected[0]) < 0.02,
                     qPrintable(QString::number(bars[i])));
    }

    void negativeBarsAreHatched()
    {
        ParetoChart chart;
        model::Fit fit = samples::fitWithErrors();
        for (model::Effect& effect : fit.effects)
            effect.effect = -std::abs(effect.effect);
        chart.setFit(fit);
        QVERIFY(solidBars(pictureOf(chart, kPictureSize), plotColors(chart.palette()).accent).empty());
    }

    void withoutLimitsNothingStandsOut()
    {
        ParetoChart chart;
        model::Fit fit = samples::fitWithLenth();
        fit.effectLimit = {};
        chart.setFit(fit);
        const QImage picture = pictureOf(chart, kPictureSize);
        QVERIFY(solidBars(picture, plotColors(chart.palette()).accent).empty());
        QCOMPARE(countPixels(picture, plotColors(chart.palette()).error), 0);
    }

    void noFitSaysWhy()
    {
        ParetoChart chart;
        const QRect middle(200, 200, 300, 100);
        const QColor ground = plotColors(chart.palette()).background;
        chart.clear({});
        QCOMPARE(countPixels(pictureOf(chart, kPictureSize), ground),
                 kPictureSize.width() * kPictureSize.height());
        model::Fit fit;
        fit.message = "Two more runs are needed.";
        chart.setFit(fit);
        QVERIFY(countPixels(pictureOf(chart, kPictureSize), ground, middle) <
                middle.width() * middle.height());
    }

    void effectsShowFitAndObservedMeans()
    {
        MainEffectsPlot plot;
        std::vector<model::EffectCurve> curves = samples::effectCurves();
        plot.setCurves(curves);
        const PlotColors colors = plotColors(plot.palette());
        const int withMeans = countPixels(pictureOf(plot, kPictureSize), colors.observed);
        for (model::EffectCurve& curve : curves)
            curve.adjustedAt.clear(), curve.adjustedMean.clear();
        plot.setCurves(curves);
        const QImage without = pictureOf(plot, kPictureSize);
        QCOMPARE(countPixels(without, colors.observed), 0);
        QVERIFY(withMeans > 9 * 20);
        QVERIFY(countPixels(without, colors.band) > 1000);
    }

    void everyPlaceIsDescribed()
    {
        const std::vector<model::EffectCurve> curves = samples::effectCurves();
        MainEffectsPlot effects;
        effects.setCurves(curves);
        for (std::size_t i = 0; i < curves.size(); ++i) {
            const QString tip = effects.board().panels[i].reading(curves[i].actual.front(), 0.0);
            QVERIFY2(tip.startsWith(QString::fromStdString(curves[i].factor)), qPrintable(tip));
            QVERIFY2(tip.contains(QStringLiteral(" img/s (95 % interval of the mean)")), qPrintable(tip));
        }
        model::PerturbationCurve low;
        low.factor = "low";
        low.coded = {-1, 0, 1};
        low.actual = {2, 4, 8};
        low.mean = {1, 2, 3};
        model::PerturbationCurve high = low;
        high.factor = "high";
        high.mean = {9, 8, 7};
        PerturbationPlot moved;
        moved.setCurves({low, high}, QStringLiteral("speed"), "img/s");
        QCOMPARE(moved.board().title, QStringLiteral("speed (img/s)"));
        const QString tip = moved.board().panels[0].reading(0.9, 6.0);
        QVERIFY2(tip.startsWith(QStringLiteral("high 8")), qPrintable(tip));
        QVERIFY2(tip.contains(QStringLiteral("speed 7 img/s")), qPrintable(tip));
    }

    void theLegendNamesWhatAppears()
    {
        std::vector<model::EffectCurve> curves = samples::effectCurves();
        const auto textsOf = [&curves] {
            MainEffectsPlot plot;
            plot.setCurves(curves);
            QStringList texts;
            for (const LegendEntry& entry : plot.board().legend)
                texts << entry.text;
            return texts;
        };
        QVERIFY(textsOf().contains(QStringLiteral("extrapolated")));
        QVERIFY(textsOf().contains(QStringLiteral("runs, adjusted")));
        for (model::EffectCurve& curve : curves) {
            curve.isExtrapolation.assign(curve.isExtrapolation.size(), false);
            curve.adjustedMean.clear();
            curve.adjustedAt.clear();
        }
        QCOMPARE(textsOf().size(), qsizetype(1)); // the band
    }

    void extrapolationIsNotSolid()
    {
        MainEffectsPlot plot;
        std::vector<model::EffectCurve> curves{samples::effectCurves()[0]};
        plot.setCurves(curves);
        const QColor accent = plotColors(plot.palette()).accent;
        const int solid = countPixels(pictureOf(plot, kPictureSize), accent);
        curves[0].isExtrapolation.assign(41, true);
        plot.setCurves(curves);
        QVERIFY(countPixels(pictureOf(plot, kPictureSize), accent) < solid * 0.9);
    }

    void manyFactorsFit()
    {
        MainEffectsPlot plot;
        std::vector<model::EffectCurve> curves;
        for (int i = 0; i < 4; ++i)
            for (const model::EffectCurve& curve : samples::effectCurves())
                curves.push_back(curve);
        plot.setCurves(curves);
        for (const QSize size : {QSize(420, 300), QSize(160, 120), QSize(30, 30)})
            QVERIFY(!pictureOf(plot, size).isNull());
    }

    void bothPrintAsVectors()
    {
        ParetoChart pareto;
        pareto.setFit(samples::fitWithErrors());
        MainEffectsPlot effects;
        effects.setCurves(samples::effectCurves());
        for (Plot* plot : {static_cast<Plot*>(&pareto), static_cast<Plot*>(&effects)}) {
            const QByteArray pdf = pdfOf(*plot, {560.0, 360.0});
            QVERIFY(pdf.contains("/Font"));
            QVERIFY(!pdf.contains("/Subtype /Image"));
        }
    }

    void colorsFollowThePalette()
    {
        ParetoChart chart;
        chart.setFit(samples::fitWithErrors());
        for (const QPalette& palette : {lightPalette(), darkPalette()}) {
            chart.setPalette(palette);
            QVERIFY(!solidBars(pictureOf(chart, kPictureSize), plotColors(palette).accent).empty());
        }
    }

    void picturesAreSaved()
    {
        const QTemporaryDir folder;
        ParetoChart chart;
        chart.setPalette(darkPalette());
        chart.resize(420, 300);
        chart.setFit(samples::fitWithErrors());
        QCOMPARE(savePicture(chart, folder.filePath("chart.png")), QString());
        const QImage image(folder.filePath("chart.png"));
        QCOMPARE(image.size(), QSize(840, 600));
        QCOMPARE(image.pixelColor(2, 2), QColor(Qt::white)); // as printed, whatever the theme
        QCOMPARE(savePicture(chart, folder.filePath("chart.svg")), QString());
        QFile svg(folder.filePath("chart.svg"));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("gpu_count × batch"));
        QVERIFY(!text.contains("<image"));
        QCOMPARE(savePicture(chart, folder.filePath("chart.pdf")), QString());
        QVERIFY(!savePicture(chart, folder.filePath("missing/chart.pdf")).isEmpty());
    }

    void paintTime()
    {
        MainEffectsPlot plot;
        plot.setCurves(samples::effectCurves());
        pictureOf(plot, kPictureSize);
        QBENCHMARK
        {
            plot.setPickedRuns(-1); // drawn anew
            pictureOf(plot, kPictureSize);
        }
    }
};

QUADRIC_QT_TEST(EffectPlotsTest)
#include "effect_plots_test.moc"
