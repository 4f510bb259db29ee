// SPDX-License-Identifier: GPL-3.0-or-later
// What a worker prints: the same messages in whatever pieces it arrives, and only finite numbers.
#include "core/run/words/worker_protocol.h"

#include "fuzz.h"

#include <cmath>

using namespace quadric;

namespace {

using Messages = std::vector<run::WorkerMessage>;

Messages messagesOf(std::string_view output, std::size_t piece)
{
    run::WorkerProtocol protocol;
    Messages all;
    const auto add = [&all](const Messages& some) { all.insert(all.end(), some.begin(), some.end()); };
    for (std::size_t at = 0; at < output.size(); at += piece)
        add(protocol.feed(output.substr(at, piece)));
    add(protocol.finish());
    return all;
}

void check(const run::WorkerMessage& message)
{
    if (const auto* result = std::get_if<run::Result>(&message)) {
        for (const auto* numbers : {&result->responses, &result->spread})
            for (const auto& [name, value] : *numbers)
                fuzz::expect(std::isfinite(value), "a result is not finite: " + name);
    } else if (const auto* progress = std::get_if<run::Progress>(&message)) {
        fuzz::expect(progress->done >= 0.0 && progress->done <= 1.0, "progress outside 0…1");
    } else if (const auto* sample = std::get_if<run::Sample>(&message)) {
        fuzz::expect(std::isfinite(sample->stepMs) && sample->stepMs >= 0.0, "a sample is no duration");
    } else if (const auto* log = std::get_if<run::LogText>(&message)) {
        fuzz::expect(log->text.find('\n') == std::string::npos, "a log line holds a line break");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string_view output = fuzz::textOf(data, size).substr(1);
    const Messages whole = messagesOf(output, output.size() + 1);
    const Messages pieces = messagesOf(output, std::size_t{data[0]} + 1);
    fuzz::expect(whole.size() == pieces.size(), "the messages depend on the pieces");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        fuzz::expect(whole[i].index() == pieces[i].index(), "a message depends on the pieces");
        check(whole[i]);
    }
    return 0;
}
