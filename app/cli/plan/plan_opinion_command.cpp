// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/plan/published_numbers.h"
#include "core/plan/opinion/opinion.h"
#include "core/plan/words/opinion_words.h"
#include "core/report/table_text.h"
#include "core/text/numbers.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostFolds = 1000, kMostRepeats = 1000;

struct OpinionCommand {
    StudyOption study;
    FitSelection selection;
    plan::OpinionOptions options;
    std::string published;
};

Json scoreJson(const plan::Opinion& opinion, const plan::RivalScore& score,
               const std::vector<study::Factor>& factors)
{
    Json json = {{"model", plan::nameOf(score.rival)}, {"message", score.message}};
    if (!score.isOk())
        return json;
    json["mae"] = score.mae;
    json["mae_sd"] = score.maeSd;
    json["rmse"] = score.rmse;
    json["rmse_sd"] = score.rmseSd;
    json["r2"] = score.r2;
    const bool isOwn = score.rival == plan::Rival::Polynomial;
    json["gain"] = isOwn ? Json() : Json(score.gain);
    json["p"] = isOwn ? Json() : Json(score.p);
    json["predicted"] = Json::array();
    for (std::size_t row = 0; row < opinion.runs.size(); ++row)
        json["predicted"].push_back({{"run", opinion.runs[row]},
                                     {"observed", opinion.observed[row]},
                                     {"predicted", score.predicted[row]}});
    json["importance"] = Json::object();
    for (std::size_t i = 0; i < score.importance.size(); ++i)
        json["importance"][factors[i].name] = score.importance[i];
    return json;
}

Json dependenceJson(const plan::Opinion& opinion, const model::Fit& fit)
{
    const study::Coding coding(fit.factors);
    Json factors = Json::array();
    for (std::size_t i = 0; i < opinion.dependence.size(); ++i) {
        const plan::PartialDependence& dependence = opinion.dependence[i];
        const study::Factor& factor = fit.factors[i];
        Json settings = Json::array();
        for (const double coded : dependence.coded)
            settings.push_back(factor.isNumeric() ? Json(coding.toActual(i, coded))
                                                  : Json(factor.categories[static_cast<std::size_t>(coded)]));
        Json means = Json::object();
        for (std::size_t rival = 0; rival < opinion.scores.size(); ++rival)
            means[std::string(plan::nameOf(opinion.scores[rival].rival))] = dependence.means[rival];
        factors.push_back({{"factor", dependence.factor}, {"settings", settings}, {"means", means}});
    }
    return factors;
}

Json opinionJson(const plan::Opinion& opinion, const model::Fit& fit)
{
    return {
        {"response", opinion.response},
        {"settings", opinion.settings},
        {"folds", opinion.folds},
        {"repeats", opinion.repeats},
        {"alpha", opinion.alpha},
        {"better", opinion.better < 0
                       ? Json()
                       : Json(plan::nameOf(opinion.scores[static_cast<std::size_t>(opinion.better)].rival))},
        {"verdict", plan::describeOpinion(opinion)},
        {"models",
         listOf(opinion.scores,
                [&](const plan::RivalScore& score) { return scoreJson(opinion, score, fit.factors); })},
        {"partial_dependence", dependenceJson(opinion, fit)}};
}

void printOpinion(const plan::Opinion& opinion, const model::Fit& fit)
{
    std::cout << opinion.response << ": " << text::formatCount(opinion.runs.size(), "run") << " at "
              << text::formatCount(opinion.settings, "setting") << " left out in "
              << text::formatCount(opinion.folds, "fold")
              << (opinion.repeats > 1 ? ", divided " + std::to_string(opinion.repeats) + " times" : "")
              << "\n\n"
              << report::renderTerminal(plan::makeOpinionTable(opinion)) << '\n'
              << plan::describeOpinion(opinion) << "\n\n"
              << report::renderTerminal(plan::makeImportanceTable(opinion, fit.factors));
}

void planOpinion(const OpinionCommand& command)
{
    const study::Study study = withSelection(readStudy(command.study.path), command.selection);
    const model::Fit fit = requireFit(study, command.selection);
    const plan::Opinion opinion = plan::secondOpinion(study, fit, command.options);
    if (!opinion.isOk())
        throw WorkError(opinion.message);
    printAnswer(command.study.json, opinionJson(opinion, fit), command.published,
                [&] { printOpinion(opinion, fit); });
}

} // namespace

void addPlanOpinion(CLI::App& plan)
{
    auto options = std::make_shared<OpinionCommand>();
    CLI::App* command =
        plan.add_subcommand("opinion", "Whether another kind of model predicts better than the polynomial");
    addStudyOption(*command, options->study);
    command->add_option("--folds", options->options.folds, "Parts of the runs that are left out in turn")
        ->check(wholeNumber(2, kMostFolds))
        ->type_name("N");
    command->add_option("--repeats", options->options.repeats, "How often the runs are divided anew")
        ->check(wholeNumber(1, kMostRepeats))
        ->type_name("N");
    command->add_option("--seed", options->options.seed, "Seed of the division")->type_name("N");
    addPublishedOption(*command, options->published);
    addFitOptions(*command, options->selection);
    command->callback([options] { planOpinion(*options); });
}

} // namespace quadric::app
