// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace quadric::run {

/// Why a program of Slurm, or a line of shell, has failed, as its standard error tells: the last line that
/// gives a reason, without the names of programs before it, advice ("Try …") and summaries that say nothing.
/// "no reason given" where there is none.
std::string findReason(std::string_view standardError);

} // namespace quadric::run
