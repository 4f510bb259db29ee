// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/process_table.h"

#include "core/text/numbers.h"

namespace quadric::report {

namespace {

void addFactors(const model::Process& process, Table& table)
{
    for (std::size_t i = 0; i < process.factors.size(); ++i) {
        const study::Factor& factor = process.factors[i];
        table.rows.push_back(
            {(factor.isNumeric() ? "Length scale of " : "Correlation between levels of ") + factor.name,
             makeCell(process.lengthScales[i]),
             factor.isNumeric() ? "Coded units, in which the region is 2 wide: the longer, the straighter."
                                : "1: the levels behave alike."});
    }
}

} // namespace

Table makeProcessTable(const model::Process& process)
{
    Table table{.id = "process",
                .caption = "Gaussian process",
                .columns = {{"", {}, ColumnKind::Text}, {"Value", {}}, {"Meaning", {}, ColumnKind::Text}}};
    table.rows.push_back(
        {"Transform", study::nameOf(process.transform), "Scale on which the surface is smooth."});
    table.rows.push_back({"Mean",
                          process.mean == model::Order::Mean ? "constant" : std::string(nameOf(process.mean)),
                          "Polynomial under the surface."});
    addFactors(process, table);
    table.rows.push_back({"σ", makeCell(process.sigma),
                          "Standard deviation of one run about the surface, on the scale of the transform."});
    table.rows.push_back({"Error at settings left out", text::formatPercent(process.leftOut.relative),
                          "Of " + text::formatCount(process.leftOut.settings, "setting") +
                              ", each predicted from the others, over the mean result."});
    return table;
}

} // namespace quadric::report
