// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/compared_run.h"
#include "core/run/words/run_files.h"

#include <QObject>
#include <QTimer>

#include <optional>

namespace quadric::app {

/// Reads log and samples of one run of the open study for the window, and twice a second what is new in them.
class RunWatch : public QObject {
    Q_OBJECT

public:
    explicit RunWatch(QObject* parent = nullptr);

    /// The study's file; empty: there is nothing to read.
    void setDocument(const std::filesystem::path& document);

    /// Watches this run from now on, from its beginning; −1: none.
    void watch(int run);

    /// Reads the samples of these runs once.
    void compare(const std::vector<int>& runs);

signals:
    void comparedRead(const std::vector<quadric::run::ComparedRun>& runs);
    void samplesRead(int run, const quadric::run::RunSamples& samples, bool isStart);
    void logRead(int run, const QString& text, bool isStart);

private:
    void begin();
    void read();

    std::filesystem::path m_document;
    int m_run = -1;
    std::optional<run::RunFiles> m_files;
    QTimer m_timer;
};

} // namespace quadric::app
