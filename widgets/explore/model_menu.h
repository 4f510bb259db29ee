// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/select/recommended_models.h"
#include "core/study/factor.h"
#include "widgets/base/job_runner.h"

#include <QDialog>
#include <QToolButton>

class QLabel;
class QLineEdit;
class QPushButton;
class QComboBox;
class QGridLayout;
class QTableWidget;

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

/// Asks for the scale of every factor, linear or log₂, and says what it does to the prediction error of all
/// responses: factors have one scale in all models.
class ScaleDialog : public QDialog {
    Q_OBJECT

public:
    ScaleDialog(study::Study study, QWidget* parent);

    /// The factors with the scales that were chosen.
    std::vector<study::Factor> factors() const;

private:
    void addFactor(QGridLayout& grid, std::size_t index);
    void compare();
    void show(const std::vector<model::ScaleChange>& changes);

    study::Study m_study;
    std::vector<QComboBox*> m_choices; ///< per factor; null where there is no choice
    QTableWidget* m_errors;
    QPushButton* m_accept;
    JobRunner<std::vector<model::ScaleChange>> m_job;
};

/// What the model bar has no room for: a power of the response, a formula, the scales of the factors, and all
/// that is recommended.
class ModelMenu : public QToolButton {
    Q_OBJECT

public:
    explicit ModelMenu(QWidget* parent = nullptr);

    void showFit(const study::Study& study, const model::Fit& fit);

signals:
    void transformChosen(const quadric::study::Transform& transform);
    void formulaChosen(const QString& formula);
    void factorsChosen(const std::vector<quadric::study::Factor>& factors);
    void recommendedModelsChosen();

private:
    void askPower();
    void askFormula();
    void askScales();

    QAction* m_power; ///< a power cannot keep two bounds
    study::Study m_study;
    model::Fit m_fit;
};

} // namespace quadric::widgets
