// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/style.h"
#include "widgets/optimize/charts/contour_profiler_plot.h"
#include "widgets/optimize/session/optimize_session.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/optimize/views/contour_values.h"
#include "widgets/plots/scene/small_surfaces.h"
#include "widgets/plots/scene/surface_view.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kMovingPoints = 21;
constexpr int kRestingPoints = 41;
constexpr int kSmallPoints = 12;
constexpr int kRest = 150;        ///< ms without a change
constexpr int kValuesWidth = 232; ///< pixels of the rows at the left
constexpr int kRoomForSmall = 620;
constexpr int kContours = -2; ///< choices of what is shown large; a response has its index
constexpr int kOverall = -1;

/// The contour profiler: a map over two factors with a crosshair at the setting that is looked at, a contour
/// per response with its value beside it, the limits of all responses and the constraints; small surfaces of
/// all responses, each of which can take the map's place.
class ContourProfilerView : public AnswerView {
public:
    ContourProfilerView();

    void showAnswer(const Answer& answer, Change change) override;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        AnswerView::resizeEvent(event);
        fitSmall();
    }

private:
    void addChooser();
    void addParts();
    void fillChooser();
    void chooseSurface(int index);
    void showAll();
    void showMap();
    void showLarge(int points);
    void fitSmall() { m_small->setVisible(width() >= kRoomForSmall && m_small->count() > 0); }
    void findMap();
    void findPlaces();
    void requestSettingsAt(double x, double y);
    void step(double x, double y);
    std::vector<ContourResponse> responses() const;
    bool showsSurface() const { return m_what->currentData().toInt() != kContours; }

    QComboBox* m_what = nullptr;
    AxisPair* m_axes = nullptr;
    SteadyLabel* m_words = nullptr;
    ContourValues* m_values = nullptr;
    QStackedWidget* m_large = nullptr;
    ContourProfilerPlot* m_plot = nullptr;
    SurfaceView* m_surface = nullptr;
    SmallSurfaces* m_small = nullptr;
    QTimer m_rest;
    Answer m_answer;
    ContourProfile m_profile;
    MapPlace m_place;                                          ///< where the map was made
    bool m_hasOtherModels = true, m_hasOtherGoals = true;      ///< than those that the map was made with
    std::vector<model::MarkedSurface> m_responses;             ///< the small surfaces of the map's responses
    std::shared_ptr<const optimize::OptimumRegion> m_placesOf; ///< the region whose places the map has
    FollowUp<Eigen::MatrixXd> m_places;
};

ContourProfilerView::ContourProfilerView()
    : m_axes(new AxisPair(this))
    , m_words(new SteadyLabel(1, this))
    , m_values(new ContourValues(this))
    , m_large(new QStackedWidget(this))
    , m_plot(new ContourProfilerPlot)
    , m_surface(new SurfaceView)
    , m_small(new SmallSurfaces(this))
{
    setPlot(m_plot);
    m_plot->setObjectName(QStringLiteral("contourProfiler"));
    m_surface->setObjectName(QStringLiteral("largeSurface"));
    m_small->setObjectName(QStringLiteral("smallSurfaces"));
    m_words->setObjectName(QStringLiteral("limitsText"));
    m_words->setGrowing(true);
    m_words->setToolTip(tr("Shares of the rectangle between low and high of both factors, other factors "
                           "fixed at the current setting."));
    addChooser();
    addParts();
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRest);
    connect(&m_rest, &QTimer::timeout, this, [this] { showLarge(kRestingPoints); });
    connect(m_axes, &AxisPair::changed, this, &ContourProfilerView::showAll);
    connect(m_values, &ContourValues::changed, this, &ContourProfilerView::showMap);
    connect(m_plot, &ContourProfilerPlot::placeRequested, this, &ContourProfilerView::requestSettingsAt);
    connect(m_plot, &ContourProfilerPlot::stepRequested, this, &ContourProfilerView::step);
    connect(m_surface, &Plot::runsPicked, this, &AnswerView::runsPicked);
    connect(m_small, &SmallSurfaces::chosen, this, [this](int index) { chooseSurface(index); });
}

void ContourProfilerView::addChooser()
{
    m_what = new QComboBox(this);
    nameWidget(m_what, "surfaceOf", tr("Contours or surface"));
    m_what->setToolTip(tr("What is shown large: contours of all responses, or the surface of one."));
    m_what->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_what->setMinimumContentsLength(8);
    m_what->setMaximumWidth(kValuesWidth);
    m_axes->addBefore(m_what);
    connect(m_what, &QComboBox::activated, this, [this] { showLarge(kRestingPoints); });
}

void ContourProfilerView::addParts()
{
    m_values->setFixedWidth(kValuesWidth);
    m_large->addWidget(m_plot);
    m_large->addWidget(m_surface);
    m_large->setMinimumSize(180, 160);
    m_small->setMinimumWidth(110);
    m_small->setToolTip(tr("Drag to turn, click to show one large."));
    auto* parts = new QHBoxLayout;
    parts->setSpacing(8);
    parts->addWidget(m_values);
    parts->addWidget(m_large, 3);
    parts->addWidget(m_small, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_axes);
    layout->addWidget(m_words);
    layout->addLayout(parts, 1);
}

/// One of the small ones takes the map's place, or gives it back.
void ContourProfilerView::chooseSurface(int index)
{
    const bool hasOverall = m_small->count() > m_profile.map.layers.size();
    const int choice = index + (hasOverall ? 1 : 2);
    m_what->setCurrentIndex(m_what->currentIndex() == choice ? 0 : choice);
    showLarge(kRestingPoints);
}

void ContourProfilerView::fillChooser()
{
    const int chosen = std::max(0, m_what->currentIndex());
    m_what->clear();
    m_what->addItem(tr("Contours"), kContours);
    m_what->addItem(tr("Surface of D"), kOverall);
    const std::vector<model::Fit>& fits = m_answer.fits();
    for (std::size_t i = 0; i < fits.size(); ++i)
        if (fits[i].isOk())
            m_what->addItem(tr("Surface of %1").arg(nameText(fits[i].response)), static_cast<int>(i));
    m_what->setCurrentIndex(std::min(chosen, m_what->count() - 1));
}

void ContourProfilerView::showAnswer(const Answer& answer, Change change)
{
    if (change == Change::Status)
        return;
    m_answer = answer;
    m_axes->setFactors(answer.study().factors);
    for (Plot* plot : {static_cast<Plot*>(m_surface), static_cast<Plot*>(m_small)})
        if (plot->isSimulated() != answer.isSimulated())
            plot->setSimulated(answer.isSimulated());
    if (change == Change::Models || m_what->count() == 0) // the first answer may come with any change
        fillChooser();
    m_hasOtherGoals = m_hasOtherGoals || change >= Change::Goals;
    m_hasOtherModels = m_hasOtherModels || change == Change::Models;
    showAll();
    if (change != Change::Models && showsSurface())
        m_rest.start();
}

void ContourProfilerView::showAll()
{
    if (!m_answer.context)
        return;
    if (!m_axes->axes()) {
        m_words->setText({});
        m_plot->clear(tr("A contour profiler needs two numeric factors."));
        m_surface->clear(tr("A surface needs two numeric factors."));
        return;
    }
    findMap();
    if (m_placesOf != m_answer.region)
        m_profile.places = {};
    m_values->setResponses(responses());
    m_values->setVisible(!m_profile.map.isEmpty());
    showMap();
    m_small->setSetting(m_profile.shown);
    fitSmall();
    showLarge(kMovingPoints);
    findPlaces();
}

/// The map stays while the crosshair moves on it, and its responses while goals change.
void ContourProfilerView::findMap()
{
    MapPlace place = makeMapPlace(m_answer, m_axes->axes());
    const bool isMoved = place != m_place || m_hasOtherModels;
    if (!isMoved && !m_hasOtherGoals)
        return;
    m_place = std::move(place);
    m_profile.map = answerMap(m_answer, m_place.axes, optimize::MapResponses::All);
    if (isMoved) {
        m_placesOf.reset();
        m_profile.support = answerSupport(m_answer, m_place.axes);
        m_responses.clear();
        for (const optimize::LimitLayer& layer : m_profile.map.layers)
            m_responses.push_back(smallSurface(m_profile.map, layer, kSmallPoints));
    }
    m_hasOtherModels = m_hasOtherGoals = false;
    std::vector<model::MarkedSurface> grids = m_responses;
    const study::CodedPoint at = study::Coding(m_answer.study().factors).toCoded(m_answer.settings());
    const auto [x, y] = *m_place.axes;
    model::MarkedSurface overall =
        optimize::desirabilityGrid(m_answer.study(), m_answer.fits(), x, y, at, kSmallPoints);
    overall.failed.clear(); // too large for a small surface; the map has them
    if (!overall.x.empty())
        grids.insert(grids.begin(), std::move(overall));
    m_small->setSurfaces(grids);
    m_words->setText(limitsText(m_profile.map));
}

std::vector<ContourResponse> ContourProfilerView::responses() const
{
    std::vector<ContourResponse> rows;
    const std::vector<std::optional<double>> predicted = collectPredictions(m_answer, m_profile.map);
    for (std::size_t i = 0; i < m_profile.map.layers.size(); ++i) {
        const optimize::LimitLayer& layer = m_profile.map.layers[i];
        const auto fit = std::ranges::find(m_answer.fits(), layer.response, &model::Fit::response);
        rows.push_back({layer.response, layer.unit, fit->smallestObserved, fit->largestObserved,
                        predicted[i].value_or(fit->smallestObserved)});
    }
    return rows;
}

void ContourProfilerView::showMap()
{
    if (m_profile.map.isEmpty())
        return m_plot->clear(tr("No response has a model yet."));
    const std::vector<double> values = m_values->values();
    m_profile.contours.assign(values.begin(), values.end());
    m_profile.shown = projectSetting(m_answer, m_place.axes->first, m_place.axes->second);
    m_profile.reading = makeMapReading(m_answer, m_place.axes);
    m_plot->setHeld(describeHeldFactors(m_answer, m_place.axes->first, m_place.axes->second));
    m_plot->setProfile(m_profile);
}

void ContourProfilerView::showLarge(int points)
{
    m_rest.stop();
    m_large->setCurrentIndex(showsSurface() ? 1 : 0);
    if (!showsSurface())
        return;
    const int what = m_what->currentData().toInt();
    showSurface(*m_surface, m_answer,
                what == kOverall ? SurfaceSubject() : SurfaceSubject(static_cast<std::size_t>(what)),
                m_axes->axes(), points);
}

/// The settings of the map that may be the best are outlined as soon as they are known.
void ContourProfilerView::findPlaces()
{
    if (m_placesOf != nullptr && m_placesOf == m_answer.region)
        return;
    m_places.cancel();
    m_placesOf = m_answer.region;
    if (!m_answer.region || m_answer.region->isEmpty())
        return;
    startSearch(
        m_places,
        [answer = m_answer, axes = m_place.axes](const std::stop_token& stop) {
            return sampleOptimumRegion(answer, axes, stop);
        },
        [this](const Eigen::MatrixXd& places) {
            m_profile.places = places;
            showMap();
        });
}

void ContourProfilerView::requestSettingsAt(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withValue(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withValue(m_answer.study(), moved, axes->second, y));
}

void ContourProfilerView::step(double x, double y)
{
    const auto axes = m_axes->axes();
    if (!axes)
        return;
    const study::Settings moved = withStep(m_answer.study(), m_answer.settings(), axes->first, x);
    emit settingsPicked(withStep(m_answer.study(), moved, axes->second, y));
}

} // namespace

AnswerView* makeContourProfiler()
{
    return new ContourProfilerView;
}

} // namespace quadric::widgets
