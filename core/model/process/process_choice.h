// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"

#include <memory>
#include <stop_token>

namespace quadric::model {

/// How well the polynomial and the Gaussian process of a response predict settings that they have not seen.
struct ModelErrors {
    std::string response;
    LeaveSettingOut polynomial, process;
    bool isProcessBetter() const { return process.error < polynomial.error; }
};

/// Of the responses for which both can be computed, in the order of the processes.
std::vector<ModelErrors> compareErrors(const std::vector<Fit>& fits, const std::vector<Process>& processes);

/// Whether the processes predict settings left out with the smaller error, in the geometric mean of the
/// responses.
bool isProcessBetter(const std::vector<ModelErrors>& errors);

/// Whether the process has the smaller error by more than what a right polynomial leaves it. Errors at
/// settings left out speak against polynomials of designs with few runs (without one corner of a Box–Behnken
/// design its quadratic hardly knows that corner) and for processes whose parameters know all runs. So
/// results are simulated from the polynomial and its residual deviation at the settings that ran, up to 19
/// times: each time the process has to be less far ahead. Of right polynomials 5 % are accused (parametric
/// bootstrap, Davison & Hinkley 1997, 4.2.3). False where it was stopped.
bool isProcessBetterThanByChance(const study::Study& study, const Fit& fit, const Process& process,
                                 const std::stop_token& stop = {});

/// Whether settings of this response are better recommended from the process: its error at settings left out
/// is at least a third smaller, and by more than chance. After five follow-ups with a result the third is
/// enough, and a polynomial that cannot be estimated without one of its settings has no error to compare:
/// follow-ups stand close together where the process looked for the best setting, and a polynomial that spans
/// all runs has recommended settings far below those that were measured (simulated:
/// docs/methods/next-runs.md).
bool isProcessAdvised(const study::Study& study, const Fit& fit, const Process& process,
                      const std::stop_token& stop = {});

/// How a process is called among the models of a response.
inline constexpr const char* kProcessModel = "gp";

/// Whether surfaces and curves of the response are drawn by its Gaussian process in place of the polynomial:
/// the study's own choice, kept among the views of the page "process".
bool isProcessShown(const study::Study& study, std::string_view response);
/// Both show the same responses so.
bool haveSameProcessesShown(const study::Study& a, const study::Study& b);
study::Study withProcessShown(study::Study study, const std::string& response, bool isShown);

/// The response's process; computed once for a study that stays as it is, however it is looked at.
std::shared_ptr<const Process> fitProcessCached(const study::Study& study, const std::string& response);

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
