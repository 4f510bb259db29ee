// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/explore/views/view.h"

class QVBoxLayout;

namespace quadric::widgets {

class SliceBar;

/// A view of a slice of the model through its other factors: a plot, and under it the line that says where
/// these are held.
class SliceView : public View {
    Q_OBJECT

public:
    void showFit(const study::Study& study, const model::Fit& fit) override;
    void moveSlice(const study::Study& study) override;

protected:
    explicit SliceView(Plot* plot);

    /// Keeps what is the same for all slices of a new fit.
    virtual void takeFit() {}
    /// Draws the fit at a slice; a fit without a model shows its message.
    virtual void showSlice(const study::CodedPoint& at) = 0;
    /// The factors that the view goes along, by index: nothing is held there.
    virtual std::vector<std::size_t> shownFactors() const { return {}; }
    /// Where the factors are held, as pictures say it.
    virtual QString held(const study::CodedPoint& at) const;
    /// Draws again, after a choice of the view's own.
    void refresh();

    const study::Study& study() const { return m_study; }
    const model::Fit& fit() const { return m_fit; }
    QString message() const { return QString::fromStdString(m_fit.message); }
    /// Where choosers go above the plot, and a second plot beside it.
    QVBoxLayout& column() { return *m_column; }

private:
    QVBoxLayout* m_column;
    SliceBar* m_bar;
    study::Study m_study;
    model::Fit m_fit;
};

/// Main effects and perturbation, which go along every factor.
View* makeMainEffectsView();
View* makePerturbationView();
/// Speed-up over the number of GPUs.
View* makeSpeedUpView();

/// All factors of a fit, or as many as are wanted of those that explain most, in the study's order.
std::vector<std::size_t> leadingFactors(const model::Fit& fit, std::size_t most);

} // namespace quadric::widgets
