// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plan/plan_session.h"

class QComboBox;
class QLabel;

namespace quadric::widgets {

class ValueField;

/// The work that is planned: which response tells how long it takes, how much of it there is, and what comes
/// on top.
class WorkBar : public QWidget {
    Q_OBJECT

public:
    explicit WorkBar(QWidget* parent = nullptr);
    void showWork(const PlanSource& source);

signals:
    void choicesChanged(const quadric::plan::PlanChoices& choices, const QString& what);

private:
    int widthOf(const QString& text) const;
    ValueField* addField(const QString& name, const QString& tooltip, const QString& widest);
    void fillChoosers();
    QString takeAmount(const QString& typed);
    QString takeFixed(const QString& typed);

    PlanSource m_source;
    QComboBox* m_response = nullptr;
    QComboBox* m_kind = nullptr;
    QLabel* m_amountName = nullptr;
    ValueField* m_amount = nullptr;
    ValueField* m_fixed = nullptr;
};

} // namespace quadric::widgets
