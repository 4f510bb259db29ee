// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/limit_probability.h"
#include "widgets/optimize/views/optimize_views.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;

namespace quadric::widgets {

class ValueField;

/// How much the settings of numeric factors vary in use: a standard deviation each, which is typed in its
/// place.
class VariationColumn : public QWidget {
    Q_OBJECT

public:
    explicit VariationColumn(QWidget* parent = nullptr);
    void setVariation(const study::Study& study);

signals:
    /// 0: the factor is set exactly.
    void deviationRequested(const QString& factor, double sd);

private:
    struct Row {
        QLabel* name = nullptr;
        ValueField* value = nullptr;
    };
    void makeRows();
    QString requestDeviation(const study::Factor& factor, const QString& typed);

    QGridLayout* m_grid;
    std::vector<study::Factor> m_factors; ///< the numeric ones
    std::vector<Row> m_rows;
};

class BarRows;
class SteadyLabel;

/// How sure it is that a run meets all limits that are set: at the setting that is looked at, at once; and
/// the setting where it is surest, as a search in the background that follows. Both include how settings vary
/// in use, which is typed beside them.
class RobustView : public AnswerView {
    Q_OBJECT

public:
    explicit RobustView(QWidget* parent = nullptr);

    void showAnswer(const Answer& answer, Change change) override;
    bool isAbout(const Answer& answer) const override;

private:
    void search();
    void showHere();
    QString robustText() const;
    void showRobust();

    SteadyLabel* m_here = nullptr;
    SteadyLabel* m_there = nullptr;
    QPushButton* m_look = nullptr;
    BarRows* m_bars = nullptr;
    VariationColumn* m_variation = nullptr;
    Answer m_answer;
    std::optional<optimize::RobustOptimum> m_robust; ///< for the goals that are shown
    FollowUp<optimize::RobustOptimum> m_job;
};

/// The probability of keeping each limit, and all at once, as bars; marks show those of the surest setting
/// where it is known.
void showProbabilities(BarRows& bars, const optimize::AllLimits& here,
                       const std::optional<optimize::RobustOptimum>& robust);

} // namespace quadric::widgets
