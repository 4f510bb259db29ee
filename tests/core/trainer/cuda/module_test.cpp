// SPDX-License-Identifier: GPL-3.0-or-later
// What the CUDA engine does without a GPU.
#include "core/trainer/cuda/communicator.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/gpu/cuda_support.h"
#include "tests/support/test_paths.h"

#include "../rank_threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::trainer::cuda {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

bool hasGpu()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

TEST(CudaModule, LoadsAndNamesItsLibrariesAndWhyItCannotRun)
{
    const EngineModule module(builtPath("bin/quadric-trainer-cuda.so"));
    EXPECT_THAT(module.versions(), StartsWith("CUDA "));
    EXPECT_THAT(module.versions(), HasSubstr("cuDNN 9."));
    EXPECT_THAT(module.versions(), HasSubstr("NCCL 2."));
    if (hasGpu()) {
        EXPECT_THAT(module.whyNot(), IsEmpty());
        return;
    }
    EXPECT_THAT(module.whyNot(),
                AnyOf(HasSubstr("this module needs CUDA "), StartsWith("cudaGetDeviceCount: ")));
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    try {
        module.make({}, *alone);
        FAIL() << "there is no GPU";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kBadSettings);
        EXPECT_THAT(failure.what(), HasSubstr(module.whyNot()));
    }
}

TEST(CudaModule, TheProgramCatchesWhatTheModuleThrows)
{
    const SharedLibrary library(builtPath("bin/quadric-trainer-cuda.so"));
    ASSERT_TRUE(library.isOpen()) << library.whyNot();
    const auto make = asFunction<MakeFunction>(library.find(kMakeFunction));
    ASSERT_NE(make, nullptr);
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    std::unique_ptr<Engine> engine;
    Workload unknown;
    unknown.network = "alexnet"; // refused with a GPU, too
    EXPECT_THROW(make(unknown, *alone, engine), Failure);
}

/// Kind and message of what a check throws.
template <typename Status> std::pair<std::string, std::string> thrown(Status status)
{
    try {
        check(status, "someCall(argument)");
    } catch (const Failure& failure) {
        return {failure.kind(), failure.what()};
    }
    return {};
}

TEST(CheckedCalls, ThrowTheTextOfTheCallAndMapMemory)
{
    EXPECT_EQ(thrown(cudaSuccess).first, "");
    EXPECT_EQ(thrown(cudaErrorMemoryAllocation).first, kOutOfMemory);
    EXPECT_EQ(thrown(cudaErrorInvalidValue).first, kInternal);
    EXPECT_THAT(thrown(cudaErrorInvalidValue).second, StartsWith("someCall(argument): "));
    EXPECT_EQ(thrown(CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED).first, kOutOfMemory);
    EXPECT_EQ(thrown(CUDNN_STATUS_NOT_SUPPORTED).first, kInternal);
    EXPECT_EQ(thrown(CUBLAS_STATUS_ALLOC_FAILED).first, kOutOfMemory);
    EXPECT_EQ(thrown(CUBLAS_STATUS_INVALID_VALUE).first, kInternal);
    EXPECT_EQ(thrown(ncclSystemError).first, kCommunication);
    EXPECT_STREQ(failureKind(ncclUnhandledCudaError, "Failed to CUDA calloc 536870912 bytes"), kOutOfMemory);
    EXPECT_STREQ(failureKind(ncclUnhandledCudaError, "Cuda failure 2 'out of memory'"), kOutOfMemory);
    EXPECT_STREQ(failureKind(ncclSystemError, "Failed to CUDA host alloc 4096 bytes"), kOutOfMemory);
    EXPECT_STREQ(failureKind(ncclUnhandledCudaError, "Cuda failure 'unspecified launch failure'"),
                 kCommunication);
    EXPECT_STREQ(failureKind(ncclRemoteError, "out of memory"), kCommunication) << "of another rank";
    EXPECT_THAT(thrown(ncclInvalidUsage).second, StartsWith("someCall(argument): "));
}

TEST(RankDevice, RanksOfAHostTakeItsGpusInTurn)
{
    const std::vector<std::uint64_t> hosts = {7, 9, 7, 7, 9};
    std::vector<int> places;
    for (int rank = 0; rank < 5; ++rank)
        places.push_back(placeAmongEqual(hosts, rank));
    EXPECT_THAT(places, ElementsAre(0, 0, 1, 2, 1));
}

TEST(RankDevice, EveryRankLearnsTheNumbersOfAll)
{
    std::vector<std::vector<std::uint64_t>> found(3);
    testing::asRanks(3, [&](Collective& collective) {
        const auto rank = static_cast<std::uint64_t>(collective.rank());
        found[rank] = gatherNumbers(collective, 100 + (rank << 40U));
    });
    for (const std::vector<std::uint64_t>& numbers : found)
        EXPECT_THAT(numbers, ElementsAre(100, 100 + (1ULL << 40U), 100 + (2ULL << 40U)));
}

} // namespace
} // namespace quadric::trainer::cuda
