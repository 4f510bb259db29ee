// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/design/base/design.h"

namespace quadric::app {

/// The documented keys of `evaluate --json`, and: blocks' degrees of freedom, region, leverage, correlation,
/// alias_matrix, legal. `isModelAsked`: the model was named by the user (design::isRemark()).
Json evaluationJson(const design::Evaluation& evaluation, bool isModelAsked);

/// What moving a design to legal settings did; null where nothing is known of it.
Json legalJson(const std::optional<design::LegalReport>& report);

void printEvaluation(const design::Evaluation& evaluation, bool isModelAsked);

/// The sentences of a report on legal settings; nothing where nothing was moved.
void printLegal(const std::optional<design::LegalReport>& report);

Json comparisonJson(const std::vector<design::ComparisonRow>& rows);
void printComparison(const std::string& first, const std::string& second,
                     const std::vector<design::ComparisonRow>& rows);

} // namespace quadric::app
