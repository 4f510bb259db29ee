// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/response_map_view.h"

#include "core/optimize/merit/limit_map.h"
#include "widgets/optimize/axis_pair.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/held_text.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kMovingPoints = 21;
constexpr int kRestingPoints = 41;
constexpr int kRest = 150; ///< ms without a change
constexpr int kOverall = -1;

} // namespace

ResponseMapView::ResponseMapView(QWidget* parent)
    : AnswerView(parent)
    , m_what(new QComboBox(this))
    , m_axes(new AxisPair(this))
    , m_surface(new SurfaceView(this))
{
    setPlot(m_surface);
    m_what->setObjectName(QStringLiteral("surfaceOf"));
    m_what->setAccessibleName(tr("Response of the surface"));
    m_what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_what->setMinimumContentsLength(8);
    m_axes->addBefore(m_what);
    m_surface->setMinimumSize(180, 120);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_axes);
    layout->addWidget(m_surface, 1);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] { showMap(kRestingPoints); });
    connect(m_what, &QComboBox::activated, this, [this] { showMap(kRestingPoints); });
    connect(m_axes, &AxisPair::changed, this, [this] { showMap(kRestingPoints); });
}

void ResponseMapView::choose(const AnswerSource& source)
{
    m_axes->setFactors(source.answer.study().factors);
    m_axes->setAxes(source.axes);
    fillChooser(source.answer);
    const auto& all = source.answer.study().responses;
    for (std::size_t i = 0; i < all.size() && !source.responses.empty(); ++i)
        if (all[i].name == source.responses.front())
            m_what->setCurrentIndex(m_what->findData(static_cast<int>(i)));
}

void ResponseMapView::fillChooser(const Answer& answer)
{
    const int chosen = std::max(0, m_what->currentIndex());
    m_what->clear();
    m_what->addItem(tr("Overall D"), kOverall);
    for (std::size_t i = 0; i < answer.study().responses.size(); ++i)
        m_what->addItem(nameWithUnit(answer.study().responses[i].name, answer.study().responses[i].unit),
                        static_cast<int>(i));
    m_what->setCurrentIndex(std::min(chosen, m_what->count() - 1));
}

void ResponseMapView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    m_axes->setFactors(answer.study().factors);
    if (change == Change::Models || m_what->count() == 0) // the first answer may come with any change
        fillChooser(answer);
    showMap(change == Change::Models ? kRestingPoints : kMovingPoints);
    if (change != Change::Models)
        m_rest.start();
}

model::SurfaceGrid ResponseMapView::gridOf(std::size_t x, std::size_t y, int points) const
{
    const study::CodedPoint at = study::Coding(m_answer.study().factors).toCoded(m_answer.settings());
    const int what = m_what->currentData().toInt();
    if (what == kOverall)
        return optimize::desirabilityGrid(m_answer.study(), m_answer.fits(), x, y, at, points);
    const auto index = static_cast<std::size_t>(what);
    return index < m_answer.fits().size()
               ? model::surfaceGrid(m_answer.fits()[index], m_answer.study(), x, y, at, points)
               : model::SurfaceGrid{};
}

void ResponseMapView::showMap(int points)
{
    m_rest.stop();
    const int what = m_what->currentData().toInt();
    const auto axes = m_axes->axes();
    if (!axes || !m_answer.context) {
        m_surface->clear(tr("A surface needs two numeric factors."));
        return;
    }
    if (what >= 0 && !m_answer.fits()[static_cast<std::size_t>(what)].isOk()) {
        m_surface->clear(QString::fromStdString(m_answer.fits()[static_cast<std::size_t>(what)].message));
        return;
    }
    model::SurfaceGrid grid = gridOf(axes->first, axes->second, points);
    if (optimize::nearRunsOf(m_answer.study()) == optimize::NearRuns::Off)
        grid.isExtrapolation.setConstant(false);
    if (grid.x.empty())
        m_surface->clear(tr("No response has a goal and a weight above 0."));
    else
        m_surface->setGrid(grid);
    m_surface->setHeld(heldText(m_answer.study(),
                                study::Coding(m_answer.study().factors).toCoded(m_answer.settings()),
                                {axes->first, axes->second}));
}

} // namespace quadric::widgets
