// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/qt_tests.h"
#include "widgets/monitor/live_chart.h"
#include "widgets/monitor/run_charts.h"
#include "widgets/monitor/run_details.h"
#include "widgets/monitor/run_page.h"

#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

class ResponseChartsTest : public QObject {
    Q_OBJECT

private slots:
    void drawsWhatAProgramPrints()
    {
        RunDetails details;
        details.setContext(contextWith({{.name = "loss"}, {.name = "speed", .unit = "img/s"}}));
        study::Run run{.id = 1, .status = study::RunStatus::Running};
        details.setRun(&run);
        details.show();
        run::RunSamples first;
        first.responses = {{1.0, "loss", -2.5}};
        details.updateSamples(first, true);
        QVERIFY(!chartOf(details, "loss")->isVisible()); // one value is no line
        run::RunSamples more;
        more.responses = {{2.0, "loss", -3.5}, {2.0, "epoch", 1.0}};
        details.updateSamples(more, false);
        QVERIFY(chartOf(details, "loss")->isVisible());
        QVERIFY(!chartOf(details, "speed")->isVisible());
        const TextTable table = chartOf(details, "loss")->table();
        QCOMPARE(int(table.rows.size()), 2);
        QCOMPARE(table.rows.back().back(), QStringLiteral("−3.5"));
        for (const auto* label : details.findChildren<QLabel*>())
            QVERIFY2(!label->isVisible() || !label->text().contains(QStringLiteral("step time")),
                     "steps are missed of a program that has none");
        details.resize(300, 600);
        details.resize(1200, 600); // other columns
        QVERIFY(chartOf(details, "loss")->isVisible());
    }

    void keepsNoPlaceForStepsThatNoProgramTells()
    {
        for (const bool isSpeaking : {true, false}) {
            StudyContext context = contextWith({{.name = "loss"}});
            context.study.benchmark.workload = "command";
            if (!isSpeaking)
                context.study.benchmark.parse = {.kind = study::ParseSpec::Kind::LastJson};
            RunDetails details;
            details.setContext(context);
            const study::Run run{.id = 1, .status = study::RunStatus::Running};
            details.setRun(&run);
            details.show();
            QVERIFY(details.findChild<RunCharts*>()->isVisible());
            QCOMPARE(details.findChild<RunCharts*>()->hasCharts(), isSpeaking);
        }
    }

    void leavesTheRoomToTheLogWhereNothingIsDrawn()
    {
        RunDetails details;
        study::Run run{.id = 1, .status = study::RunStatus::Running};
        details.setRun(&run);
        details.show();
        auto* charts = details.findChild<RunCharts*>();
        QVERIFY(charts->isVisible());
        run.status = study::RunStatus::Done;
        details.updateRun(&run);
        QVERIFY(!charts->isVisible());
        run::RunSamples samples;
        for (const double second : {1.0, 2.0})
            samples.steps.push_back({second, 20.0});
        details.updateSamples(samples, true);
        QVERIFY(charts->isVisible());
    }

    void followsTheResponsesOfTheStudy()
    {
        RunDetails details;
        details.setContext(contextWith({{.name = "loss"}}));
        study::Run run{.id = 1, .status = study::RunStatus::Done};
        details.setRun(&run);
        details.show();
        run::RunSamples samples;
        samples.responses = {
            {1.0, "loss", 1.0}, {2.0, "loss", 2.0}, {1.0, "other", 3.0}, {2.0, "other", 4.0}};
        details.updateSamples(samples, true);
        QVERIFY(chartOf(details, "loss")->isVisible());
        details.setContext(contextWith({{.name = "other"}}));
        QVERIFY(!chartOf(details, "loss"));
        QVERIFY(chartOf(details, "other")->isVisible());
        details.resize(300, 600);
        details.resize(1200, 600);
    }

    void laysOtherRunsBehindTheShownOne()
    {
        RunDetails details;
        details.setContext(contextWith({{.name = "loss"}}));
        study::Run run{.id = 4, .status = study::RunStatus::Done};
        details.setRun(&run);
        details.resize(700, 500);
        details.show();
        run::RunSamples own, other, single;
        own.responses = {{1.0, "loss", 2.5}, {2.0, "loss", 2.0}};
        other.responses = {{1.0, "loss", 4.0}, {9.0, "loss", 3.0}};
        single.responses = {{1.0, "loss", 7.0}};
        details.updateSamples(own, true);
        QCOMPARE(int(chartOf(details, "loss")->table().columns.size()), 2);
        const QImage alone = chartOf(details, "loss")->grab().toImage();
        details.setCompared({{7, other}, {8, single}});
        const TextTable table = chartOf(details, "loss")->table();
        QCOMPARE(int(table.columns.size()), 3);
        QCOMPARE(int(table.rows.size()), 4); // one value is no line
        QCOMPARE(table.rows.front().back(), QStringLiteral("this run"));
        QCOMPARE(table.rows.back(),
                 (QStringList{QStringLiteral("9"), QStringLiteral("3"), QStringLiteral("run 7")}));
        QVERIFY(chartOf(details, "loss")->grab().toImage() != alone);
        details.setCompared({});
        QCOMPARE(int(chartOf(details, "loss")->table().columns.size()), 2);
        QCOMPARE(chartOf(details, "loss")->grab().toImage(), alone);
    }

    void asksForTheRunsThatAreSelected()
    {
        StudyContext context = contextWith({{.name = "loss"}});
        for (int id = 1; id <= 5; ++id)
            context.study.runs.push_back({.id = id, .order = id, .status = study::RunStatus::Done});
        RunPage page;
        page.setContext(std::make_shared<const StudyContext>(context));
        QSignalSpy asked(&page, &RunPage::compareRequested);
        PickedRuns picked(std::vector{2, 3, 5});
        picked.current = 3;
        page.pickRuns(picked);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].value<std::vector<int>>(), (std::vector{2, 5}));
        page.pickRuns(picked);
        QCOMPARE(asked.count(), 1); // the same ones
        PickedRuns one(std::vector{3});
        one.current = 3;
        page.pickRuns(one);
        QCOMPARE(asked.count(), 2);
        QVERIFY(asked[1][0].value<std::vector<int>>().empty());
    }

private:
    static StudyContext contextWith(std::vector<study::Response> responses)
    {
        StudyContext context;
        context.study.responses = std::move(responses);
        return context;
    }
    static LiveChart* chartOf(const QWidget& widget, const char* response)
    {
        return widget.findChild<LiveChart*>(QStringLiteral("liveResponse-") + QLatin1String(response));
    }
};

QUADRIC_QT_TEST(ResponseChartsTest)
#include "response_charts_test.moc"
