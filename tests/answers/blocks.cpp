// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/optimize/confirmation.h"
#include "core/text/numbers.h"

namespace quadric::answers {

namespace {

constexpr int kFewer = 4; ///< studies than of other kinds: there are many rows
constexpr int kBlockFactors = 3;
constexpr int kRunsInNewBlock = 3;

/// Runs in blocks of the same size, one after another in run order.
study::Study inBlocks(study::Study study, int blocks)
{
    for (study::Run& run : study.runs)
        run.block = 1 + (run.order - 1) * blocks / static_cast<int>(study.runs.size());
    return study;
}

/// All pending runs done; each of their blocks has a shift of its own.
study::Study measuredInBlocks(study::Study study, const Truth& truth, double blockSd, Random& random)
{
    const study::Study before = study;
    std::map<int, double> shifts;
    study = measured(std::move(study), truth, random);
    for (std::size_t i = 0; i < study.runs.size(); ++i) {
        study::Run& run = study.runs[i];
        if (before.runs[i].status != study::RunStatus::Pending)
            continue;
        if (!shifts.contains(run.block))
            shifts[run.block] = blockSd * drawNormal(random);
        run.results["y"] += shifts[run.block];
    }
    return study;
}

struct BlockCounts {
    int covered = 0, confirmed = 0;
};

/// One study with three confirming runs in one more block; its last run is the one that was to be predicted.
void countInNewBlock(const study::Study& plan, double blockSd, Random& random, BlockCounts& counts)
{
    study::Settings setting;
    for (const study::Factor& factor : plan.factors)
        setting[factor.name] = drawUniform(random, -0.7, 0.7);
    const Truth truth = drawTruth(random, kBlockFactors, 4.0);
    study::Study study = measuredInBlocks(plan, truth, blockSd, random);
    study = study::withRuns(std::move(study), std::vector(kRunsInNewBlock, setting),
                            study::RunKind::Confirmation);
    study = measuredInBlocks(std::move(study), truth, blockSd, random);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const auto predicted = model::predict(fits.at(0), study::Coding(study.factors).toCoded(setting));
    const double run = study.runs.back().results.at("y");
    counts.covered += predicted.newBlock && predicted.newBlock->low <= run && run <= predicted.newBlock->high;
    counts.confirmed += optimize::confirmationVerdicts(study, fits).at(0).isConfirmed;
}

} // namespace

std::vector<Claim> simulateBlocks(int studies)
{
    studies = std::max(studies / kFewer, 1);
    Random random(19);
    const study::Study plan = planned("central-composite", kBlockFactors);
    std::vector<Claim> claims;
    for (const int blocks : {2, 3, 4}) {
        const study::Study divided = inBlocks(plan, blocks);
        for (const double sd : {0.0, 0.5, 1.0, 2.0}) {
            BlockCounts counts;
            for (int i = 0; i < studies; ++i)
                countInNewBlock(divided, sd, random, counts);
            const std::string which =
                std::to_string(blocks) + " blocks that differ by " + text::formatDecimals(sd, 1) + " σ";
            const double low = blocks == 2 ? 0.9 : 0.93; // two tell of their differences with one df
            claims.push_back(makeShare("95 % interval of a run in a new block contains it, " + which,
                                       counts.covered, studies, low, 0.99));
            claims.push_back(makeShare("Right models confirmed by three runs in a new block, " + which,
                                       counts.confirmed, studies, low, 0.99));
        }
    }
    return claims;
}

} // namespace quadric::answers
