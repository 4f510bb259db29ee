// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/control.h"

#include <QLocalServer>

#include <functional>

class QLocalSocket;

namespace quadric::run {

/// Listens for the requests of any number of clients; owned by the runner, which holds the study's lock. A
/// socket that cannot be made stops no experiment: the runner is then asked by signal only.
class ControlServer : public QObject {
public:
    using Handler = std::function<ControlReply(const ControlRequest&)>;

    ControlServer(const std::filesystem::path& document, Handler handler);

private:
    void greet();
    void answer(QLocalSocket& client);

    Handler m_handler;
    QLocalServer m_server;
};

} // namespace quadric::run
