// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/study.h"
#include "core/templates/templates.h"
#include "widgets/wizard/forms/factor_table_model.h"
#include "widgets/wizard/forms/response_table_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

using namespace quadric;
using widgets::FactorTableModel;
using widgets::ResponseTableModel;

class TablesTest : public QObject {
    Q_OBJECT

private slots:
    void obeyTheRulesOfModels();
    void factorCellsTakeWhatTheyMean();
    void changingTheTypeKeepsTheRowSound();
    void usedValuesAreLegal();
    void responseCellsTakeWhatTheyMean();
    void templatesSuitTheMachine();
};

void TablesTest::obeyTheRulesOfModels()
{
    const auto study = templates::studyFrom("this-machine", 1);
    FactorTableModel factors;
    ResponseTableModel responses;
    QAbstractItemModelTester first(&factors, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QAbstractItemModelTester second(&responses, QAbstractItemModelTester::FailureReportingMode::QtTest);
    factors.setFactors(study.factors);
    responses.setResponses(study.responses);
    QVERIFY(factors.setData(factors.index(0, FactorTableModel::Name), QStringLiteral("x"), Qt::EditRole));
    factors.setFactors({});
    responses.setResponses({});
}

void TablesTest::factorCellsTakeWhatTheyMean()
{
    study::Factor factor;
    factor.type = study::FactorType::Integer;
    QCOMPARE(withCell(factor, FactorTableModel::High, " 64 ")->high, 64.0);
    QCOMPARE(withCell(factor, FactorTableModel::High, "0,5")->high, 0.5);
    QCOMPARE(withCell(factor, FactorTableModel::Levels, "× 8")->multipleOf, 8);
    QCOMPARE(withCell(factor, FactorTableModel::Levels, "")->multipleOf, 1);
    QCOMPARE(withCell(factor, FactorTableModel::ScaleColumn, "log2")->scale, study::Scale::Log2);
    for (const char* bad : {"", "many", "nan", "inf"})
        QVERIFY2(!withCell(factor, FactorTableModel::High, bad), bad);
    QVERIFY(!withCell(factor, FactorTableModel::Type, "triangular"));
    QVERIFY(!withCell(factor, FactorTableModel::Used, "3"));
}

void TablesTest::changingTheTypeKeepsTheRowSound()
{
    study::Study study;
    study.factors.resize(1);
    study.factors[0].name = std::string(1, 'x');
    study.factors[0].low = 2.0;
    study.factors[0].high = 8.0;
    for (const char* type : {"integer", "discrete", "categorical", "continuous"}) {
        study.factors[0] = *withCell(study.factors[0], FactorTableModel::Type, type);
        for (const auto& problem : study::validate(study))
            QVERIFY2(problem.where.rfind("factors", 0) != 0, problem.message.c_str());
    }
    auto discrete = *withCell(*withCell(study.factors[0], FactorTableModel::Type, "discrete"),
                              FactorTableModel::Levels, "25, 1; 4");
    QCOMPARE(discrete.levels, (std::vector<double>{1, 4, 25}));
    QCOMPARE(discrete.low, 1.0);
    QCOMPARE(discrete.high, 25.0);
}

void TablesTest::usedValuesAreLegal()
{
    study::Factor batch;
    batch.type = study::FactorType::Integer;
    batch.low = 4;
    batch.high = 16;
    batch.scale = study::Scale::Log2;
    QCOMPARE(widgets::usedValues(batch), (QStringList{"4", "8", "16"})); // √(4·16) = 8
    batch.low = 0;
    QVERIFY(widgets::usedValues(batch).isEmpty()); // no logarithm of 0
    study::Factor names;
    names.type = study::FactorType::Categorical;
    names.categories = {"fp32", "bf16"};
    QCOMPARE(widgets::usedValues(names), (QStringList{"fp32", "bf16"}));
}

void TablesTest::responseCellsTakeWhatTheyMean()
{
    study::Response response;
    QCOMPARE(*withCell(response, ResponseTableModel::Low, "2.5")->low, 2.5);
    QVERIFY(!withCell(response, ResponseTableModel::Low, "")->low);
    QCOMPARE(withCell(response, ResponseTableModel::GoalColumn, "target")->goal, study::Goal::Target);
    QVERIFY(!withCell(response, ResponseTableModel::Weight, "-1"));
    QVERIFY(!withCell(response, ResponseTableModel::GoalColumn, "win"));
}

void TablesTest::templatesSuitTheMachine()
{
    for (const int cores : {1, 2, 4, 7, 64}) {
        for (const auto& item : templates::templates()) {
            const study::Study study = templates::studyFrom(item.name, cores);
            for (const auto& factor : study.factors) {
                const QStringList used = widgets::usedValues(factor);
                QVERIFY2(QSet<QString>(used.begin(), used.end()).size() == 3, factor.name.c_str());
            }
        }
    }
}

QTEST_MAIN(TablesTest)
#include "tables_test.moc"
