// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/explore/views/opinion_view.h"

#include "core/plan/words/comparison_tables.h"
#include "core/study/factor.h"
#include "explore_samples.h"

#include <QComboBox>
#include <QLabel>
#include <QTableView>
#include <QTest>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

struct ShownOpinion {
    ContextPointer context = contextOf(example());
    OpinionView view;

    explicit ShownOpinion(QSize size = {700, 460})
    {
        view.resize(size);
        view.showFit(context->study, context->fits.front());
        view.show();
    }
    const model::Fit& fit() const { return context->fits.front(); }
    QString verdict() const { return view.findChild<QLabel*>(QStringLiteral("opinionVerdict"))->text(); }
    const OpinionPlot& plot() const { return *view.findChild<OpinionPlot*>(); }
    void choose(int part)
    {
        auto* chooser = view.findChild<QComboBox*>(QStringLiteral("opinionShown"));
        chooser->setCurrentIndex(part);
        emit chooser->activated(part);
    }
};

} // namespace

class OpinionViewTest : public QObject {
    Q_OBJECT

private slots:
    /// What is shown is what core says of the same fit.
    void predictionsDependenceAndTablesAreThoseOfCore()
    {
        ShownOpinion shown;
        QVERIFY(shown.plot().board().panels.empty()); // still in training
        QTRY_VERIFY_WITH_TIMEOUT(!shown.verdict().isEmpty(), kPatienceMs);
        const plan::Opinion opinion = plan::secondOpinion(shown.context->study, shown.fit());
        QCOMPARE(shown.verdict(), QString::fromStdString(plan::describeOpinion(opinion)));
        QCOMPARE(shown.plot().board().panels.size(), opinion.scores.size());
        shown.choose(1);
        const PanelBoard& board = shown.plot().board();
        QCOMPARE(board.panels.size(), shown.fit().factors.size());
        for (std::size_t factor = 0; factor < board.panels.size(); ++factor) {
            const plan::PartialDependence& dependence = opinion.dependence[factor];
            QCOMPARE(board.panels[factor].lines.size(), opinion.scores.size());
            for (std::size_t rival = 0; rival < opinion.scores.size(); ++rival)
                QCOMPARE(board.panels[factor].lines[rival].y, dependence.means[rival]);
            QCOMPARE(board.panels[factor].lines[0].x.front(), shown.fit().factors[factor].low);
            QCOMPARE(board.panels[factor].lines[0].x.back(), shown.fit().factors[factor].high);
        }
        QCOMPARE(board.legend.size(), opinion.scores.size());
        shown.choose(2);
        const auto tables = shown.view.findChildren<QTableView*>();
        QCOMPARE(tables.size(), 2);
        for (const QTableView* table : tables) {
            QVERIFY(table->isVisible());
            QCOMPARE(std::size_t(table->model()->rowCount()), opinion.scores.size());
        }
    }

    /// The center of a new arrangement is drawn without training anew.
    void anotherArrangementTrainsNothing()
    {
        ShownOpinion shown;
        QTRY_VERIFY_WITH_TIMEOUT(!shown.verdict().isEmpty(), kPatienceMs);
        study::Study arranged = shown.context->study;
        arranged.view["explore"].views = {{"opinion"}};
        shown.view.showFit(arranged, shown.fit());
        QVERIFY(!shown.plot().board().panels.empty());
    }

    void withoutAModelItSaysWhy()
    {
        ShownOpinion shown;
        model::Fit none;
        none.response = shown.fit().response;
        none.message = "Two more runs are needed.";
        shown.view.showFit(shown.context->study, none);
        QVERIFY(shown.plot().board().panels.empty());
        QVERIFY(!shown.view.findChild<QLabel*>(QStringLiteral("opinionVerdict"))->isVisible());
        QTest::qWait(200); // what was asked before is not delivered
        QVERIFY(shown.plot().board().panels.empty());
    }
};

QUADRIC_QT_TEST(OpinionViewTest)
#include "opinion_view_test.moc"
