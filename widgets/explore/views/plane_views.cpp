// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/feasibility/feasibility.h"
#include "core/study/shown_study.h"
#include "widgets/base/style.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/response_plots.h"
#include "widgets/plots/scene/cube_plot.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/axis_choosers.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace quadric::widgets {

namespace {

constexpr int kNodes = 61;       ///< along each axis
constexpr int kPlotHeight = 190; ///< pixels that choosers and plot should have above the sliders

bool areNumeric(const std::vector<study::Factor>& factors, int x, int y)
{
    const auto isNumeric = [&factors](int index) {
        return index >= 0 && index < static_cast<int>(factors.size()) &&
               factors[static_cast<std::size_t>(index)].isNumeric();
    };
    return isNumeric(x) && isNumeric(y);
}

/// A plot of one fitted response over two factors, with choosers for the two and sliders for the others under
/// it, or one line that opens them where there is little room.
class FactorPlane : public View {
public:
    void showFit(const study::Study& study, const model::Fit& fit) override;
    void moveSlice(const study::Study& study) override;
    /// Others than two different numeric factors change nothing.
    void setAxes(const std::vector<std::size_t>& factors) override;

protected:
    explicit FactorPlane(Plot* plot);

    /// Puts a widget behind the choosers of the axes.
    void addTool(QWidget* tool) { m_axes->addWidget(tool); }
    void resizeEvent(QResizeEvent* event) override;

    virtual void showGrid(const model::MarkedSurface& grid) = 0;
    virtual void showReason(const QString& reason) = 0;

private:
    void swapEqualAxes(QComboBox* changed, QComboBox* other);
    void refresh();
    void showHeld();

    QHBoxLayout* m_axes;
    QComboBox* m_x;
    QComboBox* m_y;
    FactorSliders* m_sliders;
    SliceBar* m_bar; ///< in place of the sliders where they would take the plot's room
    study::Study m_study;
    model::Fit m_fit;
};

FactorPlane::FactorPlane(Plot* plot)
    : View(plot)
    , m_axes(new QHBoxLayout)
    , m_sliders(new FactorSliders(this))
    , m_bar(new SliceBar(this))
{
    m_axes->setSpacing(8);
    m_x = addLabeledChooser(*m_axes, tr("X axis"), this);
    m_y = addLabeledChooser(*m_axes, tr("Y axis"), this);
    m_axes->addStretch();
    for (QComboBox* chooser : {m_x, m_y})
        chooser->setMinimumContentsLength(4);
    auto* layout = marginless<QVBoxLayout>(this, 4);
    layout->addLayout(m_axes);
    layout->addWidget(plot, 1);
    layout->addWidget(m_sliders);
    layout->addWidget(m_bar);
    connect(m_x, &QComboBox::activated, this, [this] { swapEqualAxes(m_x, m_y); });
    connect(m_y, &QComboBox::activated, this, [this] { swapEqualAxes(m_y, m_x); });
    connect(m_bar, &SliceBar::valueHeld, this, &View::valueHeld);
    connect(m_sliders, &FactorSliders::valueHeld, this, &View::valueHeld);
}

void FactorPlane::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    fillAxisChoosers(*m_x, *m_y, study.factors);
    m_sliders->setFactors(study.factors);
    moveSlice(study);
}

void FactorPlane::moveSlice(const study::Study& study)
{
    m_study.view = study.view;
    m_sliders->setSettings(study::readSlice(study));
    refresh();
}

void FactorPlane::setAxes(const std::vector<std::size_t>& factors)
{
    if (factors.size() != 2)
        return;
    const int across = m_x->findData(static_cast<int>(factors[0]));
    const int deep = m_y->findData(static_cast<int>(factors[1]));
    if (across < 0 || deep < 0 || across == deep)
        return;
    m_x->setCurrentIndex(across);
    m_y->setCurrentIndex(deep);
    refresh();
}

/// Choosing the other axis's factor swaps the two.
void FactorPlane::swapEqualAxes(QComboBox* changed, QComboBox* other)
{
    if (changed->currentIndex() == other->currentIndex()) {
        const int last = changed->property("last").toInt();
        other->setCurrentIndex(last != changed->currentIndex() ? last : (last + 1) % other->count());
    }
    refresh();
}

void FactorPlane::showHeld()
{
    const std::vector<std::size_t> axes{m_x->currentData().toUInt(), m_y->currentData().toUInt()};
    m_sliders->hideFactors(axes);
    const bool hasRoom = height() >= kPlotHeight + m_sliders->sizeHint().height();
    m_sliders->setVisible(hasRoom);
    if (hasRoom)
        m_bar->hide();
    else
        m_bar->setSlice(m_study, axes);
}

void FactorPlane::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (m_x->count() > 1)
        showHeld();
}

void FactorPlane::refresh()
{
    m_x->setProperty("last", m_x->currentIndex());
    m_y->setProperty("last", m_y->currentIndex());
    const int x = m_x->currentData().isValid() ? m_x->currentData().toInt() : -1;
    const int y = m_y->currentData().isValid() ? m_y->currentData().toInt() : -1;
    plot()->setSimulated(study::hasSimulatedResults(m_study));
    plot()->setSource({nameText(m_study.name), {nameText(m_fit.response)}});
    plot()->setHeld({});
    if (!areNumeric(m_study.factors, x, y) || x == y) {
        showReason(tr("A surface needs two numeric factors."));
        return;
    }
    showHeld();
    if (!m_fit.isOk()) {
        showReason(QString::fromStdString(m_fit.message));
        return;
    }
    const auto across = static_cast<std::size_t>(x), deep = static_cast<std::size_t>(y);
    const study::CodedPoint at = study::Coding(m_study.factors).toCoded(m_sliders->settings());
    plot()->setHeld(heldText(m_study, at, {across, deep}));
    const model::SurfaceGrid surface = model::surfaceGrid(m_fit, m_study, across, deep, at, kNodes);
    showGrid(model::marked(surface, m_study, across, deep, at));
}

/// The fitted response over two factors as a surface that turns, with a menu of its fixed views and of what
/// else it can show.
class SurfacePanel : public FactorPlane {
public:
    SurfacePanel()
        : SurfacePanel(new SurfaceView)
    {
    }

protected:
    void showGrid(const model::MarkedSurface& grid) override { m_surface->setGrid(grid); }
    void showReason(const QString& reason) override { m_surface->clear(reason); }

private:
    explicit SurfacePanel(SurfaceView* surface)
        : FactorPlane(surface)
        , m_surface(surface)
    {
        addViewMenu();
    }

    void addViewMenu()
    {
        auto* button = new QToolButton(this);
        button->setText(tr("View"));
        button->setObjectName(QStringLiteral("look"));
        button->setToolTip(tr("Viewpoint, and what else is drawn."));
        button->setFocusPolicy(Qt::StrongFocus);
        button->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(button);
        using Preset = SurfaceView::Preset;
        menu->addAction(tr("&Isometric\t1"), this, [this] { m_surface->setPreset(Preset::Corner); });
        menu->addAction(tr("&Front\t2"), this, [this] { m_surface->setPreset(Preset::Front); });
        menu->addAction(tr("&Top\t3"), this, [this] { m_surface->setPreset(Preset::Top); });
        menu->addSeparator();
        QAction* interval = menu->addAction(tr("95 % &interval of the mean\tI"));
        QAction* contours = menu->addAction(tr("Contour &lines on the floor\tC"));
        interval->setCheckable(true);
        contours->setCheckable(true);
        connect(interval, &QAction::triggered, m_surface, &SurfaceView::setIntervalShown);
        connect(contours, &QAction::triggered, m_surface, &SurfaceView::setContoursShown);
        connect(m_surface, &SurfaceView::extrasChanged, this, [this, interval, contours] {
            interval->setChecked(m_surface->isIntervalShown());
            contours->setChecked(m_surface->areContoursShown());
        });
        button->setMenu(menu);
        addTool(button);
    }

    SurfaceView* m_surface;
};

/// The fitted response over two factors as a map.
class ContourPanel : public FactorPlane {
public:
    ContourPanel()
        : ContourPanel(new ContourPlot)
    {
    }

protected:
    void showGrid(const model::MarkedSurface& grid) override { m_map->setGrid(grid); }
    void showReason(const QString& reason) override { m_map->clear(reason); }

private:
    explicit ContourPanel(ContourPlot* map)
        : FactorPlane(map)
        , m_map(map)
    {
    }

    ContourPlot* m_map;
};

/// Predictions at the corners of three factors, which are chosen where the study has more; the others are
/// held.
class CubeView : public SliceView {
public:
    CubeView()
        : CubeView(new CubePlot)
    {
    }
    void setAxes(const std::vector<std::size_t>& factors) override;

protected:
    void showSlice(const study::CodedPoint& at) override;
    std::vector<std::size_t> shownFactors() const override { return m_factors; }

private:
    explicit CubeView(CubePlot* cube);
    void fillChoosers();
    void assignCubeAxis(std::size_t axis);

    CubePlot* m_cube;
    QWidget* m_row;
    std::array<QComboBox*, 3> m_choosers{};
    std::vector<study::Factor> m_known;
    std::vector<std::size_t> m_factors; ///< on the axes; none: there are fewer than three
};

CubeView::CubeView(CubePlot* cube)
    : SliceView(cube)
    , m_cube(cube)
    , m_row(new QWidget(this))
{
    auto* row = marginless<QHBoxLayout>(m_row, 8);
    const std::array<QString, 3> names{tr("Width"), tr("Depth"), tr("Height")};
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis) {
        m_choosers[axis] = new QComboBox(m_row);
        m_choosers[axis]->setObjectName(QStringLiteral("cubeAxis%1").arg(axis));
        m_choosers[axis]->setAccessibleName(names[axis]);
        m_choosers[axis]->setToolTip(tr("The factor along the %1 of the cube.").arg(names[axis].toLower()));
        m_choosers[axis]->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        m_choosers[axis]->setMinimumContentsLength(4);
        row->addWidget(m_choosers[axis], 1);
        connect(m_choosers[axis], &QComboBox::activated, this, [this, axis] { assignCubeAxis(axis); });
    }
    column().insertWidget(0, m_row);
}

/// Those that explain most, until others are chosen; the choice is kept while the factors stay the same.
void CubeView::fillChoosers()
{
    m_row->setVisible(fit().factors.size() > m_choosers.size());
    if (!fit().isOk() || fit().factors == m_known)
        return;
    m_known = fit().factors;
    m_factors = leadingFactors(fit(), m_choosers.size());
    if (m_factors.size() < m_choosers.size())
        m_factors.clear();
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis) {
        const QSignalBlocker quiet(m_choosers[axis]);
        m_choosers[axis]->clear();
        for (const study::Factor& factor : m_known)
            m_choosers[axis]->addItem(nameText(factor.name));
        m_choosers[axis]->setCurrentIndex(m_factors.empty() ? -1 : static_cast<int>(m_factors[axis]));
    }
}

/// Choosing a factor of another axis swaps the two.
void CubeView::assignCubeAxis(std::size_t axis)
{
    const auto chosen = static_cast<std::size_t>(m_choosers[axis]->currentIndex());
    if (m_factors.empty() || chosen >= m_known.size())
        return;
    std::vector<std::size_t> factors = m_factors;
    if (const auto other = std::ranges::find(factors, chosen); other != factors.end())
        *other = factors[axis];
    factors[axis] = chosen;
    setAxes(factors);
}

void CubeView::setAxes(const std::vector<std::size_t>& factors)
{
    if (factors.size() != m_choosers.size() || m_factors.empty())
        return;
    m_factors = factors;
    for (std::size_t axis = 0; axis < m_choosers.size(); ++axis)
        m_choosers[axis]->setCurrentIndex(static_cast<int>(factors[axis]));
    refresh();
}

void CubeView::showSlice(const study::CodedPoint& at)
{
    fillChoosers();
    if (!fit().isOk())
        return m_cube->clear(message());
    if (m_factors.empty())
        return m_cube->clear(tr("A cube needs three factors."));
    m_cube->setCube(model::cubePlot(fit(), study(), {m_factors[0], m_factors[1], m_factors[2]}, at),
                    fit().factors);
}

} // namespace

View* makeCubeView()
{
    return new CubeView;
}

std::vector<ExploreView> planeViews()
{
    return {plotRow("surface", tr("Response surface"), &makeView<SurfacePanel>, 2),
            plotRow("contour", tr("Contour map"), &makeView<ContourPanel>, 2),
            plotRow("cube", tr("Cube"), &makeCubeView, 3, true),
            plotRow("speed-up", tr("Speed-up over GPUs"), &makeSpeedUpView)};
}

} // namespace quadric::widgets
