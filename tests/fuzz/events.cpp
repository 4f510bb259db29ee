// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of the events file: what is none of ours changes nothing, and shares stay shares.
#include "core/run/follow/runner_news.h"

#include "fuzz.h"

using namespace quadric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    run::RunnerNews news;
    std::string_view text = fuzz::textOf(data, size);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        news.take(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (const auto& [id, active] : news.active)
        fuzz::expect(active.done >= 0.0 && active.done <= 1.0, "progress outside 0…1");
    return 0;
}
