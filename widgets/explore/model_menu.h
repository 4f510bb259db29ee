// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <QToolButton>

namespace quadric::widgets {

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
