// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/control_client.h"

#include <QEventLoop>
#include <QLocalSocket>
#include <QTimer>

namespace quadric::run {

namespace {

constexpr int kAnswerPatienceMs = 5000;

/// One request on a connection of its own; deletes itself after its answer.
class Conversation : public QObject {
public:
    Conversation(ControlClient& client, const ControlRequest& request, const std::filesystem::path& document)
        : QObject(&client)
        , m_client(client)
        , m_request(request)
    {
        connect(&m_socket, &QLocalSocket::connected, this,
                [this] { m_socket.write(writeRequest(m_request) + '\n'); });
        connect(&m_socket, &QLocalSocket::readyRead, this, &Conversation::read);
        connect(&m_socket, &QLocalSocket::errorOccurred, this, [this, document] {
            const std::string why = whyNoControl(document);
            finish({false,
                    why.empty() ? QStringLiteral("No runner of this study answers on this computer.")
                                : QStringLiteral("No answer: ") + QString::fromStdString(why),
                    {}});
        });
        QTimer::singleShot(kAnswerPatienceMs, this, [this] {
            finish({false, QStringLiteral("The runner does not answer."), {}});
        });
        m_socket.connectToServer(controlSocket(document));
    }

private:
    void read()
    {
        if (!m_socket.canReadLine())
            return;
        const auto reply = readReply(m_socket.readLine());
        finish(reply.value_or(
            ControlReply{false, QStringLiteral("The runner's answer is not understood."), {}}));
    }

    void finish(const ControlReply& reply)
    {
        if (m_isFinished)
            return;
        m_isFinished = true;
        emit m_client.answered(m_request, reply);
        deleteLater();
    }

    ControlClient& m_client;
    ControlRequest m_request;
    QLocalSocket m_socket;
    bool m_isFinished = false;
};

} // namespace

ControlClient::ControlClient(std::filesystem::path document, QObject* parent)
    : QObject(parent)
    , m_document(std::move(document))
{
}

void ControlClient::send(const ControlRequest& request)
{
    // Queued: the answer never comes before this has returned.
    QMetaObject::invokeMethod(
        this, [this, request] { new Conversation(*this, request, m_document); }, Qt::QueuedConnection);
}

ControlReply ask(const std::filesystem::path& document, const ControlRequest& request)
{
    ControlClient client(document);
    QEventLoop loop;
    ControlReply answer;
    QObject::connect(&client, &ControlClient::answered, &loop,
                     [&](const ControlRequest&, const ControlReply& reply) {
                         answer = reply;
                         loop.quit();
                     });
    client.send(request);
    loop.exec();
    return answer;
}

} // namespace quadric::run
