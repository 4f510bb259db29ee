// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/predict.h"
#include "core/optimize/merit/optimum.h"
#include "core/report/findings/advice.h"
#include "core/study/factor.h"
#include "core/study/study.h"

#include <QString>
#include <QStringList>

#include <cstddef>
#include <string_view>
#include <vector>

namespace quadric::widgets {

/// A sentence of what is no QObject, as QObject::tr() gives it there.
QString tr(const char* text);

/// A text of core, or of a study.
QString fromUtf8(std::string_view text);

/// A name of the study as text; everywhere spelled as in the study file and on the command line.
QString nameText(std::string_view name);

/// "batch_per_gpu (images)"; without a unit only the name.
QString nameWithUnit(std::string_view name, std::string_view unit);

/// A setting of one factor with its unit: "64 GPUs", "bf16". Numbers and their units are joined by spaces
/// that do not break, here and below.
QString valueText(const study::Factor& factor, const study::Value& value);

/// All settings in one line: "64 GPUs · batch_per_gpu 256 images · precision bf16". Factors whose unit says
/// what they are ("ranks") go without their name.
QString settingsText(const study::Study& study, const study::Settings& settings,
                     const std::vector<std::string>& indifferent = {});

/// "1 234 ± 56 img/s" with the 95 % interval for a single new run, in a new block where there are blocks;
/// without an interval the value alone, with unequal halves "1 234 (1 100 to 1 400) img/s".
QString predictionText(const model::Prediction& prediction, std::string_view unit);

/// A result with its spread, "1 234.5 ± 2.1"; without a spread with the digits of `uncertainty`; empty
/// without a result.
QString resultText(const study::Run& run, std::string_view response, double uncertainty);

/// "0.79": two decimals, more where it would read 0 or 1.
QString desirabilityText(double d);

/// A term of a model as it is typeset: "A*B" → "A × B", "A^2" → "A²", "1" → "intercept".
QString termText(std::string_view term);

/// The best settings and what to expect there of the responses with a goal, in one sentence; the optimum's
/// message when there is none.
QString recommendationText(const study::Study& study, const optimize::Optimum& optimum);

/// "Infeasible: gpus × batch = 36 800 > 32 768." of what describeViolation() says; empty for nothing.
QString infeasibleText(std::string_view violation);

/// What a setting is to the question.
enum class SettingKind {
    Best,
    BestWithFixed, ///< with factors fixed by the user
    LookedAt       ///< any other
};

/// What is known of the setting, whether it is the best one, what to expect there, and what speaks against
/// it. A setting that is not to be used says that first, and why.
QString headlineText(const study::Study& study, const optimize::Optimum& at, SettingKind kind,
                     const report::Standing& standing);

/// "waiting", "measuring", "done", "disturbed", "failed: out of memory", "left out: …".
QString statusText(const study::Run& run);
QString kindText(study::RunKind kind);
QString sourceText(study::Source source);
QString goalText(const study::Response& response);

/// "about 2 minutes left", "less than a minute left"; empty for a negative time.
QString remainingText(double seconds);

/// "no transform", "logarithm", "power 0.3".
QString transformText(const study::Transform& transform);

/// What the factors that a plot does not show are set to: "at bucket_mb 8 MB · precision fp32". `shown`:
/// those that it does show, by their index. Empty where it shows them all.
QString heldText(const study::Study& study, const study::CodedPoint& at,
                 const std::vector<std::size_t>& shown);

/// Of a plot that moves some factors at a time: "others at gpus 32 GPUs · bucket_mb 8 MB".
QString othersText(const study::Study& study, const study::CodedPoint& at);

/// Of curves that all go through one setting: "from gpus 32 GPUs · bucket_mb 8 MB".
QString referenceText(const study::Study& study, const study::CodedPoint& at);

/// Seconds of the unit in which a time that is left is told: a minute, an hour or a day.
double timeLeftUnit(double seconds);

/// remainingText() with an interval: "about 12 minutes left (10 to 16)"; without it where both ends read the
/// same.
QString remainingText(double seconds, double low, double high);

} // namespace quadric::widgets
