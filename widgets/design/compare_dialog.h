// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/evaluate/offers.h"
#include "widgets/base/job_runner.h"
#include "widgets/design/comparison_view.h"
#include "widgets/design/quality/quality_panel.h"

#include <QDialog>

class QComboBox;
class QLabel;

namespace quadric::widgets {

/// The design of a study beside another one: of another type for the same factors, or of another study.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    CompareDialog(study::Study study, JudgmentOptions options, QWidget* parent = nullptr);

    /// Shows this design as the second one.
    void compareWith(const QString& name, const study::Study& other);

signals:
    /// The user wants a study from a file as the second design.
    void fileRequested();

private:
    struct Sides {
        std::optional<JudgedDesign> first, second;
        QString problem;
    };
    QLayout* buildChoice();
    void showOffers(const std::vector<design::DesignOffer>& offers);
    void choose(int index);
    void start(const QString& name, std::function<study::Study(std::stop_token)> make);
    void show(const Sides& sides);

    study::Study m_study;
    JudgmentOptions m_options;
    std::vector<design::DesignOffer> m_offers;
    JobRunner<std::vector<design::DesignOffer>> m_offerJobs;
    JobRunner<Sides> m_jobs;
    QComboBox* m_choice;
    QLabel* m_state;
    ComparisonView* m_view;
};

} // namespace quadric::widgets
