// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/design_plots.h"

#include "widgets/design/correlation_map.h"
#include "widgets/design/fds_plot.h"
#include "widgets/design/power_bars.h"
#include "widgets/design/quality_panel.h"
#include "widgets/plots/design_cube.h"

namespace quadric::widgets {

namespace {

std::shared_ptr<Plot> cube(const study::Study& study, const std::vector<std::string>& axes)
{
    auto plot = std::make_shared<DesignCube>();
    plot->setStudy(study);
    plot->setAxes(axes);
    return plot;
}

std::shared_ptr<Plot> power(const Judgement& judgement)
{
    auto plot = std::make_shared<PowerBars>();
    judgement.evaluation ? plot->setPower(judgement.evaluation->power) : plot->clear(judgement.reason);
    return plot;
}

std::shared_ptr<Plot> designSpace(const Judgement& judgement)
{
    auto plot = std::make_shared<FdsPlot>();
    judgement.evaluation ? plot->setCurves({{QString(), judgement.evaluation->fds}})
                         : plot->clear(judgement.reason);
    return plot;
}

std::shared_ptr<Plot> overlap(const Judgement& judgement)
{
    auto plot = std::make_shared<CorrelationMap>();
    judgement.evaluation ? plot->setCorrelations(judgement.evaluation->correlation.rows,
                                                 judgement.evaluation->correlation.values)
                         : plot->clear(judgement.reason);
    return plot;
}

} // namespace

std::shared_ptr<Plot> designPlot(const std::string& kind, const study::Study& study,
                                 const std::vector<std::string>& axes)
{
    if (kind == "design-cube")
        return cube(study, axes);
    if (kind != "power" && kind != "design-space" && kind != "overlap")
        return nullptr;
    const Judgement judgement = judge(study, {});
    return kind == "power"     ? power(judgement)
           : kind == "overlap" ? overlap(judgement)
                               : designSpace(judgement);
}

} // namespace quadric::widgets
