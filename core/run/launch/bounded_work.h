// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

namespace quadric::run {

/// What a piece of work has said.
struct BoundedAnswer {
    std::string text;    ///< as far as it came
    std::string problem; ///< why it could not begin; empty: it did
};

using Say = std::function<void(const std::string&)>;

/// Does the work in a copy of this process, which is ended after `seconds` of processor time: work without an
/// end, and a crash in it, stay there. The work computes and says what it finds; it waits for nothing, and
/// nothing else that it changes is seen here.
BoundedAnswer doBounded(double seconds, const std::function<void(const Say&)>& work);

} // namespace quadric::run
