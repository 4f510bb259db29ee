// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/optimize/profiler_data.h"
#include "widgets/text/wording.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

namespace {

ContextPointer contextOf(study::Study study)
{
    auto context = std::make_shared<StudyContext>();
    context->fits = model::fitStudy(study);
    context->study = std::move(study);
    return context;
}

study::Study example()
{
    return study::loadStudy(QUADRIC_EXAMPLES "/resnet50-scaling.quadric").study;
}

QSlider* weightSlider(const QWidget& page, const QString& response)
{
    for (QSlider* slider : page.findChildren<QSlider*>())
        if (slider->accessibleName() == QStringLiteral("Weight of ") + response)
            return slider;
    return nullptr;
}

QString sentenceOf(const QWidget& page)
{
    return page.findChild<QLabel*>(QStringLiteral("recommendation"))->text();
}

QPushButton* buttonWith(const QWidget& page, const QString& words)
{
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->text().remove('&').contains(words))
            return button;
    return nullptr;
}

} // namespace

class OptimizePageTest : public QObject {
    Q_OBJECT

private slots:
    void theRecommendationIsTheOptimum()
    {
        const ContextPointer context = contextOf(example());
        OptimizePage page;
        page.setContext(context);
        const optimize::Optimum best = optimize::findOptimum(context->study, context->fits);
        QVERIFY(best.isOk());
        QCOMPARE(sentenceOf(page), recommendationText(context->study, best));
        QSignalSpy confirms(&page, &OptimizePage::confirmRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Confirm")), Qt::LeftButton);
        QCOMPARE(confirms.count(), 1);
        QVERIFY(confirms[0][0].value<study::Settings>() == best.settings);
        QCOMPARE(confirms[0][1].toInt(), 3);
    }

    void oneDragIsOneUndoStep()
    {
        OptimizePage page;
        page.setContext(contextOf(example()));
        QSignalSpy changes(&page, &Page::changeRequested);
        QSlider* slider = weightSlider(page, QStringLiteral("images_per_sec"));
        slider->setSliderDown(true);
        slider->setValue(20);
        slider->setValue(30);
        slider->setSliderDown(false);
        slider->setSliderDown(true);
        slider->setValue(40);
        slider->setSliderDown(false);
        QCOMPARE(changes.count(), 3);
        QCOMPARE(changes[0][0].value<study::Study>().responses[0].weight, 2.0);
        QCOMPARE(changes[1][0].value<study::Study>().responses[0].weight, 3.0);
        QCOMPARE(changes[2][0].value<study::Study>().responses[0].weight, 4.0);
        const QString key = changes[0][2].toString();
        QVERIFY(key.startsWith(QStringLiteral("weight:images_per_sec:")));
        QCOMPARE(changes[1][2].toString(), key);
        QVERIFY(changes[2][2].toString() != key);
    }

    void theSentenceFollowsTheSlider()
    {
        const ContextPointer context = contextOf(example());
        OptimizePage page;
        page.setContext(context);
        weightSlider(page, QStringLiteral("images_per_sec"))->setValue(0);
        study::Study changed = context->study;
        changed.responses[0].weight = 0.0;
        QCOMPARE(sentenceOf(page),
                 recommendationText(changed, optimize::findOptimum(changed, context->fits)));
    }

    void withoutAModelThePageLeadsToTheRuns()
    {
        study::Study study = example();
        for (study::Run& run : study.runs)
            run.status = study::RunStatus::Pending;
        OptimizePage page;
        page.setContext(contextOf(study));
        QSignalSpy steps(&page, &Page::stepRequested);
        QTest::mouseClick(buttonWith(page, QStringLiteral("Go to Run")), Qt::LeftButton);
        QCOMPARE(steps.count(), 1);
        QCOMPARE(steps[0][0].value<Step>(), Step::Run);
    }

    void profilerMovesToLegalValues()
    {
        study::Study study;
        study.factors = {
            {.name = "ranks", .type = study::FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8},
            {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
        const study::Settings start{{"ranks", 8.0}, {"precision", std::string("fp32")}};
        QCOMPARE(study::numberOf(withValue(study, start, 0, 35.9).at("ranks")), 32.0);
        QCOMPARE(study::numberOf(withValue(study, start, 0, 900).at("ranks")), 64.0);
        QVERIFY(withValue(study, start, 1, 0.8).at("precision") == study::Value(std::string("bf16")));
    }

    /// At the current value of every factor all curves of a row meet in the one prediction.
    void profilerCurvesMeetInThePrediction()
    {
        const ContextPointer context = contextOf(example());
        const optimize::Optimum best = optimize::findOptimum(context->study, context->fits);
        const ProfilerData data = profilerData(context->study, context->fits, best.settings);
        QCOMPARE(data.cells.size(), context->fits.size() + 1);
        QCOMPARE(data.currentTexts.size(), context->study.factors.size());
        for (const auto& row : data.cells)
            for (const ProfilerCell& cell : row)
                for (const double mean : cell.curve.mean)
                    QVERIFY(std::isfinite(mean));
        for (const ProfilerCell& cell : data.cells.back())
            for (const double d : cell.curve.mean)
                QVERIFY(d >= 0.0 && d <= 1.0);
    }
};

QTEST_MAIN(OptimizePageTest)
#include "optimize_page_test.moc"
