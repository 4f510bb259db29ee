// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/confirmation.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/optimize/optimum_region.h"
#include "core/report/tables/run_tables.h"
#include "widgets/base/job_runner.h"
#include "widgets/base/page.h"

#include <QPointF>
#include <QString>
#include <QTimer>

#include <algorithm>

namespace quadric::widgets {

/// A job that follows what the user drags: at most one every `pause` milliseconds, always for the newest
/// request, and nothing older is ever delivered.
template <typename Result> class FollowUp {
public:
    using Job = typename JobRunner<Result>::Job;
    using Done = typename JobRunner<Result>::Done;

    explicit FollowUp(int pause = 80)
    {
        m_pause.setSingleShot(true);
        m_pause.setInterval(pause);
        QObject::connect(&m_pause, &QTimer::timeout, &m_pause,
                         [this] { m_runner.start(std::move(m_job), std::move(m_done)); });
    }

    void start(Job job, Done done)
    {
        m_runner.cancel();
        m_job = std::move(job);
        m_done = std::move(done);
        if (!m_pause.isActive())
            m_pause.start();
    }

    void cancel()
    {
        m_pause.stop();
        m_runner.cancel();
    }

    bool isBusy() const { return m_pause.isActive() || m_runner.isBusy(); }

private:
    QTimer m_pause;
    Job m_job;
    Done m_done;
    JobRunner<Result> m_runner;
};

/// What was added to the study by itself, and why, run after run.
struct TriedRuns {
    std::vector<report::RunReason> reasons = {}; ///< oldest first
    QString end = {};    ///< why the last time ended, in a sentence; empty: it has not
    double spent = 0.0;  ///< seconds, of the last time
    double budget = 0.0; ///< seconds; 0: never
};

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
    const std::vector<model::Fit>& fits() const { return context->fits; }
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
    bool hasModel() const
    {
        return m_answer.context && std::ranges::any_of(m_answer.fits(), &model::Fit::isOk);
    }
    const Answer& answer() const { return m_answer; }

    /// The goal of one response as the user wants it. All changes of one drag carry the same number.
    void changeResponse(int response, const study::Response& after, const QString& what, int drag);
    /// Looks at another setting.
    void look(const study::Settings& settings);
    void returnToBest();
    /// As withValue().
    void moveFactor(int factor, double actual);
    /// Holds the factor where it is looked at, or lets it go.
    void toggleLock(int factor);
    /// Adds runs at these settings to the study.
    void addRuns(const std::vector<study::Settings>& settings);
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
    void applyThoroughSearch(const optimize::Optimum& found);
    void findRegion();
    optimize::OptimizeOptions optionsWith(const study::Settings& locked) const;

    Answer m_answer;
    FollowUp<optimize::Optimum> m_thorough;
    FollowUp<std::shared_ptr<const optimize::OptimumRegion>> m_place;
};

/// The settings with one factor moved to the legal value nearest to `actual` that leaves no place of a known
/// node idle (categorical factors: the level with this index).
study::Settings withValue(const study::Study& study, study::Settings settings, std::size_t factor,
                          double actual);

/// The settings with a numeric factor moved by this share of its range, to such a value; at least to the next
/// one.
study::Settings withStep(const study::Study& study, study::Settings settings, std::size_t factor,
                         double share);

/// Where the setting that is looked at stands over two numeric factors, actual values.
QPointF projectSetting(const Answer& answer, std::size_t x, std::size_t y);

/// What the other factors are held at there, as pictures say it.
QString describeHeldFactors(const Answer& answer, std::size_t x, std::size_t y);

/// The setting that was asked for, `factor` moved; where the study wants settings near the runs only and the
/// answer shows one, the last of those on the way to it.
study::Settings moveNearRuns(const Answer& answer, std::size_t factor, const study::Settings& moved);

} // namespace quadric::widgets
