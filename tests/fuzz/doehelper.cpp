// SPDX-License-Identifier: GPL-3.0-or-later
// A configuration of doehelper, its matrix and a result file, separated by NUL bytes: refused with a
// sentence, or a study that can be saved and opened.
#include "core/exchange/import/doehelper.h"
#include "core/study/document/document.h"

#include "fuzz.h"

using namespace quadric;

namespace {

std::string_view takePart(std::string_view& text)
{
    const std::size_t end = std::min(text.find('\0'), text.size());
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return part;
}

void expectSound(const study::Study& study)
{
    std::string written;
    try {
        written = study::writeStudy(study);
    } catch (const study::DocumentError&) {
        return; // it says what cannot be saved
    }
    std::string problem;
    try {
        study::parseStudy(written, "imported study");
    } catch (const study::DocumentError& error) {
        problem = error.what();
    }
    fuzz::expect(problem.empty(), "an imported study cannot be opened: " + problem);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fuzz::Folder folder;
    std::string_view text = fuzz::textOf(data, size);
    const std::filesystem::path config = folder.write("config.json", takePart(text));
    folder.write("design_matrix.json", takePart(text));
    folder.write("results/run_1.json", text);
    try {
        expectSound(exchange::importDoehelper(config, folder / "results").study);
    } catch (const exchange::ImportError&) {
        return 0;
    } catch (const study::DocumentError&) {
        return 0;
    }
    return 0;
}
