// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/study_tables.h"

#include "core/report/table_text.h"
#include "core/study/bounds.h"

#include <algorithm>

namespace quadric::report {

namespace {

/// A longer list of levels is not read.
constexpr std::size_t kMostLevels = 100;

std::string describeLevels(const study::Factor& factor)
{
    const std::size_t count = factor.isNumeric() ? factor.levels.size() : factor.categories.size();
    std::vector<std::string> levels;
    for (std::size_t i = 0; i < std::min(count, kMostLevels); ++i)
        levels.push_back(factor.isNumeric() ? text::formatDigits(factor.levels[i], 6) : factor.categories[i]);
    if (count > kMostLevels)
        levels.push_back("… (" + text::formatCount(count - kMostLevels, "more level") + ")");
    if (factor.type == study::FactorType::Integer && factor.multipleOf > 1)
        levels.push_back("multiples of " + std::to_string(factor.multipleOf));
    return levels.empty() ? std::string(text::kNothing) : text::joinWords(levels);
}

Cell scaleCell(const study::Factor& factor)
{
    if (!factor.isNumeric())
        return {};
    return factor.scale == study::Scale::Log2 ? "log₂" : "linear";
}

Cell limitCell(const study::Response& response, const std::optional<double>& limit)
{
    if (response.goal == study::Goal::None)
        return {};
    return limit ? makeCell(limit) : Cell("from data");
}

/// "logit, for the bounds 0 … 100".
std::string describeTransform(const study::Response& response)
{
    const std::string name = study::nameOf(study::transformOf(response));
    return response.bounds ? name + ", for the bounds " + study::describeBounds(*response.bounds) : name;
}

} // namespace

Table makeFactorTable(const study::Study& study)
{
    Table table{.id = "factors",
                .caption = "Factors",
                .columns = {{"Factor", {}, ColumnKind::Text},
                            {"Unit", {}, ColumnKind::Text},
                            {"Type", {}, ColumnKind::Text},
                            {"Low", "The value coded −1."},
                            {"High", "The value coded +1."},
                            {"Scale", "The scale on which the coded value is taken.", ColumnKind::Text},
                            {"Levels", "Values that the factor can have.", ColumnKind::Text}}};
    for (const study::Factor& factor : study.factors) {
        const auto end = [&factor](double value) {
            return factor.isNumeric() ? makeCell(value, Digits::Setting) : Cell();
        };
        table.rows.push_back({factor.name, factor.unit, std::string(study::nameOf(factor.type)),
                              end(factor.low), end(factor.high), scaleCell(factor), describeLevels(factor)});
    }
    return table;
}

Table makeResponseTable(const study::Study& study)
{
    Table table{
        .id = "responses",
        .caption = "Responses",
        .columns = {{"Response", {}, ColumnKind::Text},
                    {"Unit", {}, ColumnKind::Text},
                    {"Goal", {}, ColumnKind::Text},
                    {"Lower limit", "Desirability begins here."},
                    {"Upper limit", "Desirability ends here."},
                    {"Weight", "How much the response counts in the overall desirability."},
                    {"Transform", "Applied to the values before a model is fitted.", ColumnKind::Text}}};
    for (const study::Response& response : study.responses)
        table.rows.push_back({response.name, response.unit, describeGoal(response),
                              limitCell(response, response.low), limitCell(response, response.high),
                              makeCell(response.weight), describeTransform(response)});
    return table;
}

std::string describeGoal(const study::Response& response)
{
    switch (response.goal) {
    case study::Goal::Maximize:
        return "maximize";
    case study::Goal::Minimize:
        return "minimize";
    case study::Goal::Target:
        return "target " + text::formatNumber(response.target) +
               (response.unit.empty() ? "" : " " + response.unit);
    case study::Goal::None:
        break;
    }
    return "no goal";
}

} // namespace quadric::report
