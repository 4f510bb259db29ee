// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <QFrame>
#include <QString>
#include <QWidget>

class QCheckBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QComboBox;
class QPushButton;
class QToolButton;

namespace quadric::widgets {

/// The terms of a model with a check box each. Switching a term off takes its children along, switching one
/// on brings its parents; every switch asks for the model at once, and the list stays open.
class TermPopup : public QFrame {
    Q_OBJECT

public:
    explicit TermPopup(QWidget* parent = nullptr);

    /// `choice` is the model as the study has it; with "auto" the terms are those of `fit`.
    void showTerms(const std::vector<study::Factor>& factors, const std::string& choice,
                   const model::Fit& fit);

signals:
    /// A model as parseModel() reads it.
    void modelChosen(const QString& model);

private:
    void rebuild(const std::vector<study::Factor>& factors, const std::vector<model::Term>& all);
    void showProbabilities(const model::Fit& fit);
    void toggle(std::size_t term, bool isOn);

    struct Row {
        model::Term term;
        QCheckBox* box = nullptr;
        QLabel* probability = nullptr;
    };
    std::vector<study::Factor> m_factors;
    std::vector<model::Term> m_terms; ///< in the model
    std::vector<Row> m_rows;
    QGridLayout* m_grid = nullptr;
};

class ModelMenu;

/// Order, transform and terms of the model of one response, with the way back to what the runs choose; below
/// them what the model is.
class ModelBar : public QWidget {
    Q_OBJECT

public:
    explicit ModelBar(QWidget* parent = nullptr);

    /// `fits`: one per response.
    void setStudy(const study::Study& study, const std::vector<model::Fit>& fits);
    /// Shows the response with this index.
    void setResponse(int index);

signals:
    /// "linear", "interactions", "quadratic", "auto" or a formula.
    void modelChosen(int response, const QString& model);
    void transformChosen(int response, const quadric::study::Transform& transform);
    void factorsChosen(const std::vector<quadric::study::Factor>& factors);
    /// The models of all responses are to be chosen by the runs.
    void automaticChosen();

private:
    QComboBox* addChooser(const QString& label, const QString& tooltip);
    void addTermButton();
    void addMenu();
    void addResetButton();
    void showChoices();
    void showTerms(const std::string& choice, const model::Fit& fit);
    void openTerms();

    study::Study m_study;
    std::vector<model::Fit> m_fits;
    QHBoxLayout* m_row = nullptr;
    int m_response = 0;
    QComboBox* m_model = nullptr;
    QComboBox* m_transform = nullptr;
    QToolButton* m_terms = nullptr;
    TermPopup* m_popup = nullptr;
    ModelMenu* m_menu = nullptr;
    QPushButton* m_reset = nullptr;
    QLabel* m_chosen = nullptr;
};

} // namespace quadric::widgets
