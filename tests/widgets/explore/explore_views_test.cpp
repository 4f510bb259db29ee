// SPDX-License-Identifier: GPL-3.0-or-later
// The page as a user works with it: choosing views, picking runs, saving, copying, turning.
#include "core/optimize/answer/limit_probability.h"
#include "core/report/equation.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/tables/model_tables.h"
#include "core/study/document/document.h"
#include "core/text/numbers.h"
#include "explore_samples.h"
#include "tests/support/qt_tests.h"
#include "verdict_studies.h"
#include "widgets/explore/explore_page.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/fit_views.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/diagnostic_plots.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/scene/surface_view.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <utility>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

/// A page that shows the example, with this view large.
struct ShownPage {
    ExplorePage page;
    ContextPointer context = contextOf(example());
    QSignalSpy changes{&page, &Page::changeRequested};

    explicit ShownPage(const char* view = "surface")
    {
        page.resize(1200, 900);
        page.setContext(context);
        page.showView(view);
        page.show();
    }
    study::Study asked() const { return changes.last()[0].value<study::Study>(); }
    /// What the window does with a change.
    void follow() { page.setContext(contextOf(asked())); }
    QWidget* card() const { return page.findChild<QWidget*>(QStringLiteral("modelCard")); }
    QToolButton* pill() const { return page.findChild<QToolButton*>(QStringLiteral("pill")); }
};

void trigger(QMenu& menu, const char* name)
{
    auto* action = menu.findChild<QAction*>(QLatin1String(name));
    QVERIFY2(action != nullptr, name);
    action->trigger();
}

/// Chooses "Save as …" of a plot and answers the dialog with this path.
void saveAs(Plot& plot, const char* action, const QString& path)
{
    QMenu menu;
    addPlotActions(menu, plot);
    trigger(menu, action);
    auto* dialog = plot.findChild<QFileDialog*>();
    QVERIFY(dialog != nullptr);
    dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))->setText(path);
    QMetaObject::invokeMethod(dialog, "accept");
    QTRY_VERIFY(QFile::exists(path));
    delete dialog;
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class ExploreViewsTest : public QObject {
    Q_OBJECT

private slots:
    void theEquationIsCopied()
    {
        ShownPage shown("coefficients");
        const QString equation = QString::fromStdString(report::writeEquation(shown.context->fits[0]));
        QCOMPARE(shown.page.findChild<QLineEdit*>(QStringLiteral("equation"))->text(), equation);
        shown.page.findChild<QPushButton*>(QStringLiteral("copyEquation"))->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), equation);
    }

    /// The command line and the report are asked in tests/app/cli/verdict_test.cpp.
    void theReportCardGivesTheVerdictOfTheFit()
    {
        for (const report::test::VerdictStudy& each : report::test::verdictStudies()) {
            const model::Fit fit = model::fitStudy(each.study).front();
            const report::Verdict verdict = report::judgeFit(fit);
            QCOMPARE(verdict.reason.code, each.code);
            ReportCard card;
            card.showFit(each.study, fit);
            QCOMPARE(
                card.findChild<QLabel*>(QStringLiteral("verdict"))->text(),
                QStringLiteral("<b>%1</b>").arg(QString::fromStdString(verdict.sentence).toHtmlEscaped()));
        }
    }

    void everyViewShowsTheExampleAndSaysWhatIsMissing()
    {
        const ContextPointer context = contextOf(example());
        model::Fit none;
        none.response = "images_per_sec";
        none.message = "Two more runs are needed.";
        for (const ExploreView& row : exploreViews()) {
            if (!row.make)
                continue;
            const std::unique_ptr<View> view(row.make());
            view->resize(500, 400);
            view->showFit(context->study, context->fits[0]);
            const QImage full = view->grab().toImage();
            view->showFit(context->study, none);
            const QImage message = view->grab().toImage();
            QVERIFY2((full != message) != (row.id == "by-level"), row.id.c_str()); // runs need no model
        }
    }

    /// In the background, and not anew where only the arrangement of the page changes.
    void otherModelsAreTrainedOnce()
    {
        const ContextPointer context = contextOf(example());
        const std::unique_ptr<View> view(findView(exploreViews(), "opinion")->make());
        view->showFit(context->study, context->fits.front());
        const QAbstractItemModel& table = *view->findChild<QTableView*>()->model();
        QCOMPARE(table.rowCount(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(table.rowCount(), 5, kPatienceMs);
        study::Study arranged = context->study;
        arranged.view["explore"].views = {{"opinion"}};
        view->showFit(arranged, context->fits.front());
        QCOMPARE(table.rowCount(), 5);
        view->showFit(context->study, context->fits.back());
        QCOMPARE(table.rowCount(), 0);
    }

    void observedValuesByLevelFollowTheChosenFactor()
    {
        ShownPage shown("by-level");
        auto* factor = shown.page.findChild<QComboBox*>(QStringLiteral("levelFactor"));
        QVERIFY(factor != nullptr);
        const auto* plot = shown.page.findChild<LevelPlot*>();
        QCOMPARE(plot->table().rows.size(), 3U);
        QCOMPARE(plot->table().rows[0][0], QStringLiteral("8"));
        QCOMPARE(plot->table().rows[1][1], QStringLiteral("5")); // of seven runs three are copies
        factor->setCurrentIndex(factor->findText(QStringLiteral("All factors")));
        emit factor->activated(factor->currentIndex());
        QCOMPARE(plot->board().panels.size(), 3U);
        QCOMPARE(plot->table().rows.size(), 9U);
    }

    void theFitSummaryValidatesInAsManyFoldsAsAreWanted()
    {
        const study::Study study = example();
        SummaryView view;
        view.showFit(study, model::fitResponse(study, "images_per_sec", {.model = "linear"}));
        auto* folds = view.findChild<QSpinBox*>(QStringLiteral("folds"));
        const auto* outcome = view.findChild<QLabel*>(QStringLiteral("validation"));
        QVERIFY(folds != nullptr && outcome != nullptr);
        const QString usual = outcome->text();
        QVERIFY2(usual.contains(QStringLiteral("R²")), qPrintable(usual));
        folds->setValue(5);
        QVERIFY(outcome->text() != usual);
        folds->setValue(100); // more than the 13 settings
        QVERIFY2(outcome->text().contains(QStringLiteral("13")), qPrintable(outcome->text()));
    }

    void theAnalysisOfVarianceListsEveryTerm()
    {
        const ContextPointer context = contextOf(example());
        const report::Table table = report::makeAnovaByTermTable(context->fits[0]);
        const std::size_t groups = report::makeAnovaTable(context->fits[0]).rows.size();
        QCOMPARE(table.rows.size(), groups + 1 + context->fits[0].termRows.size());
        for (const auto& row : table.rows)
            QCOMPARE(row.size(), table.columns.size());
    }

    void aRunPickedInOneViewIsLitInAll()
    {
        ShownPage shown("predicted");
        QSignalSpy picked(&shown.page, &Page::runsPicked);
        auto* predicted = shown.page.findChild<PredictedPlot*>();
        const auto at = predicted->positionOf(5);
        QVERIFY(at.has_value());
        QTest::mouseClick(predicted, Qt::LeftButton, {}, at->toPoint());
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked[0][0].value<PickedRuns>().current, 5);
        const auto plots = shown.page.findChildren<Plot*>();
        QCOMPARE(plots.size(), 3); // Pareto chart and main effects beside it
        for (const Plot* plot : plots)
            QCOMPARE(plot->pickedRun(), 5);
    }

    void arrowKeysPickTheNextRun()
    {
        ShownPage shown("run-order");
        auto* plot = shown.page.findChild<RunOrderPlot*>();
        QTest::keyClick(plot, Qt::Key_Right);
        const int first = plot->pickedRun();
        QCOMPARE(study::inRunOrder(shown.context->study).front()->id, first);
        QTest::keyClick(plot, Qt::Key_Right);
        QCOMPARE(study::inRunOrder(shown.context->study)[1]->id, plot->pickedRun());
        QTest::keyClick(plot, Qt::Key_Left);
        QCOMPARE(plot->pickedRun(), first);
    }

    void aTermSwitchedOffTakesItsChildrenAlong()
    {
        ShownPage shown;
        auto* box = shown.page.findChild<QCheckBox*>(QStringLiteral("gpu_count"));
        QVERIFY(box != nullptr && box->isChecked());
        box->click();
        QCOMPARE(shown.changes.count(), 1);
        const std::string model = shown.asked().model.at("images_per_sec");
        QVERIFY2(model.find("gpu_count") == std::string::npos, model.c_str());
        shown.follow();
        QVERIFY(!shown.page.findChild<QCheckBox*>(QStringLiteral("gpu_count^2"))->isChecked());
        shown.page.findChild<QCheckBox*>(QStringLiteral("gpu_count^2"))->click();
        shown.follow();
        QVERIFY(shown.page.findChild<QCheckBox*>(QStringLiteral("gpu_count"))->isChecked());
    }

    void viewsAreGroupedByQuestion()
    {
        ShownPage shown;
        auto* chooser = shown.page.findChild<QComboBox*>(QStringLiteral("view"));
        QStringList groups;
        std::set<QString> offered;
        for (int i = 0; i < chooser->count(); ++i)
            if (chooser->itemData(i).isValid())
                offered.insert(chooser->itemData(i).toString());
            else
                groups << chooser->itemText(i);
        QCOMPARE(groups, QStringList({"Effects", "Surface", "Model", "Residuals", "Other models"}));
        for (const ExploreView& row : exploreViews())
            QCOMPARE(offered.contains(QString::fromStdString(row.id)), row.id != "report-card");
        chooser->setCurrentIndex(chooser->findData(QStringLiteral("cube")));
        emit chooser->activated(chooser->currentIndex());
        QVERIFY(findShownView(shown.page, "cube")->isVisible());
        QVERIFY(findShownView(shown.page, "surface") == nullptr);
        QCOMPARE(shown.changes.count(), 0); // no change of the study
    }

    void theLineAboutTheModelOpensItsCard()
    {
        ShownPage shown;
        const model::Fit& fit = shown.context->fits[0];
        const QString verdict = QString::fromUtf8(report::nameOf(report::judgeFit(fit)).data());
        QTRY_VERIFY(shown.pill()->text().contains(verdict + QStringLiteral(" fit")));
        const std::size_t causes = report::findWarnings(shown.context->study, {fit}).size();
        QVERIFY(causes > 0);
        QVERIFY(shown.pill()->text().endsWith(QStringLiteral("%1 to check ▾").arg(causes)));
        QVERIFY(!shown.card()->isVisible());
        QTest::mouseClick(shown.pill(), Qt::LeftButton);
        QVERIFY(shown.card()->isVisible());
        QVERIFY(shown.page.rect().contains(shown.card()->geometry()));
        QTest::keyClick(shown.pill(), Qt::Key_Escape);
        QVERIFY(!shown.card()->isVisible());
    }

    void picturesAreSavedInEachFormat()
    {
        ShownPage shown;
        const QTemporaryDir folder;
        auto* chart = shown.page.findChild<ParetoChart*>();
        saveAs(*chart, "saveSvg", folder.filePath("chart.svg"));
        saveAs(*chart, "savePdf", folder.filePath("chart.pdf"));
        saveAs(*chart, "savePng", folder.filePath("chart.png"));
        const QByteArray svg = contentOf(folder.filePath("chart.svg"));
        QVERIFY(svg.contains("<svg"));
        QVERIFY(svg.contains("simulated data")); // the mark goes along
        QVERIFY(contentOf(folder.filePath("chart.pdf")).startsWith("%PDF"));
        QCOMPARE(QImage(folder.filePath("chart.png")).size(), chart->size() * 2);
    }

    void pictureAndVectorsAreCopied()
    {
        ShownPage shown;
        QMenu menu;
        addPlotActions(menu, *shown.page.findChild<ParetoChart*>());
        trigger(menu, "copyPicture");
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        QVERIFY(copied->hasImage());
        QVERIFY(copied->data(QStringLiteral("image/svg+xml")).contains("<svg"));
    }

    void theTableHasTheNumbersOfTheFit()
    {
        ShownPage shown;
        auto* chart = shown.page.findChild<ParetoChart*>();
        QMenu menu;
        addPlotActions(menu, *chart);
        trigger(menu, "viewTable");
        auto* dialog = chart->findChild<QDialog*>(QStringLiteral("table"));
        QVERIFY(dialog != nullptr);
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("copy")), Qt::LeftButton);
        const QStringList lines =
            QGuiApplication::clipboard()->text().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        const model::Fit& fit = shown.context->fits[0];
        QCOMPARE(std::size_t(lines.size()), fit.effects.size() + 1);
        for (std::size_t i = 0; i < fit.effects.size(); ++i) {
            const double shownEffect = lines[qsizetype(i) + 1].split(QLatin1Char('\t'))[1].toDouble();
            QVERIFY(std::abs(shownEffect - fit.effects[i].effect) <= 5e-4 * std::abs(fit.effects[i].effect));
        }
    }

    void theExplanationOpens()
    {
        ShownPage shown;
        auto* chart = shown.page.findChild<ParetoChart*>();
        QMenu menu;
        addPlotActions(menu, *chart);
        trigger(menu, "about");
        QVERIFY(chart->findChild<QDialog*>(QStringLiteral("about")) != nullptr);
    }

    void keysTurnTheSurface()
    {
        ShownPage shown("surface");
        auto* surface = shown.page.findChild<SurfaceView*>();
        const double azimuth = surface->azimuth();
        QTest::keyClick(surface, Qt::Key_Left);
        QVERIFY(surface->azimuth() != azimuth);
        QTest::keyClick(surface, Qt::Key_3);
        QCOMPARE(surface->elevation(), 90.0);
        QTest::keyClick(surface, Qt::Key_1);
        QCOMPARE(surface->azimuth(), azimuth);
        QTest::keyClick(surface, Qt::Key_I);
        QVERIFY(surface->isIntervalShown());
        auto* look = shown.page.findChild<QToolButton*>(QStringLiteral("look"));
        QVERIFY(look->menu()->actions().at(4)->isChecked()); // the menu follows the key
    }

    void theReadingNamesTheLargestEffect()
    {
        ShownPage shown("coefficients");
        const QString reading = shown.page.findChild<QLabel*>(QStringLiteral("reading"))->text();
        QVERIFY2(reading.contains(QStringLiteral("gpu_count")), qPrintable(reading));
    }
};

QUADRIC_QT_TEST(ExploreViewsTest)
#include "explore_views_test.moc"
