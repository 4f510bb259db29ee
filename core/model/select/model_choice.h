// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

namespace quadric::model {

/// The study as it is analyzed: with the scales that are chosen, and the terms left to "auto" where it has no
/// model. Settings and results stay as they are, and so does a study that was made so.
///
/// Scales are chosen by AICc of the first-order model in the response's own unit (Jacobian included): the
/// best scale is the one on which straight lines are enough (the principle of Box & Cox 1964 and Box &
/// Tidwell 1962), and three levels of a factor cannot choose by their curvature. What multiplies begins on a
/// logarithmic scale: counts and sizes that span a factor of 4, other factors that span a factor of 10,
/// speeds, times, memories and energies whose results span a factor of 3. Only runs that give other scales an
/// AICc lower by more than 4, summed over the responses, change that, where the models of "auto" on both
/// agree.
/// A response with a transform keeps it. Where the study has the model of a response, by hand, the factors
/// keep the scales of the study, and that response its transform.
study::Study withChosenModels(const study::Study& study);

/// The study with the scales of factors, transforms of responses and models of another one that has the same
/// factors and responses.
study::Study withModelsOf(study::Study study, const study::Study& other);

/// A change that was made to the study as it is analyzed, as one to the study as it is stored. Where it
/// leaves scales, transforms and models as they were chosen, or takes all models away, nothing was chosen by
/// hand, and what was chosen is not stored: those of `stored` stay. Any other change is returned as it is,
/// and so keeps the models of all responses.
study::Study withoutChosenModels(study::Study after, const study::Study& analyzed,
                                 const study::Study& stored);

/// The study with this transform as the user's choice: the response has a model from then on.
study::Study withTransform(study::Study study, std::string_view response, const study::Transform& transform);

/// The study with no choice of models by hand: without models and transforms. Factors keep their scales.
study::Study withoutModels(study::Study study);

} // namespace quadric::model
