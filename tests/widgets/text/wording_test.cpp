// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/study_tables.h"
#include "tests/support/qt_tests.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QAbstractItemModelTester>
#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

namespace {

study::Study scalingStudy()
{
    study::Study study;
    study.factors = {
        {.name = "gpu_count", .unit = "GPUs", .low = 8, .high = 64, .binds = "ranks"},
        {.name = "batch_per_gpu", .unit = "images", .low = 32, .high = 256},
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}}};
    study.responses = {{.name = "images_per_sec", .unit = "img/s"}};
    return study;
}

/// With ordinary spaces, whatever holds the words together.
QString plain(QString text)
{
    return text.replace(QChar::Nbsp, QLatin1Char(' ')).replace(QChar(0x202F), QLatin1Char(' '));
}

} // namespace

class WordingTest : public QObject {
    Q_OBJECT

private slots:
    void settingsReadAsASentence()
    {
        const study::Settings settings{
            {"gpu_count", 64.0}, {"batch_per_gpu", 256.0}, {"precision", std::string("bf16")}};
        QCOMPARE(plain(settingsText(scalingStudy(), settings)),
                 QStringLiteral("64 GPUs · batch_per_gpu 256 images · precision bf16"));
    }

    void anIntervalForANewBlockIsNamed()
    {
        optimize::Optimum optimum;
        optimum.status = optimize::OptimumStatus::Ok;
        optimum.overall = 0.5;
        optimum.responses.resize(1);
        optimum.responses[0].response = "images_per_sec";
        optimum.responses[0].predicted.mean = 1234.4;
        optimum.responses[0].predicted.prediction = model::Interval{1178.4, 1290.4};
        QVERIFY(!recommendationText(scalingStudy(), optimum).contains("block"));
        optimum.responses[0].predicted.newBlock = model::Interval{1134.4, 1334.4};
        QVERIFY(plain(recommendationText(scalingStudy(), optimum)).contains("in a new block."));
    }

    void predictionsCarryTheirInterval()
    {
        model::Prediction even;
        even.mean = 1234.4;
        even.prediction = model::Interval{1178.4, 1290.4};
        QCOMPARE(plain(predictionText(even, "img/s")), QStringLiteral("1234 ± 56 img/s"));
        model::Prediction skew;
        skew.mean = 100.0;
        skew.prediction = model::Interval{80.0, 150.0};
        QCOMPARE(plain(predictionText(skew, "ms")), QStringLiteral("100 (80 to 150) ms"));
        QVERIFY2(!predictionText(even, "img/s").contains(QLatin1Char(' ')),
                 "the number may break from its unit");
        even.newBlock = model::Interval{1134.4, 1334.4};
        QCOMPARE(plain(predictionText(even, "img/s")), QStringLiteral("1230 ± 100 img/s"));
        model::Prediction alone;
        alone.mean = 12.0;
        QCOMPARE(plain(predictionText(alone, "")), QStringLiteral("12"));
    }

    void resultsOfAColumnShareTheirDecimals()
    {
        study::Study study = scalingStudy();
        for (const double value : {89.8, 93.0, 101.26})
            study.runs.push_back({.results = {{"images_per_sec", value}}});
        const double shared = report::commonUncertainty(study, "images_per_sec");
        QCOMPARE(resultText(study.runs[1], "images_per_sec", shared), QStringLiteral("93.0"));
        QCOMPARE(resultText(study.runs[2], "images_per_sec", shared), QStringLiteral("101.3"));
        study.runs[0].spread["images_per_sec"] = 0.25;
        QCOMPARE(resultText(study.runs[0], "images_per_sec", shared), QStringLiteral("89.80 ± 0.25"));
    }

    void timesAreRounded()
    {
        QCOMPARE(remainingText(-1), QString());
        QCOMPARE(remainingText(20), QStringLiteral("less than a minute left"));
        QCOMPARE(remainingText(130), QStringLiteral("about 2 minutes left"));
        QCOMPARE(remainingText(7300), QStringLiteral("about 2 hours left"));
        QCOMPARE(remainingText(200000), QStringLiteral("about 2 days left"));
        QCOMPARE(remainingText(720, 610, 950), QStringLiteral("about 12 minutes left (10 to 16)"));
        QCOMPARE(remainingText(20, 10, 200), QStringLiteral("less than a minute left (3 minutes at most)"));
        QCOMPARE(remainingText(7300, 7000, 7400), QStringLiteral("about 2 hours left"));
        QCOMPARE(remainingText(7300, 4000, 15000), QStringLiteral("about 2 hours left (1 to 4)"));
    }

    void statusSaysWhy()
    {
        study::Run run{.status = study::RunStatus::Failed, .failure = study::Failure{"out-of-memory", "…"}};
        QCOMPARE(statusText(run), QStringLiteral("failed: out of memory"));
        study::Run disturbed{.status = study::RunStatus::Done};
        disturbed.provenance.disturbed = true;
        QCOMPARE(statusText(disturbed), QStringLiteral("disturbed"));
    }

    void whatTheSpreadIsReadsAsItsWorkerWroteIt()
    {
        study::Study study = scalingStudy();
        study::Run run{.id = 1, .status = study::RunStatus::Done};
        run.spread = {{"images_per_sec", 1.0}};
        study::setProvenanceFact(run.provenance, "spread_is",
                                 "\"half\\u00a0width \\\\ of \\\"95\\u202f%\\\" \\/ \\u00b1\"");
        study.runs = {run};
        const QString note = typeset(report::makeRunTable(study)).note;
        QVERIFY2(note.contains("the half\u00a0width \\ of \"95\u202f%\" / ±, from inside the run"),
                 qPrintable(note));
    }

    void tablesAreSoundModels()
    {
        TextTableModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setTable(report::makeFactorTable(scalingStudy()));
        QCOMPARE(model.rowCount(), 3);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("gpu_count"));
        model.setTable(TextTable());
        QCOMPARE(model.rowCount(), 0);
    }
};

QUADRIC_QT_TEST(WordingTest)
#include "wording_test.moc"
