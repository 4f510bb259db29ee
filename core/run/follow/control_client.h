// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/control.h"

#include <QObject>

namespace quadric::run {

/// Asks the living runner of a study, without waiting: for the window.
class ControlClient : public QObject {
    Q_OBJECT

public:
    explicit ControlClient(std::filesystem::path document, QObject* parent = nullptr);

    /// answered() follows, once for each request.
    void send(const ControlRequest& request);

signals:
    void answered(const quadric::run::ControlRequest& request, const quadric::run::ControlReply& reply);

private:
    std::filesystem::path m_document;
};

/// Asks and waits for the answer, some seconds at most: for the command line.
ControlReply ask(const std::filesystem::path& document, const ControlRequest& request);

} // namespace quadric::run
