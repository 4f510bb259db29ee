// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/wizard/wizard_page.h"

class QLabel;

namespace quadric::widgets {

/// The whole study in one sentence, and how long it is expected to take.
class SummaryPage : public WizardPage {
    Q_OBJECT

public:
    explicit SummaryPage(QWidget* parent = nullptr);
    void setStudy(const study::Study& study) override;

private:
    QLabel* m_sentence;
    QLabel* m_duration;
    QLabel* m_details;
};

/// "15 runs of a Box–Behnken design vary batch (4 … 16 images), … to maximize throughput."
QString summarySentence(const study::Study& study);

/// How long the runs take, in words.
QString durationSentence(const study::Study& study);

} // namespace quadric::widgets
