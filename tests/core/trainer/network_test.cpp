// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of the networks against published figures: parameters and GMACs of ResNet-18, -34 and -50 as listed
// with torchvision's models (11,689,512 / 21,797,672 / 25,557,032 parameters; 1.81 / 3.66 / 4.09 GFLOPS at
// 224 px).
#include "core/trainer/base/exchange_options.h"
#include "core/trainer/workload/network.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace quadric::trainer {
namespace {

constexpr Shape kImageNet{3, 224, 224};

std::size_t trained(const Network& network)
{
    std::size_t total = 0;
    for (const Parameter& parameter : parametersOf(network, kImageNet))
        total += parameter.count();
    return total;
}

TEST(Network, ParameterCountsAreThePublishedOnes)
{
    EXPECT_EQ(trained(*makeNetwork("resnet18")), 11'689'512U);
    EXPECT_EQ(trained(*makeNetwork("resnet34")), 21'797'672U);
    EXPECT_EQ(trained(*makeNetwork("resnet50")), 25'557'032U);
}

TEST(Network, WorkIsThePublishedOne)
{
    EXPECT_NEAR(static_cast<double>(multiplyAccumulates(*makeNetwork("resnet18"), kImageNet)), 1.81e9,
                0.01e9);
    EXPECT_NEAR(static_cast<double>(multiplyAccumulates(*makeNetwork("resnet34"), kImageNet)), 3.66e9,
                0.01e9);
    EXPECT_NEAR(static_cast<double>(multiplyAccumulates(*makeNetwork("resnet50"), kImageNet)), 4.09e9,
                0.01e9);
}

TEST(Network, LastFeatureMapOfResnet50IsSevenBySeven)
{
    const Network network = *makeNetwork("resnet50");
    const std::vector<Shape> shapes = inferShapes(network, kImageNet);
    EXPECT_EQ(shapes[shapes.size() - 3], (Shape{2048, 7, 7}));
    EXPECT_EQ(shapes.back(), (Shape{1000, 1, 1}));
}

TEST(Network, UnknownNameGivesNothing)
{
    EXPECT_FALSE(makeNetwork("resnet9000").has_value());
}

TEST(Network, LayersThatDoNotFitAreNamed)
{
    Network network{"broken", 2, {}};
    network.layers.push_back({.name = "wide", .channels = 4, .kernel = 9});
    EXPECT_THROW(inferShapes(network, {3, 4, 4}), std::invalid_argument);
    network.layers = {{.name = "late", .input = 3, .channels = 4}};
    EXPECT_THROW(inferShapes(network, {3, 4, 4}), std::invalid_argument);
}

TEST(GradientArena, TensorsStartAtCacheLines)
{
    const std::vector<std::size_t> counts = {3, 16, 17};
    const std::vector<ArenaSpan> expected = {{0, 3}, {16, 16}, {32, 17}};
    EXPECT_EQ(layOut(counts), expected);
}

TEST(GradientArena, BucketsFollowTheBackwardPassAndStayBelowTheLimit)
{
    const std::vector<ArenaSpan> tensors = {{0, 100}, {112, 50}, {176, 50}, {240, 60}};
    const std::vector<std::size_t> counts = {100, 50, 50, 60};
    const std::vector<Bucket> expected = {{176, 124, 110}, {112, 64, 50}, {0, 112, 100}};
    EXPECT_EQ(makeBuckets(tensors, counts, 130 * sizeof(float)), expected);
}

TEST(GradientArena, WhatFillsTheArenaUpMovesNoBucket)
{
    const std::vector<std::size_t> counts = {432, 50, 50, 60};
    const std::vector<Bucket> packed = makeBuckets(layOut(counts), counts, 120 * sizeof(float));
    // Three input channels of the first convolution are stored as eight, 60 outputs as 64.
    const std::vector<std::size_t> blocked = {1152, 50, 50, 64};
    const std::vector<Bucket> filled = makeBuckets(layOut(blocked), counts, 120 * sizeof(float));
    EXPECT_EQ(packed, (std::vector<Bucket>{{496, 124, 110}, {432, 64, 50}, {0, 432, 432}}));
    EXPECT_EQ(filled, (std::vector<Bucket>{{1216, 128, 110}, {1152, 64, 50}, {0, 1152, 432}}));
}

TEST(GradientArena, OneBucketTakesAllAndALargeTensorStandsAlone)
{
    const std::vector<ArenaSpan> tensors = {{0, 1000}, {1008, 10}};
    const std::vector<std::size_t> counts = {1000, 10};
    EXPECT_EQ(makeBuckets(tensors, counts, 1 << 20), (std::vector<Bucket>{{0, 1018, 1010}}));
    EXPECT_EQ(makeBuckets(tensors, counts, 64), (std::vector<Bucket>{{1008, 10, 10}, {0, 1008, 1000}}));
    EXPECT_TRUE(makeBuckets({}, {}, 64).empty());
}

} // namespace
} // namespace quadric::trainer
