// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan_choices.h"
#include "widgets/base/page.h"

#include <optional>
#include <string>
#include <utility>

namespace quadric::widgets {

/// What the page plans with, as plain values: a copy is what a job works on.
struct PlanSource {
    ContextPointer context;    ///< where the models come from
    plan::PlanChoices choices; ///< may be newer than those of the context
    study::Settings settings;  ///< as chosen, of all factors; empty: nothing can be planned
    std::string problem;       ///< why there are none
    int models = 0;            ///< another number for other models

    const study::Study& study() const { return context->study; }
    /// The fit that says how long the work takes; none: nullptr.
    const model::Fit* fit() const { return context ? plan::plannedFit(context->fits, choices) : nullptr; }
    bool isReady() const { return fit() != nullptr && !settings.empty(); }
};

/// The source of what the study itself has chosen.
PlanSource makePlanSource(ContextPointer context);

/// The controller of the page: keeps what is asked in step with what the user does.
class PlanSession : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    void setContext(ContextPointer context);
    const PlanSource& source() const { return m_source; }

    /// What the user asks now. `what` names the change for undo; changes of one thing in a row are one step.
    void choose(const plan::PlanChoices& choices, const QString& what);

signals:
    void changed();
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);

private:
    void findSettings();

    PlanSource m_source;
    /// Response and largest factor that `m_fastest` is for.
    std::optional<std::pair<std::string, std::string>> m_fastestOf;
    plan::FastestSettings m_fastest;
};

} // namespace quadric::widgets
