// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/slice_view.h"

#include "core/model/predict/curves.h"
#include "core/model/process/shown_process.h"
#include "core/study/slice.h"
#include "widgets/explore/views/slice_bar.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/main_effects_plot.h"
#include "widgets/plots/perturbation_plot.h"
#include "widgets/text/held_text.h"
#include "widgets/text/wording.h"

#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <numeric>

namespace quadric::widgets {

namespace {

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
    void takeFit() override
    {
        m_shown = model::shownFits(study(), {fit()}).front();
        m_factors = leadingFactors(fit(), kMostCurves);
    }
    void showSlice(const study::CodedPoint& at) override
    {
        if (!fit().isOk())
            return m_plot->clear(message());
        std::vector<model::EffectCurve> curves;
        for (const std::size_t factor : m_factors)
            curves.push_back(model::effectCurve(m_shown, study(), factor, at));
        m_plot->setCurves(curves);
    }
    QString held(const study::CodedPoint& at) const override
    {
        const QString others = SliceView::held(at);
        return m_shown.predictor ? tr("Gaussian process · ") + others : others;
    }

private:
    explicit MainEffectsView(MainEffectsPlot* plot)
        : SliceView(plot)
        , m_plot(plot)
    {
    }

    MainEffectsPlot* m_plot;
    model::Fit m_shown; ///< the polynomial, or the process in its place
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

SliceView::SliceView(Plot* plot)
    : View(plot)
    , m_column(new QVBoxLayout(this))
    , m_bar(new SliceBar(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_column->addWidget(plot, 1);
    m_column->addWidget(m_bar);
    connect(m_bar, &SliceBar::valueHeld, this, &View::valueHeld);
}

void SliceView::showFit(const study::Study& study, const model::Fit& fit)
{
    m_study = study;
    m_fit = fit;
    takeFit();
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
        const study::CodedPoint at = study::Coding(m_study.factors).toCoded(study::sliceOf(m_study));
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
