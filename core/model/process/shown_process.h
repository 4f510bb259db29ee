// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"

#include <memory>

namespace quadric::model {

/// How a process is called among the models of a response.
inline constexpr const char* kProcessModel = "gp";

/// Whether surfaces and curves of the response are drawn by its Gaussian process in place of the polynomial:
/// the study's own choice, kept among the views of the page "process".
bool isProcessShown(const study::Study& study, std::string_view response);
/// Both show the same responses so.
bool haveSameProcessesShown(const study::Study& a, const study::Study& b);
study::Study withProcessShown(study::Study study, const std::string& response, bool isShown);

/// The response's process; computed once for a study that stays as it is, however it is looked at.
std::shared_ptr<const Process> processOf(const study::Study& study, const std::string& response);

/// The same where it is shown and usable; null otherwise.
std::shared_ptr<const Process> shownProcess(const study::Study& study, const std::string& response);

/// A fit that the process predicts for (Fit::predictor), with the predicted R² of settings left out; its
/// status where it is not usable. `study` is the one that it was fitted to.
Fit fitOf(std::shared_ptr<const Process> process, const study::Study& study);

/// One of each.
std::vector<Fit> fitsOf(const std::vector<Process>& processes, const study::Study& study);

/// The study's fits, those of responses whose process is shown replaced by it.
std::vector<Fit> shownFits(const study::Study& study, std::vector<Fit> fits);

} // namespace quadric::model
