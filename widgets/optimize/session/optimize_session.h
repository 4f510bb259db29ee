// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/near_runs.h"
#include "core/optimize/optimum_region.h"
#include "widgets/base/page.h"
#include "widgets/optimize/session/follow_up.h"
#include "widgets/optimize/session/tried_runs.h"

namespace quadric::widgets {

/// Everything that the page shows, as plain values.
struct Answer {
    ContextPointer context; ///< where the models come from; its goals may be older than those of study()
    std::shared_ptr<const study::Study> held; ///< see study(); shared, for every view has an answer
    study::Settings locked;                   ///< factors that are held at a value
    optimize::Optimum best;                   ///< for these goals with these factors held
    optimize::Optimum free;                   ///< the same with no factor held
    optimize::Optimum shown;                  ///< what is predicted where the profiler stands
    std::shared_ptr<const optimize::OptimumRegion> region; ///< of `best`; none until it is known
    std::vector<optimize::Confirmation> confirmations;     ///< of the models of `context`
    std::shared_ptr<const TriedRuns> tried;                ///< null: not told

    /// With the goals as the user is changing them.
    const study::Study& study() const;
    const std::vector<model::Fit>& fits() const { return context->decidingFits(); }
    const study::Settings& settings() const { return shown.settings; }
    /// Padlocks, whether the search stays near the runs, and how surely settings have to give a result.
    optimize::OptimizeOptions searchOptions() const;
    bool isAtBest() const { return best.isOk() && shown.settings == best.settings; }
    bool isSimulated() const { return study::hasSimulatedResults(study()); }
};

/// What is different from before; each includes those before it.
enum class Change {
    Status,    ///< whether the study runs
    Look,      ///< the setting that is looked at
    Solutions, ///< the list of good settings
    Goals,     ///< goals, limits, weights or padlocks, and with them the answer
    Models     ///< factors, responses, runs or models
};

/// The controller of the page: keeps the answer in step with what the user does. Every change is answered at
/// once from the neighborhood of the answer before; a thorough search follows in the background and has the
/// last word as long as nothing newer was asked.
class OptimizeSession : public QObject {
    Q_OBJECT

public:
    explicit OptimizeSession(QObject* parent = nullptr);

    /// Shows this study; the echo of an own change only updates what surrounds it.
    void setContext(ContextPointer context);
    /// What was added to the study by itself.
    void setTried(const TriedRuns& tried);
    bool hasModel() const;
    const Answer& answer() const { return m_answer; }

    /// The goal of one response as the user wants it. All changes of one drag carry the same number.
    void changeResponse(int response, const study::Response& after, const QString& what, int drag);
    /// Looks at another setting.
    void look(const study::Settings& settings);
    void lookAtBest();
    /// Moves one factor to the legal value nearest to `actual` (categorical factors: the level with this
    /// index).
    void moveFactor(int factor, double actual);
    /// Holds the factor where it is looked at, or lets it go.
    void toggleLock(int factor);
    /// Adds runs at these settings to the study.
    void addRuns(const std::vector<study::Settings>& settings);
    /// Takes the models that the runs recommend for all responses. Factor scales stay while a runner owns the
    /// study.
    void useRecommendedModels();
    /// Recommends settings from the Gaussian processes of these responses.
    void useProcesses(const std::vector<std::string>& responses);
    /// Makes these confirmation runs added ones, which the models are fitted to.
    void fitConfirmation(const std::vector<int>& runs);

    /// What is done about settings that no run supports.
    void setNearRuns(optimize::NearRuns nearRuns);
    /// The probability of giving a result that settings need to be recommended.
    void setRunsLimit(double probability);
    /// How much the setting of a factor varies in use: a standard deviation.
    void setVariation(const QString& factor, double sd);
    /// Finds the settings that may be the best, which otherwise follow in the background.
    void findRegionNow();

    bool isSearching() const { return m_thorough.isBusy(); }

signals:
    void changed(quadric::widgets::Change change);
    void changeRequested(const quadric::study::Study& after, const QString& label, const QString& mergeKey);

private:
    void searchAnew();
    void searchNear();
    void searchHeld();
    void searchThoroughly();
    void showBest();
    void takeThorough(const optimize::Optimum& found);
    void findRegion();
    optimize::OptimizeOptions optionsWith(const study::Settings& locked) const;

    Answer m_answer;
    FollowUp<optimize::Optimum> m_thorough;
    FollowUp<std::shared_ptr<const optimize::OptimumRegion>> m_place;
};

} // namespace quadric::widgets
