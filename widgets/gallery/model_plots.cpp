// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/gallery/model_plots.h"

#include "widgets/explore/view_catalog.h"
#include "widgets/plots/plot.h"

namespace quadric::widgets {

std::shared_ptr<Plot> modelPlot(const std::string& kind, const study::Study& study, const model::Fit& fit,
                                const AxisChoice& axes)
{
    const ViewType* type = findView(kind);
    if (type == nullptr || !type->isPlot)
        return nullptr;
    const std::shared_ptr<View> view(type->make());
    view->showFit(study, fit);
    if (axes)
        view->setAxes(axes->first, axes->second);
    return {view, view->plot()}; // lives as long as its view
}

} // namespace quadric::widgets
