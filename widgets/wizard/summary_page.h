// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/job_runner.h"
#include "widgets/design/quality/judgment.h"
#include "widgets/wizard/wizard_page.h"

#include <functional>
#include <optional>

class QGridLayout;
class QLabel;

namespace quadric::widgets {

struct SummaryRow;

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
