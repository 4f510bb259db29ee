// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"
#include "core/study/response.h"
#include "core/study/study.h"

#include <QScrollArea>
#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;
class QVBoxLayout;

namespace quadric::widgets {

class DesirabilityCurve;
class SteadyLabel;

/// What is wanted of one response: goal and weight; on demand its desirability with its limits, and what the
/// compromise costs it.
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
    void makeCurve();
    void wire();
    void nameParts();
    void beginDrag() { ++m_drag; }
    void editWeight(int tenths);
    void editGoal();
    void editLimits(double low, double target, double high);
    void editShapes(double below, double above);
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showParts();
    QString sacrificeText(const optimize::ResponseAtOptimum& outcome) const;

    QLabel* m_name = nullptr;
    QComboBox* m_goal = nullptr;
    QSlider* m_weight = nullptr;
    SteadyLabel* m_weightText = nullptr;
    DesirabilityCurve* m_curve = nullptr;
    QToolButton* m_open = nullptr; ///< shows the curve
    SteadyLabel* m_sacrifice = nullptr;
    study::Response m_response;
    bool m_hasModel = false;
    optimize::Desirability m_limits;
    double m_middle = 0.0; ///< of the observed range
    int m_drag = 0;
};

/// The responses of a study one under the other, each with goal, weight, limits and outcome.
class GoalColumn : public QScrollArea {
    Q_OBJECT

public:
    explicit GoalColumn(QWidget* parent = nullptr);

    /// Rows stay the same widgets while the number of responses does, so that a drag goes on undisturbed.
    void setStudy(const study::Study& study, const std::vector<model::Fit>& fits);
    void setOutcome(const optimize::Optimum& outcome);
    QSize sizeHint() const override { return {248, 480}; }

signals:
    void edited(int response, const quadric::study::Response& after, const QString& what, int drag);

private:
    QVBoxLayout* m_layout = nullptr;
    std::vector<ResponseRow*> m_rows;
    std::vector<std::string> m_names;
};

} // namespace quadric::widgets
