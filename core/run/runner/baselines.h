// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/launcher.h"
#include "core/study/study.h"

#include <QStringList>

#include <map>
#include <optional>
#include <set>
#include <string>

namespace quadric::run {

/// The record of a run that was given a baseline and found that it does not count where it was executed: with
/// that as the reason why it has none.
study::Run withOwnBaselineNoted(study::Run run);

/// What the speed of a baseline depends on beside its settings, as JSON: the program, and this machine with
/// the number of runs at once, or the options of the cluster.
std::string baselineConditions(const study::Study& study, const Launcher& launcher);

/// What a run is given of its baseline.
struct BaselineShare {
    QStringList arguments = {};   ///< for the trainer; empty: it measures its own
    std::optional<int> run = {};  ///< the baseline
    std::string noneBecause = {}; ///< why it has none
    std::string conditions = {};  ///< of a baseline: those that it is measured under

    void note(study::Provenance& provenance) const;
};

/// Which runs share a baseline. The baselines themselves are among the runs of the runner's study.
class Baselines {
public:
    Baselines() = default;
    /// Baselines of the study that were measured under other conditions do not count. Failed ones are
    /// measured again with `retryFailed`.
    Baselines(const study::Study& study, std::string conditions, bool retryFailed);

    /// The run cannot start before this one has been measured: a new baseline, with an id above all others,
    /// where the study has none that counts, or one that waits there. Nothing where it has been measured, or
    /// in vain, or where no other run needs the same.
    std::optional<study::Run> findDueBaseline(int run, const study::Study& study) const;

    /// The newest baseline of the run that counts or is still to be measured; null where there is none.
    const study::Run* findBaseline(int run, const study::Study& study) const;

    /// Nobody waits for it any more: the runs that need it measure their own.
    void giveUp(int baseline) { m_givenUp.insert(baseline); }

    /// What the run is given when it starts now.
    BaselineShare makeBaselineShare(const study::Run& run, const study::Study& study) const;

private:
    /// A run of the trainer that is alone with its need measures its own in a third of its time, sooner than
    /// a run of one rank is made. Other programs measure none themselves.
    bool isShared(const study::Settings& need) const;

    std::map<int, study::Settings> m_needs; ///< by id of the run
    std::string m_conditions;
    std::string m_speed; ///< the result that baselines are measured for
    std::set<int> m_givenUp;
};

} // namespace quadric::run
