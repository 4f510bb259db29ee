// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/optimize/session/tried_runs.h"

#include <memory>

namespace quadric::widgets {

enum class Change;

/// The step "Optimize": goals and weights of the responses, the recommended setting in one sentence, the
/// profiler around it, and below the views of the answer. Everything follows while the mouse moves.
class OptimizePage : public Page {
    Q_OBJECT

public:
    explicit OptimizePage(QWidget* parent = nullptr);
    ~OptimizePage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Lights these runs in every plot.
    void pickRuns(const PickedRuns& runs);
    /// What was added to the study by itself.
    void showTried(const quadric::widgets::TriedRuns& tried);

signals:
    /// Disturbed confirmation runs are to be measured again.
    void repeatRequested(const std::vector<int>& runs);
    /// The user wants `runs` new runs at these settings to confirm the prediction.
    void confirmRequested(const quadric::study::Settings& settings, int runs);
    /// The study is to go on by itself for so many seconds of runs.
    void goOnRequested(double seconds);
    /// What runs now is to be stopped.
    void stopRequested();

private:
    QWidget* makeViews();
    void wire();
    void refresh(Change change);
    void showEmpty();

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
