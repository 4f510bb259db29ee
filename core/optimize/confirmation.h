// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/predict/predict.h"

namespace quadric::optimize {

/// The confirming runs of one response against what its model predicts: their mean, and how far they scatter.
struct ConfirmedResponse {
    std::string response, unit;
    int runs = 0; ///< m, those with a result
    double observed =
        0.0; ///< their mean; with a transform the back-transformed mean of the transformed values
    /// Interval for the mean of m runs, by the model without these runs, in a study with blocks for runs that
    /// are blocks of their own (Prediction::newBlock); all responses together are inside with the confidence
    /// of the fits where the models are right (confirmationVerdicts()).
    model::Prediction predicted;
    double confidence = 0.95; ///< of this interval by itself
    bool isInside = false;    ///< false too where there is no interval
    double distance = 0.0;    ///< observed − predicted, response's own unit
    /// |distance| in half widths of the interval, on the scale of the model: at most 1 inside. Empty without
    /// an interval.
    std::optional<double> halfWidths;
    /// Of runs that scatter at least as much, by F of their variance (within blocks) against the residual
    /// variance; empty with one run or without an interval.
    std::optional<double> scatterP;
    bool isScattered = false; ///< more than the model's residuals allow
    std::string sentence;     ///< the verdict in words

    bool isConfirmed() const { return isInside && !isScattered; }
};

enum class ConfirmationOutcome {
    Pending,    ///< runs are still missing
    NoResult,   ///< none of the runs gave a result
    Disturbed,  ///< measured while the machine was shared or throttled: to be measured again
    NoInterval, ///< no model leaves anything to judge by
    Confirmed,
    Refuted,
    CannotRun ///< runs failed by what was run
};
/// "pending", "no-result", "disturbed", "no-interval", "confirmed", "refuted", "cannot-run".
std::string_view nameOf(ConfirmationOutcome outcome);

/// What the confirmation runs at one setting say of the models.
struct Confirmation {
    study::Settings settings;
    std::vector<int> runs; ///< ids of the confirmation runs at this setting, pending ones too
    int pending = 0;       ///< not done, not failed, not excluded
    std::vector<int>
        failed;          ///< ids of runs that failed by what was run (out of memory, crash, time limit, …)
    std::string failure; ///< what that says of the setting, in words
    std::vector<int> disturbed; ///< ids of runs that are done and were disturbed while they were measured
    std::string disturbance;    ///< why, in words
    std::vector<ConfirmedResponse> responses; ///< empty as long as no run is done
    /// No run failed or was disturbed, and all responses with an interval are confirmed; false too as long as
    /// there is no verdict.
    bool isConfirmed = false;

    ConfirmationOutcome outcome() const;
    /// The setting is confirmed, or not to be used.
    bool hasVerdict() const { return isConfirmed || isRejected(); }
    bool isRejected() const
    {
        return outcome() == ConfirmationOutcome::Refuted || outcome() == ConfirmationOutcome::CannotRun;
    }
};

/// The verdict on a setting; null where no run was to confirm it.
const Confirmation* findConfirmation(const std::vector<Confirmation>& confirmations,
                                     const study::Settings& settings);

/// One entry for each setting that has confirmation runs, in the order of the study. `fits` as fitStudy()
/// returns them, which leaves confirmation runs out. Whoever wants to fit them too makes them augmenting runs
/// (RunKind::Augment); from then on they judge nothing. The significance level 1 − confidence is divided over
/// the r responses (Šidák 1967: 1 − (1 − α)^(1/r)), with several runs four fifths of each share for their
/// mean and one for their scatter, so that right models are confirmed as often as the confidence says.
std::vector<Confirmation> confirmationVerdicts(const study::Study& study,
                                               const std::vector<model::Fit>& fits);

} // namespace quadric::optimize
