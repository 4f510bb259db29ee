// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace quadric::model {

/// "A, B and C"; more than 12 are cut short with their number.
std::string listWords(const std::vector<std::string>& items);

/// "3 runs", "1 run".
std::string countWords(std::size_t count, const std::string& thing);

/// "run 3", "runs 3, 5 and 7".
std::string runWords(const std::vector<int>& runs);

/// Three significant digits.
std::string shortWords(double value);

/// "p < 0.001", "p = 0.034".
std::string probabilityWords(double p);

/// A share between 0 and 1 as "98.7 %".
std::string percentWords(double share);

} // namespace quadric::model
