// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::report {

/// What speaks for relying on the models of a study, a sentence each.
std::vector<std::string> findEvidence(const study::Study& study, const std::vector<model::Fit>& fits);

/// What speaks against it: verdicts that are not good, warnings (each once, with all responses that it is
/// about), failed, disturbed and missing runs.
std::vector<std::string> findCautions(const study::Study& study, const std::vector<model::Fit>& fits);

/// What is said where the best setting is an extrapolation.
std::string extrapolationCaution();

} // namespace quadric::report
