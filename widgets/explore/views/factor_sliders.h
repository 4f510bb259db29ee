// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QGridLayout;
class QLabel;
class QSlider;

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

} // namespace quadric::widgets
