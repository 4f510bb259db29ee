// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/job_runner.h"
#include "widgets/design/quality/quality_panel.h"
#include "widgets/wizard/wizard_frame.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

class QGridLayout;
class QLabel;

namespace quadric::widgets {

/// "15 runs of a Box–Behnken design vary batch (4 … 16 images), … to maximize throughput."
QString summarySentence(const study::Study& study);

/// How long the runs take, in words.
QString durationSentence(const study::Study& study);

/// "Lowest power for a 2σ effect at α = 5 %: 36 % …": what the design can find.
QString powerSentence(const design::Evaluation& evaluation);

/// A line of the summary: "Factors", and what they are.
struct SummaryRow {
    QString title, text;
};

/// What the user has decided, in the order of the pages, and what the design can find; without what is empty.
std::vector<SummaryRow> summaryRows(const study::Study& study, const QString& power);

/// The whole study in one sentence and in lines: what was decided, what the design can find, what to look at
/// and where the study is saved.
class SummaryPage : public WizardPage {
    Q_OBJECT

public:
    explicit SummaryPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

    /// Tells which file a study will be in.
    void setDestination(std::function<QString(const study::Study&)> destination);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void judgeDesign();
    void showAll();
    void showRows(const std::vector<SummaryRow>& rows);

    struct Line {
        QLabel* title = nullptr;
        QLabel* text = nullptr;
    };
    study::Study m_study;
    std::function<QString(const study::Study&)> m_destination;
    JobRunner<Judgment> m_judging;
    std::optional<QString> m_power; ///< of the study; nothing while it is computed
    QLabel* m_sentence;
    QGridLayout* m_grid;
    std::vector<Line> m_lines;
    QLabel* m_details;
};

} // namespace quadric::widgets
