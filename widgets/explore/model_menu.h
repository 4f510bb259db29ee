// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/study/factor.h"

#include <QDialog>
#include <QToolButton>

class QLabel;
class QLineEdit;
class QPushButton;
class QComboBox;
class QGridLayout;

namespace quadric::widgets {

/// Asks for the terms of a model as they are written on the command line. What cannot be read is named as it
/// is typed, and cannot be accepted.
class FormulaDialog : public QDialog {
    Q_OBJECT

public:
    FormulaDialog(std::vector<study::Factor> factors, const QString& formula, QWidget* parent);

    QString formula() const;

private:
    void check();

    std::vector<study::Factor> m_factors;
    QLineEdit* m_edit;
    QLabel* m_verdict;
    QPushButton* m_accept;
};

/// Asks for the scale of every factor, linear or log₂: factors have one scale in the models of all responses.
class ScaleDialog : public QDialog {
    Q_OBJECT

public:
    ScaleDialog(std::vector<study::Factor> factors, QWidget* parent);

    /// The factors with the scales that were chosen.
    std::vector<study::Factor> factors() const;

private:
    void addFactor(QGridLayout& grid, std::size_t index);

    std::vector<study::Factor> m_factors;
    std::vector<QComboBox*> m_choices; ///< per factor; null where there is no choice
    QPushButton* m_accept;
};

/// What the model bar has no room for: a power of the response, a formula, and the scales of the factors.
class ModelMenu : public QToolButton {
    Q_OBJECT

public:
    explicit ModelMenu(QWidget* parent = nullptr);

    void showFit(const study::Study& study, const model::Fit& fit);

signals:
    void transformChosen(const quadric::study::Transform& transform);
    void formulaChosen(const QString& formula);
    void factorsChosen(const std::vector<quadric::study::Factor>& factors);

private:
    void askPower();
    void askFormula();
    void askScales();

    QAction* m_power; ///< a power cannot keep two bounds
    study::Study m_study;
    model::Fit m_fit;
};

} // namespace quadric::widgets
