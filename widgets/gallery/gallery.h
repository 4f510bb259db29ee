// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/optimum_region.h"
#include "core/run/words/run_files.h"
#include "widgets/base/page.h"
#include "widgets/plots/base/plot.h"
#include "widgets/plots/view_kind.h"

#include <functional>
#include <stdexcept>

namespace quadric::widgets {

/// Every view of the window, in the order of the pages and of the views on them.
const std::vector<ViewKind>& viewKinds();

/// Those of them that draw.
const std::vector<ViewKind>& plotKinds();

struct PlanAnswer;

/// Which plot is wanted. What is left empty is chosen as the window chooses it.
struct PlotRequest {
    std::string kind; ///< id of a view that draws
    /// Kinds about one response: empty, the first one. The Pareto front: those of the X and the Y axis.
    std::vector<std::string> responses = {};
    std::vector<std::string> factors = {}; ///< of the axes, where they can be chosen
    int run = 0; ///< kinds about one run: its id; 0: the last one in run order that left samples
};

/// What was sampled while a run executed; empty where nothing was kept.
using SampleReader = std::function<run::RunSamples(int runId)>;

/// A plot that cannot be drawn: names what was asked for and what was expected.
class PlotError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Every plot of the window by name, drawn from one study by the widgets of the window themselves. What
/// several plots share, such as the best setting, is computed once.
class Gallery {
public:
    /// Without a reader no run left samples.
    explicit Gallery(ContextPointer context, SampleReader samples = {});
    ~Gallery();

    /// Throws PlotError. A plot that has nothing to show says why in its place.
    std::shared_ptr<Plot> plot(const PlotRequest& request);

    /// Why the plot would show nothing but a sentence, in words; empty when it has something to show. Throws
    /// PlotError for a kind that does not exist.
    std::string explainEmptyPlot(const PlotRequest& request) const;

    /// Every plot that this study has something for: kinds about one response or one run once
    /// for each.
    std::vector<PlotRequest> all() const;

    /// The best setting, as the Optimize page finds it.
    const optimize::Optimum& best();

    /// What the study asks on the page Plan, and its answers: the work in a sentence, then what
    /// planAnswers() gives. Neither where nothing is asked or nothing can be planned.
    std::pair<QString, std::vector<PlanAnswer>> plan();

    /// The settings that may be the best.
    const optimize::OptimumRegion& region();

private:
    struct Parts;
    std::unique_ptr<Parts> m_parts;
};

} // namespace quadric::widgets
