// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <QFrame>

class QCheckBox;
class QGridLayout;
class QLabel;

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

} // namespace quadric::widgets
