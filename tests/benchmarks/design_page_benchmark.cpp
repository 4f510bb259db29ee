// SPDX-License-Identifier: GPL-3.0-or-later
// How long the real wizard takes from a step of the box "Center points" until the runs, the cube and the
// quality of the new design have been painted. Prints percentiles for 3 to 7 factors, with the evaluation
// alone, measured in the same run, as yardstick.
//   design_page_benchmark [STEPS]      (QT_QPA_PLATFORM says where: offscreen, xcb, …)
#include "core/design/base/design.h"
#include "page_timing.h"
#include "widgets/base/theme.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/wizard/forms/choice_cards.h"
#include "widgets/wizard/study_wizard.h"

#include <QApplication>
#include <QSpinBox>
#include <QTableView>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace quadric;
using namespace quadric::widgets;

namespace {

constexpr double kLimit = 50.0; ///< milliseconds that a preview may take

study::Study studyOf(int factors)
{
    study::Study study;
    for (int i = 0; i < factors; ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('a' + i));
        factor.low = 8;
        factor.high = 64;
        factor.type = i % 2 == 0 ? study::FactorType::Integer : study::FactorType::Continuous;
        study.factors.push_back(factor);
    }
    study.responses.push_back({.name = "y"});
    study.design.type = "box-behnken";
    study.benchmark.workload = "none";
    return study;
}

/// The visible parts of the preview.
std::vector<QWidget*> partsOf(const StudyWizard& wizard)
{
    std::vector<QWidget*> parts = visiblePlots(wizard);
    for (QWidget* card : wizard.findChildren<QWidget*>(QStringLiteral("qualityCard")))
        if (card->isVisible() && !card->visibleRegion().isEmpty())
            parts.push_back(card);
    parts.push_back(wizard.findChild<QTableView*>("matrixPreview")->viewport());
    return parts;
}

struct Times {
    std::vector<double> preview, cards;
};

/// From a step of the box to the painted preview, and on to the figures on the cards.
Times drive(StudyWizard& wizard, int steps)
{
    auto* centers = wizard.findChild<QSpinBox*>("centerRuns");
    auto* quality = wizard.findChild<QualityPanel*>();
    auto* card = wizard.findChild<QWidget*>("qualityCard");
    auto* cards = wizard.findChild<OfferCards*>();
    PaintWatch watch(partsOf(wizard));
    Times times;
    for (int step = 0; step < steps; ++step) {
        bool isJudged = false;
        const auto connection = QObject::connect(quality, &QualityPanel::judged, quality, [&] {
            isJudged = true;
            watch.expectAgain(card);
        });
        watch.begin();
        const Clock::time_point start = Clock::now();
        centers->setValue(3 + step % 4);
        while (!(isJudged && watch.isDone()) && millisecondsSince(start) < 5000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        times.preview.push_back(millisecondsSince(start));
        while (cards->isBusy() && millisecondsSince(start) < 5000)
            QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 5);
        times.cards.push_back(millisecondsSince(start));
        QObject::disconnect(connection);
    }
    return times;
}

std::vector<double> evaluationAlone(study::Study study, int steps)
{
    std::vector<double> times;
    for (int step = 0; step < steps; ++step) {
        study.design.centerRuns = 3 + step % 4;
        const study::Study laidOut = design::layOut(study, true);
        const Clock::time_point start = Clock::now();
        if (design::evaluate(laidOut).runs == 0)
            std::fputs("no runs\n", stderr);
        times.push_back(millisecondsSince(start));
    }
    return times;
}

bool measure(int factors, int steps)
{
    run::Machine machine;
    machine.cores = 2;
    StudyWizard wizard(machine);
    wizard.startFrom(studyOf(factors));
    wizard.setStep(WizardStep::Design);
    wizard.show();
    if (!QTest::qWaitForWindowExposed(&wizard))
        std::fputs("the window does not appear\n", stderr);
    QTest::qWait(500);
    drive(wizard, 5);
    const Times times = drive(wizard, steps);
    const std::vector<double> alone = evaluationAlone(studyOf(factors), steps);
    std::printf("%d factors, %zu runs\n", factors, wizard.study().runs.size());
    printTimes("step to painted preview", times.preview);
    printTimes("step to figures on all cards", times.cards);
    printTimes("evaluation alone (100,000 points)", alone);
    std::printf("  preview / evaluation alone: %.2f; limit %.0f ms: %s\n",
                quantile(times.preview, 0.5) / quantile(alone, 0.5), kLimit,
                quantile(times.preview, 0.9) < kLimit ? "kept by nine of ten" : "broken");
    return quantile(times.preview, 0.9) < kLimit;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    applyTheme(application, ThemeChoice::Light);
    const int steps = argc > 1 ? std::max(10, std::atoi(argv[1])) : 60;
    bool isKept = true;
    for (int factors = 3; factors <= 7; ++factors)
        isKept = measure(factors, steps) && isKept;
    return isKept ? 0 : 1;
}
