// SPDX-License-Identifier: GPL-3.0-or-later
// A document that is read can be written and read again, and says the same then.
#include "core/study/document/document.h"

#include "fuzz.h"

using namespace quadric;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    try {
        const study::LoadedStudy loaded = study::parseStudy(fuzz::textOf(data, size), "study");
        const std::string written = study::writeStudy(loaded.study);
        const std::string again = study::writeStudy(study::parseStudy(written, "written study").study);
        fuzz::expect(written == again, "a written study reads back as another:\n" + written + "\n" + again);
    } catch (const study::DocumentError&) {
        return 0;
    }
    return 0;
}
