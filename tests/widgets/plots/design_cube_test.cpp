// SPDX-License-Identifier: GPL-3.0-or-later
#include "pictures.h"
#include "sample_data.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/design_scene.h"

#include <QTest>

using namespace quadric;
using namespace quadric::widgets;

class DesignCubeTest : public QObject {
    Q_OBJECT

private slots:
    void drawsWhileFactorsAreBeingTyped();
    void showsTheFactorsThatAreChosen();
    void dividesByACategoricalFactor();
    void facetsShareOneScale();

private:
    static study::Study fourFactors()
    {
        study::Study study = samples::boxBehnken();
        study::Factor fourth;
        fourth.name = "fourth";
        fourth.low = 0.0;
        fourth.high = 10.0;
        study.factors.push_back(fourth);
        for (study::Run& run : study.runs)
            run.settings["fourth"] = run.id % 2 == 0 ? 0.0 : 10.0;
        return study;
    }
    static study::Study withPrecision()
    {
        study::Study study = samples::boxBehnken();
        study::Factor precision;
        precision.name = "precision";
        precision.type = study::FactorType::Categorical;
        precision.categories = {"fp32", "bf16"};
        study.factors.push_back(precision);
        for (study::Run& run : study.runs)
            run.settings["precision"] = std::string(run.id % 3 == 0 ? "bf16" : "fp32");
        return study;
    }
};

void DesignCubeTest::drawsWhileFactorsAreBeingTyped()
{
    study::Study study = samples::boxBehnken();
    DesignCube cube;
    for (const auto& [low, high] : {std::pair{64.0, 4.0}, {0.0, 64.0}, {-1.0, 64.0}, {4.0, 4.0}}) {
        study.factors[0].low = low; // nothing that can be coded on a log2 scale
        study.factors[0].high = high;
        cube.setStudy(study);
        QCOMPARE(cube.axes().size(), size_t(2));
        QVERIFY(!samples::pictureOf(cube, {300, 200}).isNull());
    }
}

void DesignCubeTest::showsTheFactorsThatAreChosen()
{
    const study::Study study = fourFactors();
    DesignCube cube;
    cube.setStudy(study);
    QCOMPARE(cube.axes(),
             (std::vector<std::string>{study.factors[0].name, study.factors[1].name, study.factors[2].name}));
    cube.setAxes({"fourth", "no such factor", study.factors[0].name});
    QCOMPARE(cube.axes(), (std::vector<std::string>{"fourth", study.factors[0].name, study.factors[1].name}));
    const DesignScene scene(study, {cubeAxes(study, {"fourth", study.factors[0].name})});
    for (const DesignPoint& point : scene.points())
        QVERIFY(std::abs(std::abs(point.place.x) - 1.0) < 1e-9); // only the two ends of the fourth factor
}

void DesignCubeTest::dividesByACategoricalFactor()
{
    const study::Study study = withPrecision();
    size_t runs = 0;
    for (const char* level : {"fp32", "bf16"}) {
        const DesignScene scene(study, {cubeAxes(study), "precision", level});
        for (const DesignPoint& point : scene.points())
            for (const int run : point.runs) {
                QCOMPARE(study::toText(study::findRun(study, run)->settings.at("precision")),
                         std::string(level));
                ++runs;
            }
    }
    QCOMPARE(runs, study.runs.size());
    DesignCube cube;
    cube.setStudy(study);
    QVERIFY(!samples::pictureOf(cube, {500, 260}).isNull());
}

void DesignCubeTest::facetsShareOneScale()
{
    study::Study study = withPrecision();
    study::Run& far = study.runs[0];
    far.settings[study.factors[1].name] = 2.0 * study.factors[1].high; // an axial run outside the cube
    const std::string here = study::toText(far.settings.at("precision"));
    const DesignScene scene(study, {cubeAxes(study), "precision", here == "fp32" ? "bf16" : "fp32"});
    QVERIFY(scene.axes().y.ticks.back().at < 1.0);
}

QTEST_MAIN(DesignCubeTest)
#include "design_cube_test.moc"
