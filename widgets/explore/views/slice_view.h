// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"
#include "core/study/study.h"
#include "widgets/explore/views/explore_views.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;
class QFrame;
class QToolButton;
class QVBoxLayout;

namespace quadric::widgets {

class ValueField;

/// Where factors are held, to be changed: a slider per numeric factor, over its legal values where there are
/// few, over its range otherwise, with the value beside it, which can be typed; a chooser of levels per
/// categorical factor.
class FactorSliders : public QWidget {
    Q_OBJECT

public:
    explicit FactorSliders(QWidget* parent = nullptr);

    /// Makes new rows, all at the center, when the factors differ from the ones shown.
    void setFactors(const std::vector<study::Factor>& factors);
    /// Hides the rows of these factors (the axes of a surface).
    void hideFactors(const std::vector<std::size_t>& hidden);

    /// Puts the keyboard into the first row.
    void focusFirst();

    const study::Settings& settings() const { return m_settings; }
    /// Shows these values without a word; a factor without one stays.
    void setSettings(const study::Settings& settings);

signals:
    /// The user wants this factor held at this value.
    void valueHeld(const QString& factor, const quadric::study::Value& value);

private:
    struct Row {
        QLabel* name = nullptr;
        QSlider* slider = nullptr;   ///< numeric factors
        ValueField* value = nullptr; ///< likewise
        QComboBox* levels = nullptr; ///< categorical ones
        std::vector<double> stops;   ///< actual values of the slider's positions, ascending
    };
    Row makeRow(std::size_t factor);
    void addSlider(Row& row, std::size_t factor);
    void addLevels(Row& row, std::size_t factor);
    void showValue(std::size_t factor);
    void hold(std::size_t factor, const study::Value& value);

    std::vector<study::Factor> m_factors;
    study::Settings m_settings;
    std::vector<Row> m_rows;
    QGridLayout* m_grid = nullptr;
};

/// One line under a view: where the factors are held that it does not show. A click, or Space, opens sliders
/// for them.
class SliceBar : public QWidget {
    Q_OBJECT

public:
    explicit SliceBar(QWidget* parent = nullptr);

    /// `shown`: factors that need no slider, for the view goes along them. Nothing is seen where none is
    /// left.
    void setSlice(const study::Study& study, const std::vector<std::size_t>& shown = {});

signals:
    /// The user wants this factor held at this value.
    void valueHeld(const QString& factor, const quadric::study::Value& value);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void openSliders();
    void showText();

    QToolButton* m_button;
    QFrame* m_popup;
    FactorSliders* m_sliders;
    QString m_text;
};

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
    virtual void prepareFit() {}
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
/// Predictions at the corners of three factors.
View* makeCubeView();
/// Speed-up over the number of GPUs.
View* makeSpeedUpView();

/// All factors of a fit, or as many as are wanted of those that explain most, in the study's order.
std::vector<std::size_t> leadingFactors(const model::Fit& fit, std::size_t most);

} // namespace quadric::widgets
