// SPDX-License-Identifier: GPL-3.0-or-later
#include "page_fixture.h"
#include "tests/support/qt_tests.h"
#include "widgets/optimize/answer_bar.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/views/answer_figures.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace quadric;
using namespace quadric::widgets;

namespace {

/// The session of the example, and the response it is about.
struct Opened {
    OptimizeSession session;
    Opened() { session.setContext(contextOf(example())); }

    void setWeight(double weight)
    {
        study::Response response = session.answer().study().responses.front();
        response.weight = weight;
        session.changeResponse(0, response, QStringLiteral("weight"), 1);
    }
    int factor(const std::string& name) const
    {
        return study::Coding(session.answer().study().factors).indexOf(name);
    }
};

/// The overall desirability at the settings of the answer, by the goals as they are now.
double overallNow(const Answer& answer)
{
    return optimize::assess(answer.study(), answer.fits(), answer.best.settings).overall;
}

} // namespace

class OptimizeSessionTest : public QObject {
    Q_OBJECT

private slots:
    void anEchoOfAnOwnChangeIsNoNews()
    {
        Opened opened;
        QSignalSpy changes(&opened.session, &OptimizeSession::changed);
        QSignalSpy requests(&opened.session, &OptimizeSession::changeRequested);
        opened.setWeight(2.5);
        QCOMPARE(changes.count(), 1);
        QCOMPARE(changes[0][0].value<Change>(), Change::Goals);
        opened.session.setContext(contextOf(requests[0][0].value<study::Study>()));
        QCOMPARE(changes.count(), 2);
        QCOMPARE(changes[1][0].value<Change>(), Change::Status);
    }

    void anOlderAnswerNeverFollowsANewerOne()
    {
        Opened opened;
        int answers = 0;
        connect(&opened.session, &OptimizeSession::changed, &opened.session, [&](Change change) {
            if (change == Change::Status)
                return;
            ++answers;
            const Answer& answer = opened.session.answer();
            QVERIFY(std::abs(answer.best.overall - overallNow(answer)) < 1e-9);
        });
        for (int step = 0; step < 40; ++step) {
            opened.setWeight(step % 2 == 0 ? 4.5 : 0.1);
            QTest::qWait(step % 5 == 0 ? 110 : 5); // sometimes long enough for a thorough search to begin
        }
        QTRY_VERIFY(!opened.session.isSearching());
        QVERIFY(answers >= 40);
        const Answer& answer = opened.session.answer();
        const optimize::Optimum thorough = optimize::findOptimum(answer.study(), answer.fits());
        QVERIFY(answer.best.overall >= thorough.overall - 1e-6);
    }

    void aPadlockHoldsItsFactorAndTellsWhatItCosts()
    {
        Opened opened;
        const int ranks = 0;
        const std::string name = opened.session.answer().study().factors[ranks].name;
        opened.session.moveFactor(ranks, 32.0);
        QVERIFY(costText(opened.session.answer()).isEmpty());
        opened.session.toggleLock(ranks);
        const Answer& answer = opened.session.answer();
        QCOMPARE(study::numberOf(answer.best.settings.at(name)), 32.0);
        QVERIFY(answer.isAtBest());
        QVERIFY(answer.best.overall < answer.free.overall);
        optimize::OptimizeOptions options;
        options.fixed[name] = 32.0;
        const optimize::Optimum held = optimize::findOptimum(answer.study(), answer.fits(), options);
        QVERIFY(std::abs(answer.best.overall - held.overall) < 1e-6);
        QVERIFY(costText(answer).contains(QStringLiteral("32")));
        // Moving a held factor asks what the new value costs.
        opened.session.moveFactor(ranks, 16.0);
        QCOMPARE(study::numberOf(answer.best.settings.at(name)), 16.0);
        QVERIFY(answer.isAtBest());
        opened.session.toggleLock(ranks);
        QVERIFY(answer.locked.empty());
        QVERIFY(std::abs(answer.best.overall - answer.free.overall) < 1e-12);
    }

    void padlocksOfFactorsThatAreGoneAreDropped()
    {
        Opened opened;
        opened.session.toggleLock(1);
        study::Study other = example();
        other.factors[1].name = "renamed";
        for (study::Run& run : other.runs) {
            run.settings["renamed"] = run.settings.at(example().factors[1].name);
            run.settings.erase(example().factors[1].name);
        }
        opened.session.setContext(contextOf(other));
        QVERIFY(opened.session.answer().locked.empty());
    }

    void movesGoToLegalValues()
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

    void movesGoToWholeNodes()
    {
        study::Study study;
        study.factors = {{.name = "ranks", .type = study::FactorType::Integer, .low = 1, .high = 64}};
        study.fixed["gpus_per_node"] = 8.0;
        const auto ranksOf = [](const study::Settings& settings) {
            return study::numberOf(settings.at("ranks"));
        };
        QCOMPARE(ranksOf(withValue(study, {{"ranks", 8.0}}, 0, 58.7)), 56.0);
        QCOMPARE(ranksOf(withValue(study, {{"ranks", 8.0}}, 0, 3.2)), 3.0);
        QCOMPARE(ranksOf(withStep(study, {{"ranks", 56.0}}, 0, 0.01)), 64.0);
        QCOMPARE(ranksOf(withStep(study, {{"ranks", 56.0}}, 0, -0.01)), 48.0);
        QCOMPARE(ranksOf(withStep(study, {{"ranks", 57.0}}, 0, 0.01)), 64.0); // a run that was there
    }

    void aStepReachesAtLeastTheNextLegalValue()
    {
        study::Study study;
        study.factors = {
            {.name = "ranks", .type = study::FactorType::Integer, .low = 8, .high = 64, .multipleOf = 8}};
        const auto stepped = [&study](double from, double share) {
            return study::numberOf(withStep(study, {{"ranks", from}}, 0, share).at("ranks"));
        };
        QCOMPARE(stepped(32, 0.01), 40.0);
        QCOMPARE(stepped(32, -0.01), 24.0);
        QCOMPARE(stepped(32, 0.6), 64.0);
        QCOMPARE(stepped(64, 0.05), 64.0);
        QCOMPARE(stepped(8, -0.05), 8.0);
    }

    void theRegionOfTheBestSettingFollowsAndShadesTheProfiler()
    {
        Opened opened;
        QTRY_VERIFY(opened.session.answer().region != nullptr);
        const Answer& answer = opened.session.answer();
        QVERIFY(answer.region->contains(answer.best.settings));
        const ProfilerData data = profilerData(answer);
        QCOMPARE(data.shaded.size(), answer.study().factors.size());
        for (std::size_t i = 0; i < data.shaded.size(); ++i) {
            const double best = study::numberOf(answer.best.settings.at(answer.study().factors[i].name));
            QVERIFY(data.shaded[i].at(0).low <= best && best <= data.shaded[i].at(0).high);
        }
        opened.setWeight(2.5);
        QVERIFY(opened.session.answer().region == nullptr); // never that of older goals
        QTRY_VERIFY(opened.session.answer().region != nullptr);
    }

    void nearTheRunsNeitherSearchNorProfilerLeavesThem()
    {
        Opened opened;
        QSignalSpy requests(&opened.session, &OptimizeSession::changeRequested);
        const Answer& answer = opened.session.answer();
        QVERIFY(optimize::isExtrapolation(answer.best));
        opened.session.setNearRuns(optimize::NearRuns::On);
        QVERIFY(answer.best.isOk());
        QVERIFY(!optimize::isExtrapolation(answer.best));
        for (std::size_t i = 0; i < answer.study().factors.size(); ++i) {
            opened.session.moveFactor(static_cast<int>(i), answer.study().factors[i].high);
            QVERIFY(!optimize::isExtrapolation(answer.shown));
        }
        const auto kept = requests.last()[0].value<study::Study>();
        QCOMPARE(optimize::readNearRuns(kept), optimize::NearRuns::On);
        opened.session.setNearRuns(optimize::NearRuns::Off);
        QVERIFY(optimize::isExtrapolation(answer.best));
        const ProfilerData data = profilerData(answer);
        for (const ProfilerCell& cell : data.cells.front())
            QCOMPARE(std::ranges::count(cell.curve.isExtrapolation, true), 0);
    }

    /// At the current value of every factor all curves of a row meet in the one prediction.
    void profilerCurvesMeetInThePrediction()
    {
        Opened opened;
        const Answer& answer = opened.session.answer();
        const ProfilerData data = profilerData(answer);
        QCOMPARE(data.cells.size(), answer.fits().size() + 1);
        QCOMPARE(data.currentTexts.size(), answer.study().factors.size());
        QCOMPARE(data.isLocked, std::vector<bool>(answer.study().factors.size(), false));
        for (const auto& row : data.cells)
            for (const ProfilerCell& cell : row)
                for (const double mean : cell.curve.mean)
                    QVERIFY(std::isfinite(mean));
        for (const ProfilerCell& cell : data.cells.back())
            for (const double d : cell.curve.mean)
                QVERIFY(d >= 0.0 && d <= 1.0);
    }
};

QUADRIC_QT_TEST(OptimizeSessionTest)
#include "optimize_session_test.moc"
