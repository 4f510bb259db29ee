// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/stationary_region.h"
#include "widgets/explore/views/explore_views.h"
#include "widgets/explore/views/surface_panel.h"
#include "widgets/plots/contour_plot.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/translate.h"

#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

/// The fitted response over two factors as a map.
class ContourPanel : public FactorPlane {
public:
    ContourPanel()
        : ContourPanel(new ContourPlot)
    {
    }

protected:
    void showGrid(const model::MarkedSurface& grid, const ModelPlane& plane) override
    {
        constexpr int kPlaces = 41; // of the confidence region along each axis
        m_map->setGrid(grid, plane.fit.predictor == nullptr
                                 ? model::stationaryRatios(plane.fit, plane.x, plane.y, plane.at, kPlaces)
                                 : Eigen::MatrixXd());
    }
    void showReason(const QString& reason) override { m_map->clear(reason); }

private:
    explicit ContourPanel(ContourPlot* map)
        : FactorPlane(map, nullptr)
        , m_map(map)
    {
    }

    ContourPlot* m_map;
};

/// A view that is a plane of two factors.
class PlaneView : public View {
public:
    explicit PlaneView(FactorPlane* plane)
        : View(&plane->plot())
        , m_plane(plane)
    {
        auto* layout = new QVBoxLayout(this);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(plane);
        connect(plane, &FactorPlane::valueHeld, this, &View::valueHeld);
    }

    void showFit(const study::Study& study, const model::Fit& fit) override { m_plane->showFit(study, fit); }
    void moveSlice(const study::Study& study) override { m_plane->moveSlice(study); }
    void setAxes(const std::vector<std::size_t>& factors) override
    {
        if (factors.size() == 2)
            m_plane->setAxes(factors[0], factors[1]);
    }

private:
    FactorPlane* m_plane;
};

View* makeSurfaceView()
{
    return new PlaneView(new SurfacePanel);
}

View* makeContourView()
{
    return new PlaneView(new ContourPanel);
}

} // namespace

std::vector<ExploreView> planeViews()
{
    return {plotRow("surface", tr("Response surface"), &makeSurfaceView, 2),
            plotRow("contour", tr("Contour map"), &makeContourView, 2)};
}

} // namespace quadric::widgets
