// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/select/scale_change.h"
#include "widgets/base/job_runner.h"

#include <QDialog>

class QComboBox;
class QGridLayout;
class QLabel;
class QPushButton;
class QTableWidget;

namespace quadric::widgets {

/// Asks for the scale of every factor, linear or log₂, and says what it does to the prediction error of all
/// responses: factors have one scale in all models.
class ScaleDialog : public QDialog {
    Q_OBJECT

public:
    ScaleDialog(study::Study study, QWidget* parent);

    /// The factors with the scales that were chosen.
    std::vector<study::Factor> factors() const;

private:
    void addFactor(QGridLayout& grid, std::size_t index);
    void compare();
    void show(const std::vector<model::ScaleChange>& changes);

    study::Study m_study;
    std::vector<QComboBox*> m_choices; ///< per factor; null where there is no choice
    QTableWidget* m_errors;
    QPushButton* m_accept;
    JobRunner<std::vector<model::ScaleChange>> m_job;
};

} // namespace quadric::widgets
