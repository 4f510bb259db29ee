// SPDX-License-Identifier: GPL-3.0-or-later
// Where a Gaussian process predicts better it is offered, and everything on the page follows it.
#include "core/model/predict/predict.h"
#include "core/model/process/process_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/base/page.h"
#include "widgets/optimize/optimize_page.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/views/answer_figures.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// Speed rises like a step, which no quadratic follows.
study::Study steep()
{
    study::Study study;
    study.name = "steep";
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}, {.name = "b", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "speed", .goal = study::Goal::Maximize}};
    for (int i = 0; i < 30; ++i) {
        const double a = -1.0 + 2.0 * std::fmod(0.5 + i * 0.7548776662, 1.0);
        const double b = -1.0 + 2.0 * std::fmod(0.5 + i * 0.5698402910, 1.0);
        study::Run run{
            .id = i + 1, .order = i + 1, .settings = {{"a", a}, {"b", b}}, .status = study::RunStatus::Done};
        run.results["speed"] = 20.0 + 6.0 * std::tanh(4.0 * (a - 0.2)) - 5.0 * std::pow(a, 4) - b * b;
        study.runs.push_back(std::move(run));
    }
    return study;
}

study::Study steepByProcess()
{
    return model::withProcessShown(steep(), "speed", true);
}

} // namespace

class ProcessAnswerTest : public QObject {
    Q_OBJECT

private slots:
    void aBetterProcessIsOfferedAndTaken()
    {
        OptimizePage page;
        QSignalSpy changes(&page, &Page::changeRequested);
        page.setContext(contextOf(steep()));
        page.resize(1100, 760);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, kPatienceMs));
        auto* banner = page.findChild<Banner*>(QStringLiteral("processes"));
        QVERIFY(banner != nullptr);
        QTRY_VERIFY(banner->isVisible());
        const QString words = page.findChild<QLabel*>(QStringLiteral("processesText"))->text();
        QVERIFY2(words.contains(QStringLiteral("settings left out with smaller errors: speed ")),
                 qPrintable(words));
        QTest::mouseClick(page.findChild<QPushButton*>(QStringLiteral("useProcesses")), Qt::LeftButton);
        QCOMPARE(changes.count(), 1);
        const auto after = changes[0][0].value<study::Study>();
        QVERIFY(model::isProcessShown(after, "speed"));
        page.setContext(contextOf(after));
        QTest::qWait(0);
        QVERIFY(!banner->isVisible());
    }

    void everythingFollowsTheProcess()
    {
        const study::Study study = steepByProcess();
        OptimizeSession session;
        session.setContext(contextOf(study));
        const Answer& answer = session.answer();
        QVERIFY(answer.fits()[0].predictor != nullptr);
        QVERIFY(answer.context->fits[0].predictor == nullptr); // Explore keeps the polynomial's statistics
        const std::vector<model::Fit> fits =
            optimize::withShownProcesses(study, optimize::fitForGoals(study));
        const optimize::Optimum expected = optimize::findOptimum(study, fits);
        QVERIFY(std::abs(answer.best.overall - expected.overall) < 1e-6);
        const ProfilerData data = profilerData(answer);
        const study::Coding coding(study.factors);
        for (const ProfilerCell& cell : data.cells[0]) {
            for (std::size_t i = 0; i < cell.curve.actual.size(); ++i) {
                study::Settings settings = answer.settings();
                settings[cell.curve.factor] = cell.curve.actual[i];
                const double mean = model::predictMean(fits[0], coding.toCoded(settings));
                QVERIFY(std::abs(cell.curve.mean[i] - mean) < 1e-9);
            }
        }
    }

    /// Goals change as in a drag: the answer is searched again from where it was.
    void dragsAreAnswered()
    {
        study::Study study = steepByProcess();
        OptimizeSession session;
        session.setContext(contextOf(study));
        study::Response response = study.responses[0];
        response.goal = study::Goal::Target;
        response.target = 22.0;
        response.low = 18.0;
        response.high = 26.0;
        session.changeResponse(0, response, QStringLiteral("goal"), 1);
        QVERIFY(std::abs(session.answer().best.responses[0].predicted.mean - 22.0) < 0.05);
    }
};

QUADRIC_QT_TEST(ProcessAnswerTest)
#include "process_answer_test.moc"
