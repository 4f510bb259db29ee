// SPDX-License-Identifier: GPL-3.0-or-later
// QUADRIC_SETTINGS of the trainer: refused as bad settings, or a workload whose settings read back the same.
#include "core/trainer/base/failure.h"
#include "core/trainer/workload/knobs.h"

#include "fuzz.h"

using namespace quadric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    trainer::Workload workload;
    try {
        trainer::applySettings(workload, fuzz::textOf(data, size));
    } catch (const trainer::Failure&) {
        return 0;
    }
    const std::string settings = trainer::settingsJson(workload);
    trainer::Workload again;
    fuzz::expect(trainer::applySettings(again, settings).empty(), "a setting that was written is not known");
    fuzz::expect(trainer::settingsJson(again) == settings, "settings read back as others: " + settings);
    return 0;
}
