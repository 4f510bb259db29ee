// SPDX-License-Identifier: GPL-3.0-or-later
// Writes pictures of every plot, light and dark, in two sizes and at single and double resolution:
//     plots_gallery FOLDER [NAME]
#include "sample_data.h"
#include "widgets/base/theme.h"
#include "widgets/plots/effect_plots.h"
#include "widgets/plots/profiler/profiler.h"
#include "widgets/plots/response_plots.h"
#include "widgets/plots/scene/design_cube.h"
#include "widgets/plots/scene/surface_view.h"

#include <QApplication>
#include <QDir>
#include <QTextStream>

#include <functional>
#include <map>

using namespace quadric;
using namespace quadric::widgets;

namespace {

using Maker = std::function<std::unique_ptr<Plot>()>;

template <typename P, typename Fill> Maker maker(Fill fill)
{
    return [fill] {
        auto plot = std::make_unique<P>();
        fill(*plot);
        return plot;
    };
}

optimize::Desirability sampleDesirability(study::Goal goal)
{
    optimize::Desirability desirability;
    desirability.response = "images_per_sec";
    desirability.goal = goal;
    desirability.low = 8000.0;
    desirability.target = 15000.0;
    desirability.high = 20000.0;
    desirability.shapeBelow = goal == study::Goal::Target ? 2.0 : 1.0;
    return desirability;
}

void fillSurfaceFrom(SurfaceView& plot, double azimuth, double elevation)
{
    plot.setGrid(samples::surface());
    plot.setView(azimuth, elevation);
}

std::map<QString, Maker> makers()
{
    return {
        {"surface", maker<SurfaceView>([](SurfaceView& p) { p.setGrid(samples::surface()); })},
        {"surface_picked", maker<SurfaceView>([](SurfaceView& p) {
             fillSurfaceFrom(p, -120.0, 20.0);
             p.setPickedRuns(5);
             p.setSimulated(true);
         })},
        {"surface_front", maker<SurfaceView>([](SurfaceView& p) { fillSurfaceFrom(p, 0.0, 30.0); })},
        {"surface_top", maker<SurfaceView>([](SurfaceView& p) { fillSurfaceFrom(p, 0.0, 90.0); })},
        {"surface_side", maker<SurfaceView>([](SurfaceView& p) { fillSurfaceFrom(p, 60.0, 3.0); })},
        {"surface_empty",
         maker<SurfaceView>([](SurfaceView& p) { p.clear("The model needs three more runs."); })},
        {"pareto", maker<ParetoChart>([](ParetoChart& p) { p.setFit(samples::fitWithErrors()); })},
        {"pareto_lenth", maker<ParetoChart>([](ParetoChart& p) {
             p.setFit(samples::fitWithLenth());
             p.setSimulated(true);
         })},
        {"pareto_empty", maker<ParetoChart>([](ParetoChart& p) { p.clear("No run is done yet."); })},
        {"effects", maker<MainEffectsPlot>([](MainEffectsPlot& p) { p.setCurves(samples::effectCurves()); })},
        {"profiler", maker<Profiler>([](Profiler& p) {
             p.setData(samples::profiler());
             p.setSimulated(true);
         })},
        {"desirability_max", maker<DesirabilityCurve>([](DesirabilityCurve& p) {
             p.setDesirability(sampleDesirability(study::Goal::Maximize), 17250.0);
         })},
        {"desirability_target", maker<DesirabilityCurve>([](DesirabilityCurve& p) {
             p.setDesirability(sampleDesirability(study::Goal::Target), 12250.0);
         })},
        {"cube", maker<DesignCube>([](DesignCube& p) { p.setStudy(samples::boxBehnken()); })},
    };
}

void save(Plot& plot, const QString& path, QSize size, int scale)
{
    plot.resize(size);
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    plot.render(&image);
    if (!image.save(path))
        QTextStream(stderr) << "cannot write " << path << '\n';
}

QSize sizeFor(const QString& name, bool large)
{
    if (name.startsWith("desirability"))
        return large ? QSize(300, 130) : QSize(200, 90);
    return large ? QSize(700, 500) : QSize(420, 300);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() < 2) {
        QTextStream(stderr) << "usage: plots_gallery FOLDER [NAME]\n";
        return 2;
    }
    const QDir folder(arguments[1]);
    folder.mkpath(".");
    for (const bool dark : {false, true}) {
        applyTheme(application, dark ? ThemeChoice::Dark : ThemeChoice::Light);
        for (const auto& [name, make] : makers()) {
            if (arguments.size() > 2 && !name.startsWith(arguments[2]))
                continue;
            const std::unique_ptr<Plot> plot = make();
            for (const bool large : {false, true})
                for (const int scale : {1, 2})
                    save(*plot,
                         folder.filePath(QString("%1_%2_%3_%4x.png")
                                             .arg(name, dark ? "dark" : "light", large ? "large" : "small")
                                             .arg(scale)),
                         sizeFor(name, large), scale);
        }
    }
    return 0;
}
