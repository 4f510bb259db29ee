// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"
#include "core/plan/words/comparison_tables.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct OpinionCommand {
    StudyOption study;
    FitSelection selection;
};

Json opinionJson(const plan::Opinion& opinion)
{
    return {{"response", opinion.response},
            {"runs", opinion.runs},
            {"settings", opinion.settings},
            {"parts", opinion.parts},
            {"models", listOf(opinion.scores, [](const plan::RivalScore& score) {
                 Json json = {{"model", score.model}, {"message", score.message}};
                 if (score.isOk())
                     json.update({{"mae", score.mae}, {"rmse", score.rmse}, {"r2", score.r2}});
                 return json;
             })}};
}

void planOpinion(const OpinionCommand& command)
{
    const study::Study study = readAnalyzedStudy(command.study.path, command.selection);
    const plan::Opinion opinion = plan::secondOpinion(study, requireFit(study, command.selection));
    if (!opinion.isOk())
        throw WorkError(opinion.message);
    printAnswer(command.study.json, opinionJson(opinion),
                [&] { std::cout << report::renderTerminal(plan::makeOpinionTable(opinion)); });
}

} // namespace

void addPlanOpinion(Command& plan)
{
    auto options = std::make_shared<OpinionCommand>();
    Command& command = plan.addCommand(
        "opinion", "How other kinds of models predict settings left out, beside the study's own");
    addStudyOption(command, options->study);
    addFitOptions(command, options->selection);
    command.whenCalled([options] { planOpinion(*options); });
}

} // namespace quadric::app
