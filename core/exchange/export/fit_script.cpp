// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export/fit_script.h"

#include "core/exchange/table/columns.h"
#include "core/model/fit/regression.h"
#include "core/model/select/fit_checks.h"

#include <algorithm>
#include <functional>
#include <set>

namespace quadric::exchange {

namespace {

/// What differs between the languages.
struct Language {
    const char* listOpen;
    const char* listClose;
    const char* assign;
    const char* power;
    const char* missing;
    const char* log;
    const char* log2;
    const char* sqrt;
    const char* itemOpen; ///< coded[["A"]] and coded["A"]
    const char* itemClose;
};

constexpr Language kR = {"c(", ")", "<-", "^", "NA", "log", "log2", "sqrt", "[[", "]]"};

constexpr Language kPython = {"np.array([", "])",      "=",       "**", "np.nan",
                              "np.log",     "np.log2", "np.sqrt", "[",  "]"};

/// A text in double quotes that both languages read; control characters are written as escapes, but for the
/// zero byte, which no text of R can hold.
std::string quoted(const std::string& text)
{
    constexpr char digits[] = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0)
            result += "\uFFFD";
        else if (c == '"' || c == '\\')
            result += {'\\', c};
        else if (byte < 0x20 || byte == 0x7f)
            result += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
        else
            result += c;
    }
    return result + '"';
}

/// c(1, 2) or np.array([1, 2])
std::string list(const Language& language, const std::vector<std::string>& items)
{
    std::string text = language.listOpen;
    for (std::size_t i = 0; i < items.size(); ++i)
        text += (i > 0 ? ", " : "") + items[i];
    return text + language.listClose;
}

/// runs[["name"]] or runs["name"]
std::string item(const Language& language, const std::string& table, const std::string& name)
{
    return table + language.itemOpen + quoted(name) + language.itemClose;
}

/// The coded values of a numeric factor from the column of its settings.
/// (s(v) − center) / half range on the factor's scale.
std::string codedText(const Language& language, const study::Factor& factor)
{
    const std::string value = item(language, "runs", factor.name);
    if (factor.scale == study::Scale::Linear)
        return "(" + value + " - " + study::toText((factor.low + factor.high) / 2) + ") / " +
               study::toText((factor.high - factor.low) / 2);
    const auto onScale = [&](double limit) {
        return std::string(language.log2) + "(" + study::toText(limit) + ")";
    };
    const std::string low = onScale(factor.low), high = onScale(factor.high);
    return "(" + std::string(language.log2) + "(" + value + ") - (" + low + " + " + high + ") / 2) / ((" +
           high + " - " + low + ") / 2)";
}

/// +1 at the level, −1 at the last one, 0 elsewhere.
std::string contrastText(const std::string& values, const std::string& level, const std::string& last)
{
    return "contrast(" + values + ", " + level + ", " + last + ")";
}

/// A column of the model matrix from coded values and contrasts.
std::string columnText(const Language& language, const model::Column& column,
                       const std::vector<study::Factor>& factors)
{
    std::string text;
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const int power = column.term.powers[i];
        if (power == 0)
            continue;
        text += text.empty() ? "" : " * ";
        const std::vector<std::string>& levels = factors[i].categories;
        if (!factors[i].isNumeric())
            text += contrastText(item(language, "runs", factors[i].name),
                                 quoted(levels[static_cast<std::size_t>(column.contrast[i])]),
                                 quoted(levels.back()));
        else
            text += item(language, "coded", factors[i].name) +
                    (power > 1 ? language.power + std::to_string(power) : std::string());
    }
    return text;
}

/// The transformed response from the text of the response.
std::string transformText(const Language& language, const study::Transform& transform, const std::string& y)
{
    switch (transform.kind) {
    case study::TransformKind::None:
        return y;
    case study::TransformKind::Log:
        return std::string(language.log) + "(" + y + ")";
    case study::TransformKind::Sqrt:
        return std::string(language.sqrt) + "(" + y + ")";
    case study::TransformKind::Inverse:
        return "1 / " + y;
    case study::TransformKind::Logit:
        return std::string(language.log) + "((" + y + " - " + study::toText(transform.low) + ") / (" +
               study::toText(transform.high) + " - " + y + "))";
    case study::TransformKind::BoxCox:
        if (transform.lambda == 0)
            return std::string(language.log) + "(" + y + ")";
        return "(" + y + language.power + "(" + study::toText(transform.lambda) + ") - 1) / (" +
               study::toText(transform.lambda) + ")";
    }
    return y;
}

/// Runs that any usable model has seen, in the study's order.
std::vector<const study::Run*> fittedRuns(const study::Study& study, const std::vector<model::Fit>& fits)
{
    std::set<int> ids;
    for (const model::Fit& fit : fits) {
        for (const model::Diagnostic& diagnostic : fit.diagnostics)
            ids.insert(diagnostic.run);
    }
    std::vector<const study::Run*> runs;
    for (const study::Run& run : study.runs) {
        if (ids.contains(run.id))
            runs.push_back(&run);
    }
    return runs;
}

using RunText = std::function<std::string(const study::Run&)>;

std::string columnOf(const Language& language, const std::vector<const study::Run*>& runs,
                     const RunText& text)
{
    std::vector<std::string> items;
    items.reserve(runs.size());
    for (const study::Run* run : runs)
        items.push_back(text(*run));
    return list(language, items);
}

std::string valuesOf(const Language& language, const study::Factor& factor,
                     const std::vector<const study::Run*>& runs)
{
    return columnOf(language, runs, [&](const study::Run& run) {
        const study::Value& value = run.settings.at(factor.name);
        const auto* number = std::get_if<double>(&value);
        return number ? study::toText(*number) : quoted(study::toText(value));
    });
}

/// The runs whose result the model was fitted to; the others are missing values.
std::string resultsOf(const Language& language, const model::Fit& fit,
                      const std::vector<const study::Run*>& runs)
{
    const model::DiagnosticIndex fitted(fit);
    return columnOf(language, runs, [&](const study::Run& run) {
        const auto value = run.results.find(fit.response);
        return !fitted.find(run.id) || value == run.results.end() ? std::string(language.missing)
                                                                  : study::toText(value->second);
    });
}

struct NamedColumn {
    std::string name, text;
    double estimate = 0.0;
};

/// The columns of the model matrix behind the intercept: blocks, then terms, each with its coefficient.
std::vector<NamedColumn> modelColumns(const Language& language, const model::Fit& fit,
                                      const std::vector<const study::Run*>& runs)
{
    const model::DiagnosticIndex fitted(fit);
    std::set<int> blocks;
    for (const study::Run* run : runs) {
        if (fitted.find(run->id))
            blocks.insert(run->block);
    }
    std::vector<NamedColumn> columns;
    for (const int block : blocks) {
        const std::string name = "block[" + std::to_string(block) + "]";
        const auto row = std::ranges::find(fit.coefficients, name, &model::Coefficient::term);
        if (block != *blocks.rbegin() && row != fit.coefficients.end())
            columns.push_back({name,
                               contrastText(item(language, "runs", "block"), std::to_string(block),
                                            std::to_string(*blocks.rbegin())),
                               row->estimate});
    }
    for (std::size_t j = 1; j < fit.columns.size(); ++j)
        columns.push_back({fit.columns[j].name, columnText(language, fit.columns[j], fit.factors),
                           fit.beta[static_cast<Eigen::Index>(j)]});
    return columns;
}

std::string estimatesText(const Language& language, const model::Fit& fit,
                          const std::vector<NamedColumn>& columns)
{
    std::vector<std::string> items = {study::toText(fit.beta[0])};
    for (const NamedColumn& column : columns)
        items.push_back(study::toText(column.estimate));
    return list(language, items);
}

/// One more argument of refit() where blocks are random: σ_b²/σ².
std::string ratioText(const model::Fit& fit)
{
    const bool isRandom = fit.blockVariance && fit.blockVariance->isRandom();
    return isRandom ? ", " + study::toText(fit.blockVariance->ratio) : "";
}

std::vector<const model::Fit*> usable(const std::vector<model::Fit>& fits)
{
    std::vector<const model::Fit*> list;
    for (const model::Fit& fit : fits) {
        if (fit.isOk())
            list.push_back(&fit);
    }
    return list;
}

std::string headOf(const study::Study& study)
{
    std::string text =
        "# The models of the study \"" + oneLine(study.name) + "\", fitted again from its runs.\n";
    if (study::hasSimulatedResults(study))
        text += "# The results are simulated, not measured.\n";
    return text;
}

std::string rFit(const model::Fit& fit, const std::vector<const study::Run*>& runs)
{
    const std::vector<NamedColumn> columns = modelColumns(kR, fit, runs);
    std::string text =
        "\n# " + oneLine(fit.response) + "\ny <- " + resultsOf(kR, fit, runs) + "\ncolumns <- list(";
    for (std::size_t j = 0; j < columns.size(); ++j)
        text += std::string(j > 0 ? "," : "") + "\n  " + quoted(columns[j].name) + " = " + columns[j].text;
    return text + ")\nrefit(" + quoted(fit.response) + ", " + transformText(kR, fit.transform, "y") +
           ", columns,\n  " + estimatesText(kR, fit, columns) + ratioText(fit) + ")\n";
}

std::string pythonFit(const model::Fit& fit, const std::vector<const study::Run*>& runs)
{
    const std::vector<NamedColumn> columns = modelColumns(kPython, fit, runs);
    std::string text =
        "\n# " + oneLine(fit.response) + "\ny = " + resultsOf(kPython, fit, runs) + "\ncolumns = {";
    for (const NamedColumn& column : columns)
        text += "\n    " + quoted(column.name) + ": " + column.text + ",";
    return text + "\n}\nrefit(" + quoted(fit.response) + ", " + transformText(kPython, fit.transform, "y") +
           ", columns,\n      " + estimatesText(kPython, fit, columns) + ratioText(fit) + ")\n";
}

constexpr const char* kRFunctions = R"(
contrast <- function(values, level, last) (values == level) - (values == last)

refit <- function(response, y, columns, expected, ratio = 0) {
  used <- !is.na(y)
  data <- as.data.frame(columns, check.names = FALSE)
  names(data) <- names(columns)
  data <- data[used, , drop = FALSE]
  data$`.response` <- y[used]
  formula <- if (length(columns) > 0) .response ~ . else .response ~ 1
  if (ratio > 0) { # blocks are random: generalized least squares
    block <- runs$block[used]
    decorrelated <- function(v) v - ave(v, block) * (1 - 1 / sqrt(1 + ratio * ave(v, block, FUN = length)))
    data <- cbind(`1` = 1, data)
    data[] <- lapply(data, decorrelated)
    formula <- .response ~ 0 + .
  }
  fit <- lm(formula, data = data)
  cat("\n==", response, "==\n")
  print(summary(fit))
  difference <- max(abs(coef(fit) - expected)) / max(abs(expected))
  cat("largest difference of a coefficient, relative to the largest:", difference, "\n")
  stopifnot(difference < 1e-8)
}
)";

constexpr const char* kPythonFunctions = R"(
def contrast(values, level, last):
    return (values == level).astype(float) - (values == last).astype(float)


def decorrelated(values, block, ratio):
    result = np.array(values, dtype=float)
    for each in np.unique(block):
        own = block == each
        result[own] -= result[own].mean(axis=0) * (1 - 1 / np.sqrt(1 + ratio * own.sum()))
    return result


def refit(response, y, columns, expected, ratio=0.0):
    used = ~np.isnan(y)
    x = np.column_stack([np.ones(used.sum())] + [column[used] for column in columns.values()])
    block = runs["block"][used]  # with random blocks: generalized least squares
    fit = sm.OLS(decorrelated(y[used], block, ratio), decorrelated(x, block, ratio)).fit()
    print("\n==", response, "==")
    print(fit.summary(xname=["1"] + list(columns)))
    difference = np.max(np.abs(fit.params - expected)) / np.max(np.abs(expected))
    print("largest difference of a coefficient, relative to the largest:", difference)
    assert difference < 1e-8, response
)";

} // namespace

std::string rScript(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const std::vector<const study::Run*> runs = fittedRuns(study, fits);
    std::string text = headOf(study) + kRFunctions + "\nruns <- list(\n  \"run\" = " +
                       columnOf(kR, runs, [](const study::Run& run) { return std::to_string(run.id); }) +
                       ",\n  \"block\" = " +
                       columnOf(kR, runs, [](const study::Run& run) { return std::to_string(run.block); });
    for (const study::Factor& factor : study.factors)
        text += ",\n  " + quoted(factor.name) + " = " + valuesOf(kR, factor, runs);
    text += ")\ncoded <- list()\n";
    for (const study::Factor& factor : study.factors) {
        if (factor.isNumeric())
            text += item(kR, "coded", factor.name) + " <- " + codedText(kR, factor) + "\n";
    }
    for (const model::Fit* fit : usable(fits))
        text += rFit(*fit, runs);
    return text;
}

std::string pythonScript(const study::Study& study, const std::vector<model::Fit>& fits)
{
    const std::vector<const study::Run*> runs = fittedRuns(study, fits);
    std::string text = headOf(study) + "import numpy as np\nimport statsmodels.api as sm\n\n" +
                       kPythonFunctions + "\n\nruns = {\n    \"run\": " +
                       columnOf(kPython, runs, [](const study::Run& run) { return std::to_string(run.id); }) +
                       ",\n    \"block\": " + columnOf(kPython, runs, [](const study::Run& run) {
                           return std::to_string(run.block);
                       });
    for (const study::Factor& factor : study.factors)
        text += ",\n    " + quoted(factor.name) + ": " + valuesOf(kPython, factor, runs);
    text += ",\n}\ncoded = {}\n";
    for (const study::Factor& factor : study.factors) {
        if (factor.isNumeric())
            text += item(kPython, "coded", factor.name) + " = " + codedText(kPython, factor) + "\n";
    }
    for (const model::Fit* fit : usable(fits))
        text += pythonFit(*fit, runs);
    return text;
}

} // namespace quadric::exchange
