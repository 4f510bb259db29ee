// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/merit/optimum.h"

#include <QScrollArea>

#include <vector>

class QVBoxLayout;

namespace quadric::widgets {

class ResponseRow;

/// The responses of a study one under the other, each with goal, weight, limits and outcome.
class GoalColumn : public QScrollArea {
    Q_OBJECT

public:
    explicit GoalColumn(QWidget* parent = nullptr);

    /// Rows stay the same widgets while the number of responses does, so that a drag goes on undisturbed.
    void setStudy(const study::Study& study, const std::vector<model::Fit>& fits);
    void setOutcome(const optimize::Optimum& outcome);
    QSize sizeHint() const override { return {320, 480}; }

signals:
    void edited(int response, const quadric::study::Response& after, const QString& what, int drag);

private:
    QVBoxLayout* m_layout = nullptr;
    std::vector<ResponseRow*> m_rows;
    std::vector<std::string> m_names;
};

} // namespace quadric::widgets
