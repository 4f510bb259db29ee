// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QString>

#include <functional>
#include <memory>
#include <optional>

namespace quadric::widgets {

/// The step "Run": table of runs, progress and live step times of what is running, log of the picked run, one
/// large button. It starts nothing itself; whoever follows the background runner feeds the slots.
class RunPage : public Page {
    Q_OBJECT

public:
    explicit RunPage(QWidget* parent = nullptr);
    ~RunPage() override;
    void setContext(ContextPointer context) override;

public slots:
    /// `done` 0…1; phase "warm-up" or "measure".
    void showProgress(int run, double done, const QString& phase);
    void showSample(int run, double stepMs);
    void appendLog(int run, const QString& line);
    /// Estimated seconds until all pending runs are done; negative: not known.
    void showRemaining(double seconds);
    /// One sentence beside the button: why the runner ended, or could not be started.
    void showMessage(const QString& message);
    /// Lights the row of this run and shows its log; −1: none.
    void pickRun(int run);

signals:
    void startRequested();
    void stopRequested();

private:
    void wire();
    void requestResult(int run, const QString& response, std::optional<double> value);
    void requestRun(int id, const QString& label, const std::function<void(study::Run&)>& change);
    void showMenu(const QPoint& position);

    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
