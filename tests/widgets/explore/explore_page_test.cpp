// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/fit/effects.h"
#include "explore_samples.h"
#include "tests/support/qt_tests.h"
#include "widgets/explore/explore_page.h"
#include "widgets/explore/model_bar.h"
#include "widgets/explore/model_menu.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/text/wording.h"

#include <QAction>
#include <QComboBox>
#include <QContextMenuEvent>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include <algorithm>
#include <optional>

using namespace quadric;
using namespace quadric::samples;
using namespace quadric::widgets;

namespace {

QComboBox* chooser(const QWidget& page, const QString& name)
{
    for (QComboBox* each : page.findChildren<QComboBox*>())
        if (each->accessibleName() == name)
            return each;
    return nullptr;
}

void choose(QComboBox* chooser, const QString& data)
{
    chooser->setCurrentIndex(chooser->findData(data));
    emit chooser->activated(chooser->currentIndex());
}

QMenu* menuOf(const QWidget& page)
{
    return page.findChild<ModelMenu*>(QStringLiteral("modelMenu"))->menu();
}

} // namespace

class ExplorePageTest : public QObject {
    Q_OBJECT

private slots:
    void withoutResultsThePageLeadsToTheRuns()
    {
        study::Study study = example();
        for (study::Run& run : study.runs) {
            run.status = study::RunStatus::Pending;
            run.results.clear();
        }
        ExplorePage page;
        page.setContext(contextOf(study));
        QSignalSpy steps(&page, &Page::stepRequested);
        QPushButton* button = nullptr;
        for (QPushButton* each : page.findChildren<QPushButton*>())
            if (each->isVisibleTo(&page))
                button = each;
        QVERIFY(button != nullptr);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(steps.count(), 1);
        QCOMPARE(steps[0][0].value<Step>(), Step::Run);
    }

    void theModelChosenIsAskedFor()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        page.showResponse(QStringLiteral("scaling_efficiency"));
        QSignalSpy changes(&page, &Page::changeRequested);
        choose(chooser(page, QStringLiteral("Model")), QStringLiteral("linear"));
        QCOMPARE(changes.count(), 1);
        const auto after = changes[0][0].value<study::Study>();
        QCOMPARE(after.model.at("scaling_efficiency"), std::string("linear"));
        QVERIFY(!after.model.contains("images_per_sec"));
    }

    void theTermOfABarCanBeDropped()
    {
        ExplorePage page;
        page.resize(1300, 900);
        const ContextPointer context = contextOf(example());
        page.setContext(context);
        page.grab(); // lays the page out
        auto* chart = page.findChild<ParetoChart*>();
        QVERIFY(chart != nullptr);
        const std::string term = context->fits[0].effects[model::rankEffects(context->fits[0])[0].index].term;
        const std::optional<QPointF> bar = chart->locateBar(term);
        QVERIFY(bar.has_value());
        QSignalSpy changes(&page, &Page::changeRequested);
        QContextMenuEvent asked(QContextMenuEvent::Mouse, bar->toPoint(), {});
        QCoreApplication::sendEvent(chart, &asked);
        auto* drop = chart->findChild<QAction*>(QStringLiteral("dropTerm"));
        QVERIFY(drop != nullptr);
        QVERIFY(drop->text().contains(termText(term)));
        drop->trigger();
        QCOMPARE(changes.count(), 1);
        const auto after = changes[0][0].value<study::Study>();
        const model::Fit fit = model::fitStudy(after)[0];
        QVERIFY(fit.isOk());
        QVERIFY(std::ranges::none_of(fit.effects,
                                     [&term](const model::Effect& effect) { return effect.term == term; }));
        QVERIFY(fit.effects.size() > 1);
    }

    void theTransformChosenIsAskedFor()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        QSignalSpy changes(&page, &Page::changeRequested);
        choose(chooser(page, QStringLiteral("Transform")), QStringLiteral("log"));
        QCOMPARE(changes.count(), 1);
        const auto after = changes[0][0].value<study::Study>();
        QCOMPARE(after.responses[0].transform.kind, study::TransformKind::Log);
        QCOMPARE(after.responses[1].transform.kind, study::TransformKind::None);
    }

    void aPowerIsTyped()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        page.show();
        QSignalSpy changes(&page, &Page::changeRequested);
        menuOf(page)->actions().at(0)->trigger();
        auto* dialog = page.findChild<QInputDialog*>();
        QVERIFY(dialog != nullptr && dialog->labelText().contains(QStringLiteral("The likeliest is")));
        dialog->setDoubleValue(0.3);
        dialog->accept();
        QCOMPARE(changes.count(), 1);
        const study::Transform transform = changes[0][0].value<study::Study>().responses[0].transform;
        QCOMPARE(transform, (study::Transform{study::TransformKind::BoxCox, 0.3}));
    }

    void aFormulaIsTypedAndWhatItIsNotIsSaid()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        page.show();
        QSignalSpy changes(&page, &Page::changeRequested);
        menuOf(page)->actions().at(1)->trigger();
        auto* dialog = page.findChild<FormulaDialog*>();
        QVERIFY(dialog != nullptr && dialog->formula().contains(QStringLiteral("gpu_count + ")));
        auto* edit = dialog->findChild<QLineEdit*>(QStringLiteral("formula"));
        const auto* use = dialog->findChild<QPushButton*>(QStringLiteral("use"));
        edit->setText(QStringLiteral("gpu_count + gpus"));
        QVERIFY(!use->isEnabled());
        QVERIFY(
            dialog->findChild<QLabel*>(QStringLiteral("verdict"))->text().contains(QStringLiteral("gpus")));
        edit->setText(QStringLiteral("gpu_count*batch_per_gpu"));
        QVERIFY(use->isEnabled());
        dialog->accept();
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].value<study::Study>().model.at("images_per_sec"),
                 std::string("gpu_count*batch_per_gpu"));
    }

    void otherScalesAreChosenForAllResponses()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        page.show();
        QSignalSpy changes(&page, &Page::changeRequested);
        menuOf(page)->actions().at(2)->trigger();
        auto* dialog = page.findChild<ScaleDialog*>();
        QVERIFY(dialog != nullptr);
        const QPushButton* use = nullptr;
        for (const QPushButton* each : dialog->findChildren<QPushButton*>())
            if (each->text() == QStringLiteral("Use these scales"))
                use = each;
        QVERIFY(use != nullptr && !use->isEnabled());
        auto* scale = dialog->findChild<QComboBox*>(QStringLiteral("gpu_count"));
        scale->setCurrentIndex(1 - scale->currentIndex());
        QVERIFY(use->isEnabled());
        dialog->accept();
        QCOMPARE(changes.count(), 1);
        study::Study expected = example();
        expected.factors[0].scale = study::Scale::Log2;
        QCOMPARE(changes[0][0].value<study::Study>(), expected);
    }

    void modelsAreChosenAutomaticallyAgain()
    {
        study::Study study = example();
        study.responses[0].transform.kind = study::TransformKind::Sqrt;
        study.factors[0].scale = study::Scale::Log2;
        ExplorePage page;
        page.setContext(contextOf(study));
        QSignalSpy changes(&page, &Page::changeRequested);
        page.findChild<QPushButton*>("reset")->click();
        QCOMPARE(changes.count(), 1);
        study.model.clear();
        study.responses[0].transform = {};
        QCOMPARE(changes[0][0].value<study::Study>(), study);
    }

    void theModelIsToldInOneLine()
    {
        study::Study study = example();
        study.responses[0].transform.kind = study::TransformKind::Log;
        study.factors[0].scale = study.factors[1].scale = study::Scale::Log2;
        study.model["images_per_sec"] = "linear";
        const auto context = contextOf(study);
        ModelBar bar;
        bar.setStudy(context->study, context->fits);
        bar.setResponse(0);
        QCOMPARE(bar.findChild<QLabel*>("chosenModel")->text(),
                 QStringLiteral("log · gpu_count, batch_per_gpu on log₂ · 3 terms"));
    }

    void everyPlotOfSimulatedDataIsMarked()
    {
        ExplorePage page;
        page.setContext(contextOf(example()));
        const auto plots = page.findChildren<Plot*>();
        QCOMPARE(plots.size(), 3);
        for (const Plot* plot : plots)
            QVERIFY(plot->isSimulated());
        page.pickRuns(4);
        for (const Plot* plot : plots)
            QCOMPARE(plot->pickedRun(), 4);
    }

    void slidersStandOnlyAtLegalValues()
    {
        FactorSliders sliders;
        const std::vector<study::Factor> factors{
            {.name = "ranks", .type = study::FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8},
            {.name = "share", .low = 0, .high = 90}};
        sliders.setFactors(factors);
        auto* slider = sliders.findChildren<QSlider*>().first();
        QCOMPARE(slider->maximum(), 7); // 8, 16, …, 64
        slider->setValue(3);
        QCOMPARE(study::numberOf(sliders.settings().at("ranks")), 32.0);
        QCOMPARE(study::numberOf(sliders.settings().at("share")), 45.0);
    }
};

QUADRIC_QT_TEST(ExplorePageTest)
#include "explore_page_test.moc"
