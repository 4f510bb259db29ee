// SPDX-License-Identifier: GPL-3.0-or-later
// Constraints and model formulas: refused with a sentence, or evaluated; the two evaluators of constraints
// agree.
#include "core/model/base/term.h"
#include "core/study/space/constraint.h"
#include "core/study/space/constraint_program.h"

#include "fuzz.h"

#include <array>
#include <stdexcept>

using namespace quadric;

namespace {

constexpr double kA = 3.0, kB = -2.5;

study::Study studyWith(const std::string& constraint)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -4.0, .high = 4.0}, {.name = "b", .low = -4.0, .high = 4.0}};
    study.factors.push_back(
        {.name = "precision", .type = study::FactorType::Categorical, .categories = {"fp32", "bf16"}});
    if (!constraint.empty())
        study.constraints = {constraint};
    return study;
}

void judgeConstraint(const std::string& text)
{
    const study::Study study = studyWith(text);
    const study::ConstraintProgram program(study);
    const std::array<study::Range, 3> point = {{{kA, kA}, {kB, kB}, {1.0, 1.0}}};
    const study::Settings settings = {{"a", kA}, {"b", kB}, {"precision", "bf16"}};
    const study::Verdict verdict = program.judge(point);
    fuzz::expect(verdict != study::Verdict::Maybe, "a single point is in doubt: " + text);
    fuzz::expect((verdict == study::Verdict::Yes) == study::isLegal(study, settings),
                 "the search and the rest of the program judge differently: " + text);
}

void readModel(const std::string& text)
{
    const study::Study study = studyWith({});
    for (const model::Term& term : model::parseModel(text, study.factors)) {
        const std::vector<model::Term> again =
            model::parseModel(model::nameOf(term, study.factors), study.factors);
        fuzz::expect(std::find(again.begin(), again.end(), term) != again.end(),
                     "a term does not read back: " + model::nameOf(term, study.factors));
    }
}

template <typename Action> void refusedOr(Action action)
{
    try {
        action();
    } catch (const std::invalid_argument&) {
        return;
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(fuzz::textOf(data, size));
    refusedOr([&] { judgeConstraint(text); });
    refusedOr([&] { readModel(text); });
    return 0;
}
