// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QModelIndex>

#include <memory>

namespace quadric::widgets {

/// The step "Optimize": goals and weights of the responses, the recommended setting in one sentence, the
/// profiler around it, and below surface, trade-off front and ranked solutions.
class OptimizePage : public Page {
    Q_OBJECT

public:
    explicit OptimizePage(QWidget* parent = nullptr);
    ~OptimizePage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// Lights this run in every plot; −1: none.
    void pickRun(int run);

signals:
    /// The user wants `runs` new runs at these settings to confirm the prediction.
    void confirmRequested(const quadric::study::Settings& settings, int runs);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void wire();
    void requestResponse(int response, const study::Response& after, const QString& what, int drag);
    void showSolution(const QModelIndex& index);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
