// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/worker/throttle.h"
#include "core/study/benchmark.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace quadric::run {

/// What a program that does not speak the worker protocol prints of its responses while it runs, for the live
/// plot. The result itself is read from the whole output when the program has ended.
class LiveValues {
public:
    explicit LiveValues(study::ParseSpec spec);

    /// The finite numbers that this line has for responses: by their patterns, or as a JSON object. At most
    /// 20 a second of each response. Long lines are left out, and so are lines for which there is no time:
    /// reading takes a twentieth of it at most.
    std::vector<std::pair<std::string, double>> read(const std::string& line);

private:
    using Found = std::vector<std::pair<std::string, double>>;
    bool hasTime() const;
    Found findByPatterns(const std::string& line);
    static Found findInObject(const std::string& line);

    study::ParseSpec m_spec;
    std::map<std::string, Throttle> m_pauses; ///< by response
    QElapsedTimer m_clock;                    ///< since the first line
    qint64 m_spentNs = 0;
};

} // namespace quadric::run
