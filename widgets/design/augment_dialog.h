// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/augment.h"
#include "widgets/base/job_runner.h"
#include "widgets/design/compare_dialog.h"
#include "widgets/design/quality/quality_panel.h"

#include <QDialog>

class QButtonGroup;
class QLabel;
class QPushButton;
class QSpinBox;

namespace quadric::widgets {

/// One way to add runs to a design, as it is offered.
struct WayToAdd {
    design::Augmentation augmentation;
    QString title; ///< "Center points"
    QString about; ///< what they are good for, a sentence
    bool hasCount = false;
};

/// Adds runs to a design: chooses the way and shows what is gained before anything is added. Whoever opened
/// it takes augmentedStudy() when it is accepted.
class AugmentDialog : public QDialog {
    Q_OBJECT

public:
    AugmentDialog(study::Study study, JudgmentOptions options, QWidget* parent = nullptr);

    /// The study with the runs that are shown; the study as it was while none are.
    const study::Study& augmentedStudy() const { return m_result; }
    QString title() const;
    bool isBusy() const { return m_jobs.isBusy(); }

private:
    struct Preview {
        std::optional<JudgedDesign> before, after;
        QString problem;
    };
    QWidget* buildWays();
    QLayout* buildButtons();
    void start();
    void show(const Preview& preview);

    const WayToAdd& way() const;

    std::vector<WayToAdd> m_known;
    study::Study m_study, m_result;
    JudgmentOptions m_options;
    JobRunner<Preview> m_jobs;
    QButtonGroup* m_ways;
    QSpinBox* m_count;
    QLabel* m_state;
    ComparisonView* m_view;
    QPushButton* m_add = nullptr;
};

} // namespace quadric::widgets
