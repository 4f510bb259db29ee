// SPDX-License-Identifier: GPL-3.0-or-later
// What comes over a runner's socket and what is typed after `control`: nothing, or a request that reads back.
#include "core/run/words/control.h"

#include "fuzz.h"

using namespace quadric;

namespace {

void expectSame(const run::ControlRequest& request)
{
    const std::optional<run::ControlRequest> again = run::readRequest(run::writeRequest(request));
    fuzz::expect(again && again->action == request.action && again->run == request.run,
                 "a request reads back as another: " + run::writeRequest(request).toStdString());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    const QByteArray line(text.data(), static_cast<qsizetype>(text.size()));
    if (const auto request = run::readRequest(line))
        expectSame(*request);
    if (const auto request = run::parseControlRequest(text))
        expectSame(*request);
    if (const auto reply = run::readReply(line)) {
        const auto again = run::readReply(run::writeReply(*reply));
        fuzz::expect(again && again->isDone == reply->isDone && again->message == reply->message,
                     "a reply reads back as another");
    }
    return 0;
}
