// SPDX-License-Identifier: GPL-3.0-or-later
// Several ranks in one process, one thread each, over real sockets.
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/workload/training_batches.h"

#include "rank_threads.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <random>
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

// ResNet-18 against PyTorch in double precision: the same parameters, images and steps; numbers and script in
// tests/references/trainer.

constexpr std::size_t kSteps = 3;
using Losses = std::array<double, kSteps>;

Workload workloadOf(const nlohmann::json& reference)
{
    Workload workload;
    workload.network = reference.at("network");
    workload.imageSize = reference.at("image_size");
    workload.batchPerRank = reference.at("batch");
    workload.seed = reference.at("seed");
    workload.learningRate = reference.at("learning_rate");
    workload.momentum = reference.at("momentum");
    return workload;
}

/// The largest relative error of any sum in a step, but for one step in a hundred. An implementation may add
/// in any order. Whatever the order, the computed sum of n products is the exact sum of products that are
/// changed by at most γ̃ = exp(λ √n u + n u² / (1 − u)) − 1 each, with a probability of at least 1 − 2 exp(−λ²
/// (1 − u)² / 2) (Higham and Mary, SIAM Journal on Scientific Computing 41, 2019, theorem 2.4; u = 2⁻²⁴ for
/// fp32). The longest sums are those of the first convolution's weight gradients and of its statistics, over
/// all places of its output in all images.
double errorOfSums(const Workload& workload, const Network& network)
{
    const std::vector<Shape> shapes = inferShapes(network, {3, workload.imageSize, workload.imageSize});
    const double longest = 1.0 * workload.batchPerRank * shapes[0].height * shapes[0].width;
    double sums = 0.0;
    for (const Shape& shape : shapes) // values, and their gradients
        sums += 2.0 * workload.batchPerRank * shape.channels * shape.height * shape.width;
    constexpr double kMissed = 0.01;
    constexpr double kUnit = 0x1p-24;
    const double lambda = std::sqrt(2.0 * std::log(2.0 * sums / kMissed)) / (1.0 - kUnit);
    return std::expm1(lambda * std::sqrt(longest) * kUnit + longest * kUnit * kUnit / (1.0 - kUnit));
}

/// Changes each number by that share of it, up or down.
void disturb(std::span<float> numbers, double share, std::mt19937_64& random)
{
    const float changed[] = {static_cast<float>(1.0 - share), static_cast<float>(1.0 + share)};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i, bits >>= 1U) {
        if (i % 64 == 0)
            bits = random();
        numbers[i] *= changed[bits & 1U];
    }
}

/// Losses of the steps when factors of all sums are disturbed: parameters before the forward pass, gradients
/// before the update.
Losses disturbedLosses(const Workload& workload, const Network& network, double share, unsigned seed)
{
    const Shape image{3, workload.imageSize, workload.imageSize};
    CpuNetwork computed(network, {image, workload.batchPerRank});
    initialize(computed, static_cast<std::uint64_t>(workload.seed));
    const std::uint64_t firstRank = static_cast<std::uint64_t>(workload.seed) * 1000003ULL + 1;
    const SyntheticBatch batch = makeSyntheticBatch(image, workload.batchPerRank, network.classes, firstRank);
    computed.setBatch(batch.images, batch.labels);
    std::mt19937_64 random(seed);
    std::vector<float> velocity(computed.values().size(), 0.0F);
    Losses losses{};
    for (double& loss : losses) {
        disturb(computed.values(), share, random);
        loss = computed.forward();
        computed.backward();
        disturb(computed.gradients(), share, random);
        sgdStep(computed.values(), computed.gradients(), velocity,
                {static_cast<float>(workload.learningRate), static_cast<float>(workload.momentum), 1.0F});
    }
    return losses;
}

TEST(PyTorch, LossesOfThreeStepsAgree)
{
    std::ifstream file(sourcePath("tests/references/trainer/resnet18_losses.json"));
    const nlohmann::json reference = nlohmann::json::parse(file);
    const Workload workload = workloadOf(reference);
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = makeCpuEngine(workload, *alone);
    Losses losses{};
    for (double& loss : losses)
        loss = engine->step(Peers::Alone).loss;

    // Where a sum is close to zero, ReLU or the maximum may decide otherwise when numbers are added in
    // another order, and the next losses show that far beyond the error itself. How far is measured, with
    // disturbed factors.
    const Network network = *makeNetwork(workload.network);
    const double error = errorOfSums(workload, network);
    const Losses undisturbed = disturbedLosses(workload, network, 0.0, 0);
    Losses allowed{};
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Losses disturbed = disturbedLosses(workload, network, error, seed);
        for (std::size_t step = 0; step < kSteps; ++step)
            allowed[step] = std::max(allowed[step], std::abs(disturbed[step] - undisturbed[step]));
    }
    for (std::size_t step = 0; step < kSteps; ++step)
        EXPECT_NEAR(losses[step], reference.at("losses").at(step).get<double>(), allowed[step])
            << "step " << step + 1;
}

} // namespace
} // namespace quadric::trainer
