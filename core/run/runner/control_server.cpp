// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/control_server.h"

#include <QLocalSocket>

namespace quadric::run {

namespace {

/// A request is some dozen bytes; whoever sends much more without a line end is none of ours.
constexpr qint64 kMostRequestBytes = 4096;

ControlReply notUnderstood()
{
    return {false, QStringLiteral("not understood: expected {\"do\": \"pause\"}, or {\"do\": \"cancel\", "
                                  "\"run\": 4}; docs/running.md lists the requests")};
}

} // namespace

ControlServer::ControlServer(const std::filesystem::path& document, Handler handler)
    : m_handler(std::move(handler))
{
    connect(&m_server, &QLocalServer::newConnection, this, &ControlServer::greet);
    const QString name = controlSocket(document);
    if (name.isEmpty())
        return;
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    QLocalServer::removeServer(name); // left by a runner that was killed; the study's lock is ours
    m_server.listen(name);
}

void ControlServer::greet()
{
    while (QLocalSocket* client = m_server.nextPendingConnection()) {
        connect(client, &QLocalSocket::disconnected, client, &QObject::deleteLater);
        connect(client, &QLocalSocket::readyRead, this, [this, client] { answer(*client); });
        answer(*client);
    }
}

void ControlServer::answer(QLocalSocket& client)
{
    while (client.canReadLine()) {
        const auto request = readRequest(client.readLine().trimmed());
        client.write(writeReply(request ? m_handler(*request) : notUnderstood()) + '\n');
        client.flush();
    }
    if (client.bytesAvailable() > kMostRequestBytes)
        client.abort();
}

} // namespace quadric::run
