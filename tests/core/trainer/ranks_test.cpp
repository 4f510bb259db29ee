// SPDX-License-Identifier: GPL-3.0-or-later
// Several ranks in one process, one thread each, over real sockets.
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/exchange/gradient_reducer.h"
#include "core/trainer/workload/training_batches.h"

#include "rank_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::trainer {
namespace {

using testing::asRanks;

/// What the ranks hold, summed in their order.
std::vector<float> sumOverRanks(Collective& collective, std::span<const float> mine)
{
    std::vector<float> all(mine.size() * static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(mine), std::as_writable_bytes(std::span(all)));
    std::vector<float> sum(mine.size(), 0.0F);
    for (std::size_t i = 0; i < all.size(); ++i)
        sum[i % mine.size()] += all[i];
    return sum;
}

TEST(GradientReducer, GivesTheSumOfTheGradientsThatRanksComputeAlone)
{
    const Network network = *makeNetwork("resnet8");
    const Shape image{3, 16, 16};
    for (const bool overlap : {false, true}) {
        asRanks(2, [&](Collective& collective) {
            CpuNetwork mine(network, {image, 4});
            initialize(mine, 1);
            const SyntheticBatch data = makeSyntheticBatch(
                image, 4, network.classes, 100 + static_cast<std::uint64_t>(collective.rank()));
            mine.setBatch(data.images, data.labels);
            // The same thread computes with and without the exchange: the order of additions inside a
            // gradient depends on the processor and on the number of threads. The sum of two numbers has no
            // order.
            mine.forward();
            mine.backward();
            const std::vector<float> expected = sumOverRanks(collective, mine.gradients());
            const std::unique_ptr<BucketExchange> exchange =
                makeBucketExchange(collective, {}, mine.gradients().size());
            GradientReducer reducer(*exchange, mine.gradients(),
                                    makeBuckets(mine.spans(), countsOf(mine.parameters()), 100'000), overlap);
            for (int repeat = 0; repeat < 3; ++repeat) {
                mine.forward();
                mine.backward([&](std::size_t offset) { reducer.finalFrom(offset); });
                reducer.finish();
                for (std::size_t i = 0; i < expected.size(); ++i)
                    ASSERT_EQ(mine.gradients()[i], expected[i]) << "gradient " << i;
            }
        });
    }
}

Workload smallWorkload(int ranks)
{
    Workload workload;
    workload.ranks = ranks;
    workload.batchPerRank = 4;
    workload.imageSize = 16;
    return workload;
}

/// Parameters of all ranks after some steps, as hashes.
std::vector<std::uint64_t> trainedHashes(const Workload& workload, int steps)
{
    std::vector<std::uint64_t> hashes(static_cast<std::size_t>(workload.ranks));
    asRanks(workload.ranks, [&](Collective& collective) {
        const std::unique_ptr<Engine> engine = makeCpuEngine(workload, collective);
        for (int i = 0; i < steps; ++i)
            engine->step(Peers::Exchange);
        hashes[static_cast<std::size_t>(collective.rank())] = engine->parameterHash();
    });
    return hashes;
}

TEST(CpuEngine, ParametersOfAllRanksStayEqualBitByBit)
{
    const std::vector<std::uint64_t> hashes = trainedHashes(smallWorkload(3), 4);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
    EXPECT_NE(hashes, trainedHashes(smallWorkload(3), 5)) << "a step must change the parameters";
}

TEST(CpuEngine, OverlapAndBucketSizeDoNotChangeTheResultOfTwoRanks)
{
    Workload workload = smallWorkload(2);
    workload.overlap = false;
    const std::vector<std::uint64_t> expected = trainedHashes(workload, 3);
    for (const double mib : {0.01, 0.3, 64.0}) {
        workload.overlap = true;
        workload.bucketMib = mib;
        EXPECT_EQ(trainedHashes(workload, 3), expected) << "buckets of " << mib << " MiB";
    }
}

TEST(CpuEngine, ASelectionThatLetsAllPassTrainsTheSameWeights)
{
    Workload workload = smallWorkload(2);
    workload.bucketMib = 0.1;
    const std::vector<std::uint64_t> expected = trainedHashes(workload, 3);
    workload.exchange.compressionPct = 1e-6;
    for (const CompressionMethod method : {CompressionMethod::Topk, CompressionMethod::Aligned}) {
        workload.exchange.method = method;
        EXPECT_EQ(trainedHashes(workload, 3), expected);
    }
}

TEST(CpuEngine, CompressedTrainingKeepsRanksEqualAndLearns)
{
    for (const CompressionMethod method : {CompressionMethod::Topk, CompressionMethod::Aligned}) {
        Workload workload = smallWorkload(2);
        workload.exchange = {method, 90.0, WireType::Bf16};
        asRanks(2, [&](Collective& collective) {
            const std::unique_ptr<Engine> engine = makeCpuEngine(workload, collective);
            const StepReport first = engine->step(Peers::Exchange);
            StepReport last;
            for (int i = 0; i < 25; ++i)
                last = engine->step(Peers::Exchange);
            EXPECT_LT(last.loss, 0.7 * first.loss);
            EXPECT_GT(last.selectionMs, 0.0);
            EXPECT_LT(last.bytesSent, 0.2 * static_cast<double>(engine->facts().gradientBytes));
            std::vector<double> hash = {static_cast<double>(engine->parameterHash() >> 12)};
            const double mine = hash[0];
            collective.sum(std::span(hash));
            EXPECT_EQ(hash[0], 2.0 * mine);
        });
    }
}

TEST(CpuEngine, LossFallsOnAFixedBatchAndResetStartsAgain)
{
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = makeCpuEngine(smallWorkload(1), *alone);
    const std::uint64_t first = engine->parameterHash();
    const double lossAtStart = engine->step(Peers::Alone).loss;
    EXPECT_NEAR(lossAtStart, std::log(10.0), 1.5) << "an untrained classifier of ten classes guesses";
    StepReport last;
    for (int i = 0; i < 30; ++i)
        last = engine->step(Peers::Alone);
    EXPECT_LT(last.loss, 0.5 * lossAtStart);
    engine->reset();
    EXPECT_EQ(engine->parameterHash(), first);
    EXPECT_EQ(engine->step(Peers::Alone).loss, lossAtStart);
}

/// What is measured does not depend on whether a loss was asked for.
TEST(CpuEngine, AMeasurementAfterTrainingIsTheOneWithoutIt)
{
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = makeCpuEngine(smallWorkload(1), *alone);
    const double first = engine->step(Peers::Alone).loss;
    const std::uint64_t hash = engine->parameterHash();
    engine->useTrainingBatches(true);
    const double another = engine->step(Peers::Alone).loss;
    EXPECT_NE(engine->step(Peers::Alone).loss, another);
    engine->useTrainingBatches(false);
    engine->reset();
    EXPECT_EQ(engine->step(Peers::Alone).loss, first);
    EXPECT_EQ(engine->parameterHash(), hash);
}

TEST(CpuEngine, MicroBatchesOfTheSameImagesGiveTheSameStep)
{
    // Every micro-batch holds the same images here, so that the mean gradient of two is that of one; 0.5 (g +
    // g) is exact.
    Workload workload = smallWorkload(1);
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> one = makeCpuEngine(workload, *alone);
    workload.aggregation = 2;
    const std::unique_ptr<Engine> two = makeCpuEngine(workload, *alone);
    one->step(Peers::Alone);
    two->step(Peers::Alone);
    EXPECT_EQ(one->parameterHash(), two->parameterHash());
}

TEST(Sgd, FollowsItsFormula)
{
    std::vector<float> values = {1.0F, 2.0F}, velocity = {0.5F, 0.0F};
    const std::vector<float> gradients = {4.0F, -8.0F};
    sgdStep(values, gradients, velocity, {.learningRate = 0.5F, .momentum = 0.5F, .gradientScale = 0.25F});
    EXPECT_EQ(velocity, (std::vector<float>{1.25F, -2.0F}));
    EXPECT_EQ(values, (std::vector<float>{0.375F, 3.0F}));
}

TEST(Synthetic, ImagesAreStandardNormalAndRepeatable)
{
    const SyntheticBatch batch = makeSyntheticBatch({3, 32, 32}, 8, 10, 5);
    double sum = 0.0, squares = 0.0;
    for (const float value : batch.images) {
        sum += value;
        squares += static_cast<double>(value) * value;
    }
    const auto count = static_cast<double>(batch.images.size());
    EXPECT_NEAR(sum / count, 0.0, 5.0 / std::sqrt(count));
    EXPECT_NEAR(squares / count, 1.0, 5.0 * std::sqrt(2.0 / count));
    EXPECT_EQ(makeSyntheticBatch({3, 32, 32}, 8, 10, 5).images, batch.images);
    EXPECT_NE(makeSyntheticBatch({3, 32, 32}, 8, 10, 6).images, batch.images);
    EXPECT_TRUE(std::ranges::all_of(batch.labels, [](int label) { return label >= 0 && label < 10; }));
}

Workload sharedOut(int ranks, int aggregation, int batch)
{
    Workload workload;
    workload.ranks = ranks;
    workload.aggregation = aggregation;
    workload.batchPerRank = batch;
    workload.imageSize = 16;
    return workload;
}

/// Images of one batch in the order of micro-batches, then ranks.
std::vector<float> imagesOfStep(std::vector<TrainingBatches>& ranks, int aggregation)
{
    std::vector<float> all;
    for (int micro = 0; micro < aggregation; ++micro) {
        for (TrainingBatches& rank : ranks) {
            const SyntheticBatch batch = rank.next();
            all.insert(all.end(), batch.images.begin(), batch.images.end());
        }
    }
    return all;
}

std::vector<TrainingBatches> batchesOf(const Workload& workload)
{
    std::vector<TrainingBatches> ranks;
    for (int rank = 0; rank < workload.ranks; ++rank)
        ranks.emplace_back(workload, 10, rank);
    return ranks;
}

TEST(TrainingBatches, AreTheSameImagesHoweverTheyAreSharedOut)
{
    std::vector<TrainingBatches> one = batchesOf(sharedOut(1, 1, 12));
    std::vector<TrainingBatches> ranks = batchesOf(sharedOut(3, 1, 4));
    std::vector<TrainingBatches> both = batchesOf(sharedOut(3, 2, 2));
    for (int step = 0; step < 3; ++step) {
        const std::vector<float> images = imagesOfStep(one, 1);
        EXPECT_EQ(imagesOfStep(ranks, 1), images);
        EXPECT_EQ(imagesOfStep(both, 2), images);
    }
}

TEST(TrainingBatches, ComeAgainAfterSixteenAndHaveImagesOfVarianceTwo)
{
    TrainingBatches batches(sharedOut(1, 1, 4), 10, 0);
    std::set<std::vector<float>> different;
    std::vector<std::vector<float>> all;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < 2 * kTrainingBatches; ++i) {
        all.push_back(batches.next().images);
        different.insert(all.back());
        for (const float value : all.back()) {
            sum += value;
            squares += static_cast<double>(value) * value;
        }
    }
    EXPECT_EQ(different.size(), static_cast<std::size_t>(kTrainingBatches));
    EXPECT_EQ(all[0], all[kTrainingBatches]);
    const auto count = static_cast<double>(all.size() * all[0].size());
    EXPECT_NEAR(squares / count, 2.0, 0.1) << "noise and pattern have 1 each";
    EXPECT_NEAR(sum / count, 0.0, 0.02);
}

} // namespace
} // namespace quadric::trainer
