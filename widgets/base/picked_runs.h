// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace quadric::widgets {

/// The runs that are lit on all pages; the one that the user went to last is the current one.
struct PickedRuns {
    int current = -1;          ///< −1: none
    std::vector<int> all = {}; ///< ascending, the current one among them

    PickedRuns() = default;
    /// One run; −1: none.
    PickedRuns(int run); // NOLINT(google-explicit-constructor): one run is the usual set
    /// Of several the last is the current one.
    explicit PickedRuns(std::vector<int> runs);

    bool isEmpty() const { return all.empty(); }
    bool contains(int run) const;
    /// With this run too, or without it if it was among them.
    PickedRuns toggled(int run) const;
    /// With these too.
    PickedRuns with(const std::vector<int>& runs) const;
    bool operator==(const PickedRuns&) const = default;
};

} // namespace quadric::widgets
