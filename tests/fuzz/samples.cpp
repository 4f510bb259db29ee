// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of a run's file of samples: a line that is none of ours changes nothing, the others add finite
// numbers.
#include "core/run/words/run_files.h"

#include "fuzz.h"

#include <cmath>

using namespace quadric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    run::RunSamples samples;
    std::string_view text = fuzz::textOf(data, size);
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        run::addSample(samples, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (const run::StepSample& step : samples.steps)
        fuzz::expect(std::isfinite(step.seconds) && std::isfinite(step.stepMs) && std::isfinite(step.items),
                     "a step is not finite");
    for (const machine::Reading& reading : samples.machine)
        fuzz::expect(std::isfinite(reading.seconds), "a reading is not finite");
    return 0;
}
