// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/design/evaluate/offers.h"
#include "widgets/base/job_runner.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/text/text_table.h"

#include <QDialog>
#include <QWidget>

#include <vector>

class QLabel;
class QTableView;
class QListWidget;
class QListWidgetItem;

namespace quadric::widgets {

class CubePanel;
class FdsPlot;

/// A design with a name and its evaluation.
struct JudgedDesign {
    QString name;
    study::Study study;
    design::Evaluation evaluation;
};

/// "Name (15 runs)": as many as are evaluated.
JudgedDesign judgedDesign(const QString& name, const study::Study& study, const JudgmentOptions& options);

/// The numbers of several designs beside each other; the best of each row carries a mark.
TextTable comparisonTable(const std::vector<JudgedDesign>& designs);

/// Two to four designs side by side: their points, their prediction error over the region, and all numbers.
class ComparisonView : public QWidget {
    Q_OBJECT

public:
    explicit ComparisonView(QWidget* parent = nullptr);
    void setDesigns(const std::vector<JudgedDesign>& designs);

private:
    QWidget* buildNumbers();

    CubePanel* m_cubes;
    FdsPlot* m_fds;
    QLabel* m_note;
    TextTableModel* m_numbers;
    QTableView* m_table;
};

/// The design of a study beside up to three others: of other types for the same factors, or of other studies.
class CompareDialog : public QDialog {
    Q_OBJECT

public:
    CompareDialog(study::Study study, JudgmentOptions options, QWidget* parent = nullptr);

    /// Shows this design beside the others; the one that was chosen first gives way where there are three.
    void compareWith(const QString& name, const study::Study& other);

signals:
    /// The user wants a study from a file as another design.
    void fileRequested();

private:
    /// Another design that can be chosen, and what became of it.
    struct Other {
        QString name;
        std::function<study::Study(std::stop_token)> make;
        std::optional<JudgedDesign> judged = {};
        QString problem = {};
    };
    struct Judged {
        std::optional<JudgedDesign> own;
        std::vector<std::pair<int, Other>> others; ///< by their numbers
        QString problem;
    };
    QWidget* buildChoice();
    void add(Other other, int row, bool isChosen);
    void showOffers(const std::vector<design::DesignOffer>& offers);
    std::vector<int> chosen() const;
    void updateComparedDesigns(QListWidgetItem* item);
    void judgeChosen();
    void showJudged(const Judged& judged);

    study::Study m_study;
    JudgmentOptions m_options;
    std::optional<JudgedDesign> m_own;
    std::vector<Other> m_others;
    std::vector<int> m_order; ///< numbers of the chosen ones, as they were chosen
    JobRunner<std::vector<design::DesignOffer>> m_offerJobs;
    JobRunner<Judged> m_jobs;
    QListWidget* m_list;
    QLabel* m_state;
    ComparisonView* m_view;
};

} // namespace quadric::widgets
