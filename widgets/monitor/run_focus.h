// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/follow/runner_news.h"
#include "core/study/study.h"

namespace quadric::widgets {

/// Which run is in the center of attention: the one that the user has picked, otherwise the run in progress.
/// A start ends what was picked before it.
class RunFocus {
public:
    int picked() const { return m_picked; } ///< −1: the run in progress is followed
    /// Returns whether it is another one than before.
    bool pick(int run);

    /// The user starts the experiment: what is picked from here on stays picked.
    void noteStart();
    /// A runner has appeared, started by the user or elsewhere. Returns whether a pick has ended with that.
    bool noteRunner();
    void noteNews(const run::RunnerNews& news);
    /// A run may be over before anybody has heard that it began.
    void noteEnded(const study::Study& before, const study::Study& after);

    /// The picked run; without one the run in progress, of several the one that is `shown` already; without
    /// one the run that ended last; otherwise `shown`.
    int runToShow(const run::RunnerNews& news, int shown) const;

private:
    int m_picked = -1;
    int m_lastEnded = -1; ///< in the experiment that is going on, or was the last; −1: the one that was shown
    bool m_isStarting = false;
};

} // namespace quadric::widgets
