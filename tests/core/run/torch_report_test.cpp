// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/torch_report.h"

#include <gtest/gtest.h>

namespace quadric::run {
namespace {

TEST(TorchReport, IsReadBesideWhatLibrariesPrint)
{
    const auto report =
        readTorchReport("a warning of NumPy\n{\"python\": \"3.11.2\", \"torch\": \"2.1.0+cu121\", "
                        "\"cuda\": \"12.1\", \"gpus\": 8}\nbye\n");
    ASSERT_TRUE(report);
    EXPECT_EQ(describeTorch(report),
              "python3 here is Python 3.11.2 with PyTorch 2.1.0+cu121 for CUDA 12.1; it sees 8 GPUs.");
}

TEST(TorchReport, OfAProcessorAlone)
{
    const auto report =
        readTorchReport("{\"python\": \"3.13.0\", \"torch\": \"2.6.0\", \"cuda\": \"\", \"gpus\": 0}\n");
    EXPECT_EQ(describeTorch(report), "python3 here is Python 3.13.0 with PyTorch 2.6.0 without CUDA; it sees "
                                     "no GPU and trains on the processor.");
}

TEST(TorchReport, OfSomethingElseIsNone)
{
    for (const char* output :
         {"", "Traceback", "{\"python\"", "{\"python\": 3}", "{\"python\": \"3\", \"torch\": 2}"})
        EXPECT_FALSE(readTorchReport(output)) << output;
    EXPECT_EQ(describeTorch({}).substr(0, 28), "python3 here has no PyTorch:");
}

} // namespace
} // namespace quadric::run
