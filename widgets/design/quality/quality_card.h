// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

#include <QWidget>

class QGridLayout;
class QLabel;

namespace quadric::widgets {

/// One number that judges a design, and what it means in one plain sentence.
struct QualityFact {
    QString name, value, explanation;
};

/// Model, degrees of freedom, efficiencies, leverage, overlap and power.
std::vector<QualityFact> qualityFacts(const design::Evaluation& evaluation);

/// What is found about the runs, a sentence each.
QStringList qualityRemarks(const design::Evaluation& evaluation);

/// How good the runs of a study are before anything is measured: degrees of freedom, efficiencies, leverage,
/// power, and what was checked.
class QualityCard : public QWidget {
    Q_OBJECT

public:
    explicit QualityCard(QWidget* parent = nullptr);

    void setEvaluation(const design::Evaluation& evaluation);

    /// Nothing to judge; says why.
    void clear(const QString& reason);

private:
    void empty();
    void addRow(const QString& name, const QString& value, const QString& explanation);
    void addCheck(const design::Check& check);

    QLabel* m_message;
    QWidget* m_box = nullptr;      ///< of the rows
    QGridLayout* m_rows = nullptr; ///< name and number, or a check over both columns
};

} // namespace quadric::widgets
