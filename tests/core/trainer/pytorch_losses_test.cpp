// SPDX-License-Identifier: GPL-3.0-or-later
// ResNet-18 against PyTorch: the same parameters, images and steps; numbers and script in
// tests/references/trainer.
#include "core/trainer/engine.h"
#include "core/trainer/knobs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace quadric::trainer {
namespace {

TEST(PyTorch, LossesOfThreeStepsAgree)
{
    std::ifstream file(QUADRIC_REFERENCES "/trainer/resnet18_losses.json");
    const nlohmann::json reference = nlohmann::json::parse(file);
    Workload workload;
    workload.network = reference.at("network");
    workload.imageSize = reference.at("image_size");
    workload.batchPerRank = reference.at("batch");
    workload.seed = reference.at("seed");
    workload.learningRate = reference.at("learning_rate");
    workload.momentum = reference.at("momentum");
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = makeCpuEngine(workload, *alone);
    for (const nlohmann::json& loss : reference.at("losses_float32"))
        EXPECT_NEAR(engine->step(Peers::Alone).loss, loss.get<double>(), 1e-5);
}

} // namespace
} // namespace quadric::trainer
