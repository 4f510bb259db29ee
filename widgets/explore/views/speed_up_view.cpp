// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/recommended_models.h"
#include "widgets/explore/views/slice_view.h"
#include "widgets/explore/views/speed_up_plot.h"

namespace quadric::widgets {

namespace {

/// The model of the response that tells speed-ups, whichever response is shown.
model::Fit speedUpFit(const study::Study& study, const model::Fit& shown)
{
    const std::string response = plan::speedUpResponse(study);
    if (shown.response == response || response.empty())
        return shown;
    study::Study alone = study;
    std::erase_if(alone.responses,
                  [&response](const study::Response& each) { return each.name != response; });
    return model::fitByDefault(alone).front();
}

/// Speed-ups are of the study, whichever response is chosen; where the others are held is said below.
class SpeedUpView : public SliceView {
public:
    SpeedUpView()
        : SpeedUpView(new SpeedUpPlot)
    {
    }

protected:
    void takeFit() override { m_speedUp = fit().isOk() ? speedUpFit(study(), fit()) : model::Fit{}; }
    void showSlice(const study::CodedPoint& at) override
    {
        m_plot->setSpeedUp(plan::computeSpeedUp(study(), m_speedUp, at));
    }
    std::vector<std::size_t> shownFactors() const override
    {
        const study::Factor* ranks = study::rankFactorOf(study());
        return ranks != nullptr ? std::vector{static_cast<std::size_t>(ranks - study().factors.data())}
                                : std::vector<std::size_t>{};
    }

private:
    explicit SpeedUpView(SpeedUpPlot* plot)
        : SliceView(plot)
        , m_plot(plot)
    {
    }

    SpeedUpPlot* m_plot;
    model::Fit m_speedUp; ///< of the response that tells speed-ups
};

} // namespace

View* makeSpeedUpView()
{
    return new SpeedUpView;
}

} // namespace quadric::widgets
