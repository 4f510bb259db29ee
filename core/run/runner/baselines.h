// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/baseline_needs.h"

#include <QStringList>

#include <chrono>
#include <optional>

namespace quadric::run {

/// The record of a run that was given a baseline and found that it does not count where it was executed: with
/// that as the reason why it has none.
study::Run withOwnBaselineNoted(study::Run run);

/// Oldest baseline that is still used. Machines change over hours (heat, clocks, what else they have to do),
/// and what all runs are related to must not be older than that; once an hour a baseline costs next to
/// nothing.
inline constexpr std::chrono::hours kOldestBaseline{1};
/// Of one of a command that was disturbed: it serves where there is no better one yet. Where it takes long,
/// ten times as long as it takes, up to the limit above.
inline constexpr std::chrono::minutes kOldestDisturbedBaseline{5};

/// What a run is given of its baseline.
struct BaselineShare {
    QStringList arguments = {};   ///< for the trainer; empty: it measures its own
    std::optional<int> run = {};  ///< the baseline
    std::string noneBecause = {}; ///< why it has none
    std::string conditions = {};  ///< of a baseline: those that it is measured under, as JSON
    std::string disturbance = {}; ///< what disturbed the baseline that it is given all the same

    void note(study::Provenance& provenance) const;
};

/// Which runs share a baseline and where it is: measured, at work, or still to be measured. Holds no runs:
/// these are in the runner's study, baselines among them.
class Baselines {
public:
    using Clock = std::chrono::steady_clock;

    Baselines() = default;
    /// `needs` by id of the run; `known`: baselines of the study, of which those serve that were measured
    /// under the same conditions and are not too old. Failed ones are measured again with `retryFailed`.
    /// `speed` is the result that they are measured for.
    Baselines(std::map<int, BaselineNeed> needs, const std::vector<study::Run>& known, bool retryFailed,
              std::string speed = kBaselineSpeed);

    /// The run cannot start before this one has been measured: a new baseline, with an id above all others,
    /// where the study has none that counts, or one that waits there. Nothing where it has been measured, or
    /// in vain, or where no other run needs the same.
    std::optional<study::Run> findDueBaseline(int run, const study::Study& study);

    /// The baseline of the run at this moment, if it needs one.
    std::optional<int> findBaselineRun(int run) const;

    /// A run that needs this baseline, 0 where none does.
    int findDependentRun(int baseline) const;

    /// It has been measured just now.
    void markMeasured(const study::Run& baseline);
    /// Nobody waits for it any more: the runs that need it measure their own.
    void giveUp(int baseline);
    /// The machine is no longer what it was: those measured so far count for no further run.
    void expire()
    {
        std::erase_if(m_known, [](const Known& each) { return each.counts.has_value(); });
    }

    /// What the run is given when it starts now; for a baseline the conditions that it is measured under.
    BaselineShare makeBaselineShare(const study::Run& run, const study::Study& study) const;

private:
    struct Known {
        BaselineNeed need;
        int id = 0;
        std::optional<Clock::time_point> counts; ///< until then; empty: not measured yet
        bool isGivenUp = false;
    };

    /// A run of the trainer that is alone with its need measures its own in a third of its time, sooner than
    /// a run of one rank is made. Other programs measure none themselves.
    bool isShared(const BaselineNeed& need) const;
    const Known* findKnownBaseline(int run) const;
    Known* known(int baseline);
    void adopt(const study::Run& baseline, bool retryFailed);
    /// Until when it counts.
    Clock::time_point computeExpiry(const study::Run& baseline, Clock::time_point measured) const;

    bool isOfTrainer() const { return m_speed == kBaselineSpeed; }

    std::string m_speed = kBaselineSpeed;
    std::map<int, BaselineNeed> m_needs; ///< by id of the run
    std::vector<Known> m_known;          ///< one for each need, the newest
};

} // namespace quadric::run
