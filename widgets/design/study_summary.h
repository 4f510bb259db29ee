// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QWidget>

class QGridLayout;

namespace quadric::widgets {

/// Factors with their ranges and responses with their goals, a line each, with a button to edit either.
class StudySummary : public QWidget {
    Q_OBJECT

public:
    explicit StudySummary(QWidget* parent = nullptr);
    void setStudy(const study::Study& study);

signals:
    void editFactorsRequested();
    void editResponsesRequested();

private:
    QWidget* m_factors;
    QWidget* m_responses;
};

} // namespace quadric::widgets
