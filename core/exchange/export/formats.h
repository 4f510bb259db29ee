// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/study/document/json.h"
#include "core/study/study.h"

#include <span>
#include <string_view>

namespace quadric::exchange {

/// The whole study as in its file, every run with an added `coded` object of nominal coded values.
study::OrderedJson studyJson(const study::Study& study);

using TextRows = std::vector<std::vector<std::string>>;

/// The runs in run order, first row the headings: order, run, block, kind, status, the factors, `source`, the
/// responses, each with its unit (makeHeading()), and `remark` where a run has failed or is excluded for a
/// reason. Numbers in the C locale, in the shortest form that reads back exactly; what is not there is empty.
TextRows runRows(const study::Study& study);

/// runRows() as delimited text (see writeDelimited()).
std::string delimitedRuns(const study::Study& study, char separator);

/// The runs and, for each usable model, figures of merit, coefficients and analysis of variance, as tables of
/// Markdown or LaTeX (package booktabs). Texts of the study are escaped. Says so where data are simulated.
std::string markdownTables(const study::Study& study, const std::vector<model::Fit>& fits);
std::string latexTables(const study::Study& study, const std::vector<model::Fit>& fits);

/// A format that a study can be written in.
struct Format {
    std::string_view name; ///< the ending of its files
    std::string_view what; ///< "the runs, separated by commas"
    bool needsFits;
    std::string (*compose)(const study::Study& study, const std::vector<model::Fit>& fits);

    /// The study in this format. In scripts and documents what reorders text or is a control character stands
    /// as an escape ("\u202e"),
    /// so that a script reads as it is executed.
    std::string write(const study::Study& study, const std::vector<model::Fit>& fits) const;
};

/// Every format, most common first.
std::span<const Format> formats();

/// The format of this name, capital or small; null where there is none.
const Format* formatNamed(std::string_view name);

} // namespace quadric::exchange
