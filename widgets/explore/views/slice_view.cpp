// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/slice_view.h"

#include "core/model/predict/curves.h"
#include "core/study/shown_study.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/typed_value.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/response_plots.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <string>

namespace quadric::widgets {

namespace {

constexpr int kContinuousSteps = 100;
constexpr int kDigits = 4;              ///< of a position that no legal value gives
constexpr std::size_t kMostStops = 200; ///< factors with more legal values are moved continuously

/// Values that the slider of a numeric factor can stand at, ascending.
std::vector<double> stopsOf(const study::Coding& coding, std::size_t index)
{
    const study::Factor& factor = coding.factors()[index];
    std::vector<double> stops = study::legalValues(factor, factor.low, factor.high, kMostStops);
    if (stops.size() >= 2)
        return stops;
    stops.clear();
    for (int step = 0; step <= kContinuousSteps; ++step) {
        const double exact = coding.toActual(index, 2.0 * step / kContinuousSteps - 1.0);
        const double rounded = std::stod(text::formatBriefly(exact, kDigits));
        stops.push_back(std::clamp(study::snapToLegal(factor, rounded), factor.low, factor.high));
    }
    stops.erase(std::unique(stops.begin(), stops.end()), stops.end());
    return stops;
}

/// On the scale of the factor.
int nearestStop(const study::Factor& factor, const std::vector<double>& stops, double actual)
{
    const auto distance = [&factor, actual](double stop) {
        return std::abs(study::onScale(factor, stop) - study::onScale(factor, actual));
    };
    return static_cast<int>(std::ranges::min_element(stops, {}, distance) - stops.begin());
}

constexpr int kPopupWidth = 360; ///< pixels

/// Each factor has a panel; more than these, which explain most, have none.
constexpr std::size_t kMostCurves = 60;

/// One curve per factor through the slice.
class MainEffectsView : public SliceView {
public:
    MainEffectsView()
        : MainEffectsView(new MainEffectsPlot)
    {
    }

protected:
    void prepareFit() override { m_factors = leadingFactors(fit(), kMostCurves); }
    void showSlice(const study::CodedPoint& at) override
    {
        if (!fit().isOk())
            return m_plot->clear(message());
        std::vector<model::EffectCurve> curves;
        for (const std::size_t factor : m_factors)
            curves.push_back(model::effectCurve(fit(), study(), factor, at));
        m_plot->setCurves(curves);
    }

private:
    explicit MainEffectsView(MainEffectsPlot* plot)
        : SliceView(plot)
        , m_plot(plot)
    {
    }

    MainEffectsPlot* m_plot;
    std::vector<std::size_t> m_factors;
};

class PerturbationView : public SliceView {
public:
    PerturbationView()
        : PerturbationView(new PerturbationPlot)
    {
    }

protected:
    void showSlice(const study::CodedPoint& at) override
    {
        fit().isOk()
            ? m_plot->setCurves(model::perturbationPlot(fit(), at), nameText(fit().response), fit().unit)
            : m_plot->clear(message());
    }
    QString held(const study::CodedPoint& at) const override { return referenceText(study(), at); }

private:
    explicit PerturbationView(PerturbationPlot* plot)
        : SliceView(plot)
        , m_plot(plot)
    {
    }

    PerturbationPlot* m_plot;
};

} // namespace

FactorSliders::FactorSliders(QWidget* parent)
    : QWidget(parent)
    , m_grid(marginlessGrid(this, 8, 4))
{
    m_grid->setColumnStretch(1, 1);
}

void FactorSliders::setFactors(const std::vector<study::Factor>& factors)
{
    if (factors == m_factors)
        return;
    for (const Row& row : m_rows)
        for (QWidget* part : std::initializer_list<QWidget*>{row.name, row.slider, row.value, row.levels})
            delete part;
    m_rows.clear();
    m_factors = factors;
    const study::Coding coding(m_factors);
    m_settings = coding.toLegalSettings(coding.center());
    for (std::size_t i = 0; i < factors.size(); ++i) {
        m_rows.push_back(makeRow(i));
        showValue(i);
    }
}

FactorSliders::Row FactorSliders::makeRow(std::size_t factor)
{
    Row row;
    row.name = new QLabel(nameText(m_factors[factor].name), this);
    m_grid->addWidget(row.name, static_cast<int>(factor), 0);
    m_factors[factor].isNumeric() ? addSlider(row, factor) : addLevels(row, factor);
    return row;
}

void FactorSliders::addSlider(Row& row, std::size_t factor)
{
    const study::Factor& own = m_factors[factor];
    row.stops = stopsOf(study::Coding(m_factors), factor);
    row.slider = new QSlider(Qt::Horizontal, this);
    row.slider->setRange(0, static_cast<int>(row.stops.size()) - 1);
    row.slider->setPageStep(std::max(1, static_cast<int>(row.stops.size()) / 10));
    row.slider->setAccessibleName(nameText(own.name));
    row.slider->setMinimumWidth(64);
    row.name->setBuddy(row.slider);
    row.value = new ValueField(this);
    row.value->setAccessibleName(tr("Value of %1").arg(nameText(own.name)));
    row.value->setFixedWidth(fontMetrics().horizontalAdvance(QStringLiteral("00 000 images")));
    m_grid->addWidget(row.slider, static_cast<int>(factor), 1);
    m_grid->addWidget(row.value, static_cast<int>(factor), 2);
    connect(row.slider, &QSlider::valueChanged, this,
            [this, factor](int stop) { hold(factor, m_rows[factor].stops[static_cast<std::size_t>(stop)]); });
    row.value->setTaker([this, factor](const QString& typed) {
        QString problem;
        const auto value = parseSettingInRange(m_factors[factor], typed, problem);
        if (value)
            hold(factor, *value);
        return problem;
    });
}

void FactorSliders::addLevels(Row& row, std::size_t factor)
{
    row.levels = new QComboBox(this);
    row.levels->setAccessibleName(nameText(m_factors[factor].name));
    for (const std::string& level : m_factors[factor].categories)
        row.levels->addItem(nameText(level), QString::fromStdString(level));
    row.name->setBuddy(row.levels);
    m_grid->addWidget(row.levels, static_cast<int>(factor), 1, 1, 2, Qt::AlignLeft);
    connect(row.levels, &QComboBox::currentIndexChanged, this, [this, factor](int level) {
        hold(factor, m_factors[factor].categories[static_cast<std::size_t>(level)]);
    });
}

void FactorSliders::hideFactors(const std::vector<std::size_t>& hidden)
{
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        for (QWidget* part : std::initializer_list<QWidget*>{m_rows[i].name, m_rows[i].slider,
                                                             m_rows[i].value, m_rows[i].levels})
            if (part != nullptr)
                part->setVisible(std::ranges::count(hidden, i) == 0);
}

void FactorSliders::focusFirst()
{
    for (const Row& row : m_rows)
        if (!row.name->isHidden())
            return row.name->buddy()->setFocus(Qt::TabFocusReason);
}

void FactorSliders::setSettings(const study::Settings& settings)
{
    for (std::size_t i = 0; i < m_factors.size(); ++i)
        if (const auto found = settings.find(m_factors[i].name);
            found != settings.end() && found->second != m_settings[m_factors[i].name]) {
            m_settings[m_factors[i].name] = found->second;
            showValue(i);
        }
}

void FactorSliders::hold(std::size_t factor, const study::Value& value)
{
    m_settings[m_factors[factor].name] = value;
    showValue(factor);
    emit valueHeld(QString::fromStdString(m_factors[factor].name), value);
}

void FactorSliders::showValue(std::size_t factor)
{
    const study::Factor& own = m_factors[factor];
    const study::Value& value = m_settings.at(own.name);
    const Row& row = m_rows[factor];
    if (row.levels != nullptr) {
        const QSignalBlocker quiet(row.levels);
        row.levels->setCurrentIndex(row.levels->findData(QString::fromStdString(study::toText(value))));
        return;
    }
    const QSignalBlocker quiet(row.slider);
    row.slider->setValue(nearestStop(own, row.stops, study::numberOf(value)));
    row.value->setValue(valueText(own, value), QString::fromStdString(study::toText(value)));
}

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton(this))
    , m_popup(new QFrame(this, Qt::Popup))
    , m_sliders(new FactorSliders(m_popup))
{
    m_button->setObjectName(QStringLiteral("slice"));
    m_button->setAutoRaise(true);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_button->setArrowType(Qt::UpArrow);
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* row = marginless<QHBoxLayout>(this);
    row->addWidget(m_button);
    m_popup->setFrameShape(QFrame::StyledPanel);
    auto* layout = new QVBoxLayout(m_popup);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->addWidget(m_sliders);
    connect(m_button, &QToolButton::clicked, this, &SliceBar::openSliders);
    connect(m_sliders, &FactorSliders::valueHeld, this, &SliceBar::valueHeld);
}

void SliceBar::setSlice(const study::Study& study, const std::vector<std::size_t>& shown)
{
    study::Settings held = study::readSlice(study);
    m_sliders->setFactors(study.factors);
    m_sliders->setSettings(held);
    m_sliders->hideFactors(shown);
    for (const std::size_t factor : shown)
        held.erase(study.factors[factor].name);
    m_text = tr("Held: %1").arg(settingsText(study, held));
    setVisible(!held.empty());
    showText();
}

/// As much of it as there is room for; the tip has all.
void SliceBar::showText()
{
    const int room = std::max(0, width() - 3 * fontMetrics().height());
    m_button->setText(fontMetrics().elidedText(m_text, Qt::ElideRight, room));
    m_button->setAccessibleName(m_text);
    m_button->setToolTip(m_text + QLatin1Char('\n') + tr("Click to change it, in all views."));
}

void SliceBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    showText();
}

/// Above the bar, where the view is, or wherever it has room.
void SliceBar::openSliders()
{
    m_popup->setMinimumWidth(kPopupWidth);
    m_popup->adjustSize();
    const QRect room = screen()->availableGeometry();
    QPoint at = mapToGlobal(QPoint(0, 0)) - QPoint(0, m_popup->height());
    if (at.y() < room.top())
        at = mapToGlobal(QPoint(0, height()));
    at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - m_popup->width())));
    m_popup->move(at);
    m_popup->show();
    m_sliders->focusFirst();
}

SliceView::SliceView(Plot* plot)
    : View(plot)
    , m_column(marginless<QVBoxLayout>(this, 4))
    , m_bar(new SliceBar(this))
{
    m_column->addWidget(plot, 1);
    m_column->addWidget(m_bar);
    connect(m_bar, &SliceBar::valueHeld, this, &View::valueHeld);
}

void SliceView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    prepareFit();
    refresh();
}

void SliceView::moveSlice(const study::Study& study)
{
    m_study.view = study.view;
    refresh();
}

void SliceView::refresh()
{
    plot()->setSimulated(study::hasSimulatedResults(m_study));
    if (m_fit.isOk()) {
        const study::CodedPoint at = study::Coding(m_study.factors).toCoded(study::readSlice(m_study));
        showSlice(at);
        plot()->setHeld(held(at));
        m_bar->setSlice(m_study, shownFactors());
    } else {
        showSlice({});
        plot()->setHeld({});
        m_bar->hide();
    }
}

QString SliceView::held(const study::CodedPoint& at) const
{
    const std::vector<std::size_t> shown = shownFactors();
    return shown.empty() ? othersText(m_study, at) : heldText(m_study, at, shown);
}

View* makeMainEffectsView()
{
    return new MainEffectsView;
}

View* makePerturbationView()
{
    return new PerturbationView;
}

std::vector<std::size_t> leadingFactors(const model::Fit& fit, std::size_t most)
{
    std::vector<std::size_t> order(fit.factors.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (order.size() <= most)
        return order;
    const auto share = [&fit](std::size_t factor) {
        const auto found =
            std::ranges::find(fit.importance, fit.factors[factor].name, &model::Importance::factor);
        return found == fit.importance.end() ? 0.0 : found->total;
    };
    std::ranges::stable_sort(order, std::ranges::greater{}, share);
    order.resize(most);
    std::ranges::sort(order);
    return order;
}

} // namespace quadric::widgets
