// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"
#include "core/study/response.h"
#include "core/study/study.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;

namespace quadric::widgets {

class DesirabilityCurve;
class SteadyLabel;

/// What is wanted of one response and what the shown setting gives: goal, weight, desirability with its
/// limits, prediction, sacrifice.
class ResponseRow : public QWidget {
    Q_OBJECT

public:
    explicit ResponseRow(QWidget* parent = nullptr);

    /// Shows a response of the study as it is; emits nothing.
    void setResponse(const study::Study& study, const study::Response& response, const model::Fit& fit);
    void setOutcome(const optimize::ResponseAtOptimum* outcome);

    DesirabilityCurve& curve() { return *m_curve; }

signals:
    /// The response as the user wants it. All changes of one drag carry the same number.
    void edited(const quadric::study::Response& after, const QString& what, int drag);

private:
    QLayout* makeHead();
    QLayout* makeWeight();
    QLayout* makeOutcome();
    void wire();
    void nameParts();
    void beginDrag() { ++m_drag; }
    void editWeight(int tenths);
    void editGoal();
    void editLimits(double low, double target, double high);
    void editShapes(double below, double above);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showCurve(const optimize::ResponseAtOptimum* outcome);
    void showSacrifice(const optimize::ResponseAtOptimum& outcome);

    QLabel* m_name = nullptr;
    QComboBox* m_goal = nullptr;
    QSlider* m_weight = nullptr;
    SteadyLabel* m_weightText = nullptr;
    DesirabilityCurve* m_curve = nullptr;
    SteadyLabel* m_prediction = nullptr;
    SteadyLabel* m_desirability = nullptr;
    SteadyLabel* m_sacrifice = nullptr;
    study::Response m_response;
    bool m_hasModel = false;
    QString m_message; ///< why there is no model
    optimize::Desirability m_limits;
    double m_middle = 0.0; ///< of the observed range
    int m_drag = 0;
};

} // namespace quadric::widgets
