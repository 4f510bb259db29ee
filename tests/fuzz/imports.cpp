// SPDX-License-Identifier: GPL-3.0-or-later
// Tables and claims from elsewhere: refused with a sentence, or a study that can be saved and opened.
#include "core/exchange/import/audit.h"
#include "core/exchange/import/doehelper.h"
#include "core/exchange/import/table_import.h"
#include "core/exchange/table/delimited.h"
#include "core/study/document/document.h"

#include "fuzz.h"

using namespace quadric;

namespace {

void importTable(std::string_view text)
{
    const exchange::TextGrid grid = exchange::readDelimited(text, "table");
    for (const auto& row : grid.rows)
        fuzz::expect(row.size() == grid.headers.size(), "a row has not as many cells as the heading");
    const study::Study study = exchange::studyOf(grid, exchange::guessMapping(grid), "table").study;
    const std::string written = study::writeStudy(study);
    const auto problemOf = [&written]() -> std::string {
        try {
            study::parseStudy(written, "imported study");
            return {};
        } catch (const study::DocumentError& error) {
            return error.what();
        }
    };
    const std::string problem = problemOf();
    fuzz::expect(problem.empty(), "an imported study cannot be opened: " + problem);
}

template <typename Action> void refusedOr(Action action)
{
    try {
        action();
    } catch (const exchange::ImportError&) {
        return;
    } catch (const study::DocumentError&) {
        return;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    exchange::isDoehelperConfig(text);
    refusedOr([&] { importTable(text); });
    refusedOr([&] { exchange::parseClaims(text, "claims"); });
    return 0;
}
