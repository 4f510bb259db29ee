// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/design/quality/quality_plots.h"
#include "widgets/design/quality/quality_tables.h"

#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

class QualityPlotsTest : public QObject {
    Q_OBJECT

private slots:
    void termsOfAKindStandTogether()
    {
        PowerBars bars;
        bars.setPower({{"A", 2.0, 0.9}, {"A*B", 2.0, 0.5}, {"A^2", 1.0, 0.8}, {"B", 2.0, 0.799}});
        const Panel& panel = bars.board().panels.front();
        const auto textsOf = [](const std::vector<Tick>& ticks) {
            QStringList texts;
            for (const Tick& tick : ticks)
                texts << tick.label;
            return texts;
        };
        QCOMPARE(textsOf(panel.y.ticks), QStringList({"A", "B", "A × B", "A²"}));
        QCOMPARE(textsOf(panel.headings), QStringList({"Main effects", "Interactions", "Quadratic effects"}));
        QCOMPARE(panel.y.ticks[0].value, -1.0); // below its heading
        QCOMPARE(panel.headings[1].value, -3.0);
        QCOMPARE(panel.bars[1].text, QStringLiteral("79 %")); // never the usual minimum where it is less
        QVERIFY2(panel.x.title.contains("α = 5 %"), qPrintable(panel.x.title));
        QVERIFY2(panel.limits.front().name.contains("80 %"), qPrintable(panel.limits.front().name));
        QVERIFY(panel.bars[1].isHatched); // less than is usually asked for
        QVERIFY(!panel.bars[3].isHatched);
        QVERIFY(panel.bars[0].tip.contains("90 %"));
    }

    void withoutRowsTheReasonIsShown()
    {
        PowerBars bars;
        bars.setPower({});
        QVERIFY(bars.board().panels.empty());
    }

    void theCurveIsReadBetweenItsPoints()
    {
        FdsPlot plot;
        plot.setCurves({{QString(), {{0.0, 0.4}, {0.5, 0.5}, {1.0, 0.9}}}});
        const Panel& panel = plot.board().panels.front();
        QCOMPARE(panel.reading(0.75, 0.0),
                 QStringLiteral("75 % of the region: standard error at most 0.70 σ"));
        QVERIFY(panel.reading(0.996, 0.0).startsWith("99.6 % of the region")); // not all of it
        QCOMPARE(plot.words(),
                 QStringLiteral("half of the region is predicted within 0.50 σ, nine tenths within "
                                "0.82 σ, all of it within 0.90 σ"));
        QVERIFY(plot.board().legend.empty());
        QCOMPARE(panel.y.scale.low, 0.0);
        QVERIFY(panel.y.scale.high > 0.9);
    }

    void severalDesignsAreToldApart()
    {
        FdsPlot plot;
        plot.setCurves(
            {{"one", {{0.0, 0.4}, {1.0, 0.9}}}, {"other", {{0.0, 0.3}, {1.0, 0.8}}}, {"none", {}}});
        QCOMPARE(plot.board().legend.size(), std::size_t(2));
        QCOMPARE(plot.board().legend[0].text, QStringLiteral("one"));
        QCOMPARE(plot.board().panels.front().reading(1.0, 0.0).count(QLatin1Char('\n')), 1);
    }

    /// As in a design that a search made: every term is mixed with every other a little.
    void aRowOfTheAliasTableHasItsLargestSharesAndCountsTheOthers()
    {
        design::Evaluation evaluation;
        evaluation.aliasMatrix.rows = {"A"};
        evaluation.aliasMatrix.columns = {"B*C", "B*D", "B*E", "C*D", "C*E", "D*E", "B^3", "C^3", "D^3"};
        evaluation.aliasMatrix.values.resize(1, 9);
        evaluation.aliasMatrix.values << 0.1, -0.9, 0.2, 0.3, 0.4, 0.5, 0.15, 1.0, 0.002;
        const TextTable table = aliasTable(evaluation);
        QCOMPARE(table.rows.size(), std::size_t(1));
        QCOMPARE(table.rows[0][1],
                 QStringLiteral("− 0.9 B × D + 0.2 B × E + 0.3 C × D + 0.4 C × E + 0.5 D × E + "
                                "C³ and 2 more, each at most 0.15"));
    }

    void aPairOfTermsIsReadAndPicked()
    {
        CorrelationMap map;
        map.resize(500, 400);
        Eigen::MatrixXd r(2, 2);
        r << 1.0, -0.354, -0.354, 1.0;
        map.setCorrelations({"A", "B^2"}, r);
        const std::vector<PanelCell>& cells = map.board().panels.front().cells;
        QCOMPARE(cells.size(), std::size_t(4));
        QCOMPARE(cells[1].tip, QStringLiteral("A and B²: r = −.35"));
        QCOMPARE(cells[1].text, QStringLiteral("−.35"));
        QCOMPARE(cells[0].tip, QStringLiteral("A with itself"));
        const PanelFrame frame = map.layoutOnScreen().frames().front();
        QCOMPARE(frame.inner.width(), frame.inner.height()); // squares
        QTest::mouseClick(&map, Qt::LeftButton, {}, frame.at(1.0, 0.0).toPoint());
        QCOMPARE(map.words(), QStringLiteral("A and B²: r = −.35"));
        QTest::keyClick(&map, Qt::Key_Down);
        QCOMPARE(map.words(), QStringLiteral("B² with itself"));
        map.clear(QStringLiteral("no"));
        QVERIFY(map.board().panels.empty());
    }
};

QUADRIC_QT_TEST(QualityPlotsTest)
#include "quality_plots_test.moc"
