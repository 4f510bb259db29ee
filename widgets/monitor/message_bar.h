// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/banner.h"
#include "widgets/base/run_message.h"

class QPushButton;

namespace quadric::widgets {

/// What the bar depends on beside the study.
struct MessageState {
    bool isRunning = false;
    QString pausedBecause; ///< in sentences, where the runner asks whether to go on; empty otherwise
    RunMessage message;
};

/// One place for what is to be said about the execution: why the runner asks, how it ended, which runs
/// failed; colored by severity, with buttons for what can be done about it. Hidden where there is nothing to
/// say.
class MessageBar : public Banner {
    Q_OBJECT

public:
    explicit MessageBar(QWidget* parent = nullptr);

    void show(const study::Study& study, const MessageState& state);

signals:
    void goOnRequested();
    void stopRequested();
    void startRequested();
    void editRequested();
    /// These runs failed and are to be measured again.
    void retryRequested(const std::vector<int>& runs);

private:
    void showButtons(const study::Study& study, const MessageState& state);

    QPushButton* m_edit;
    QPushButton* m_retry;
    QPushButton* m_start;
    QPushButton* m_goOn;
    QPushButton* m_stop;
    std::vector<int> m_failed;
};

} // namespace quadric::widgets
