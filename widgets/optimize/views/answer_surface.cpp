// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/views/answer_surface.h"

#include "core/model/feasibility/running_map.h"
#include "core/optimize/merit/limit_map.h"
#include "widgets/optimize/session/setting_steps.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

namespace {

model::MarkedSurface surfaceOf(const Answer& answer, const SurfaceSubject& subject, std::size_t x,
                               std::size_t y, int points)
{
    const study::CodedPoint at = study::Coding(answer.study().factors).toCoded(answer.settings());
    model::MarkedSurface grid =
        subject ? model::marked(model::surfaceGrid(answer.fits()[*subject], answer.study(), x, y, at, points),
                                answer.study(), x, y, at)
                : optimize::desirabilityGrid(answer.study(), answer.fits(), x, y, at, points);
    if (optimize::nearRunsOf(answer.study()) == optimize::NearRuns::Off)
        grid.isExtrapolation.setConstant(false);
    return grid;
}

} // namespace

void showSurface(SurfaceView& surface, const Answer& answer, const SurfaceSubject& subject,
                 const AxisChoice& axes, int points)
{
    if (!axes || !answer.context)
        return surface.clear(SurfaceView::tr("A surface needs two numeric factors."));
    if (subject && (*subject >= answer.fits().size() || !answer.fits()[*subject].isOk()))
        return surface.clear(*subject < answer.fits().size()
                                 ? QString::fromStdString(answer.fits()[*subject].message)
                                 : SurfaceView::tr("This response has no model."));
    const model::MarkedSurface grid = surfaceOf(answer, subject, axes->first, axes->second, points);
    if (grid.x.empty())
        return surface.clear(SurfaceView::tr("No response has a goal and a weight above 0."));
    surface.setGrid(grid);
    surface.setSetting(placeOf(answer, axes->first, axes->second));
    surface.setSource({nameText(answer.study().name),
                       {subject ? nameText(answer.study().responses[*subject].name) : QString()}});
    surface.setHeld(heldBeside(answer, axes->first, axes->second));
}

} // namespace quadric::widgets
