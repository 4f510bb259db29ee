// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/templates.h"

#include <QCoreApplication>

#include <algorithm>

namespace quadric::widgets {

namespace {

/// Three distinct numbers of ranks need at least four cores: 1, 2, 4.
constexpr int kCoresForRankFactor = 4;

QString words(const char* text)
{
    return QCoreApplication::translate("templates", text);
}

study::Factor integerFactor(const char* name, const char* unit, double low, double high, study::Scale scale)
{
    study::Factor factor;
    factor.name = name;
    factor.unit = unit;
    factor.type = study::FactorType::Integer;
    factor.low = low;
    factor.high = high;
    factor.scale = scale;
    return factor;
}

study::Factor continuousFactor(const char* name, const char* unit, double low, double high,
                               study::Scale scale)
{
    study::Factor factor = integerFactor(name, unit, low, high, scale);
    factor.type = study::FactorType::Continuous;
    return factor;
}

study::Response response(const char* name, const char* unit, study::Goal goal)
{
    study::Response made;
    made.name = name;
    made.unit = unit;
    made.goal = goal;
    return made;
}

study::Study withDesign(study::Study study)
{
    study.design.type = "box-behnken";
    study.design.centerRuns = 3;
    return study;
}

/// The largest power of two that is no more than the cores.
int mostRanks(int cores)
{
    int ranks = 1;
    while (2 * ranks <= cores)
        ranks *= 2;
    return ranks;
}

/// Effects on speed multiply: on the log scale they add, which is what the models can describe.
void addSpeedResponses(study::Study& study)
{
    study.responses = {response("images_per_sec", "img/s", study::Goal::Maximize),
                       response("scaling_efficiency", "%", study::Goal::Maximize)};
    for (study::Response& each : study.responses)
        each.transform.kind = study::TransformKind::Log;
}

study::Study thisMachineStudy(const run::Machine& machine)
{
    study::Study study;
    study.name = words("Training on this machine").toStdString();
    study.factors = {integerFactor("batch_per_rank", "images", 4, 16, study::Scale::Log2),
                     integerFactor("image_size", "px", 16, 48, study::Scale::Linear),
                     continuousFactor("bucket_mib", "MiB", 0.125, 2, study::Scale::Log2)};
    study.factors[1].multipleOf = 8;
    study.fixed = {{"network", "resnet8"}, {"threads_per_rank", 1.0}, {"max_seconds", 5.0}};
    if (machine.cores >= kCoresForRankFactor) {
        study.factors[2] = integerFactor("ranks", "ranks", 1, mostRanks(machine.cores), study::Scale::Log2);
        study.factors[2].binds = "ranks";
        std::rotate(study.factors.begin(), study.factors.begin() + 2, study.factors.end());
        study.fixed["bucket_mib"] = 1.0;
    } else {
        study.fixed["ranks"] = double(mostRanks(machine.cores));
    }
    addSpeedResponses(study);
    study.benchmark.workload = "builtin";
    return withDesign(std::move(study));
}

/// How much compression helps depends on the network and on the work between two exchanges.
study::Study slowNetworkStudy(const run::Machine& machine)
{
    study::Study study;
    study.name = words("Compression on a slow network").toStdString();
    study.factors = {integerFactor("batch_per_rank", "images", 4, 16, study::Scale::Log2),
                     continuousFactor("link_gbit", "Gbit/s", 0.1, 1, study::Scale::Log2),
                     continuousFactor("gradient_compression", "%", 0, 90, study::Scale::Linear)};
    study.fixed = {{"network", "resnet8"},    {"image_size", 32.0}, {"ranks", 2.0},
                   {"threads_per_rank", 1.0}, {"bucket_mib", 1.0},  {"compression_method", "aligned"},
                   {"max_seconds", 6.0}};
    if (machine.cores < 2)
        study.fixed["oversubscribe"] = "on";
    addSpeedResponses(study);
    study.benchmark.workload = "builtin";
    return withDesign(std::move(study));
}

study::Study planningStudy()
{
    study::Study study;
    study.name = words("ResNet-50 on up to 64 GPUs, simulated").toStdString();
    study.factors = {integerFactor("ranks", "GPUs", 16, 64, study::Scale::Log2),
                     integerFactor("batch_per_rank", "images", 16, 128, study::Scale::Log2),
                     continuousFactor("gradient_compression", "%", 0, 90, study::Scale::Linear)};
    study.fixed = {{"engine", "simulated"},
                   {"gpu", "h100"},
                   {"node_network", "ethernet10"},
                   {"ranks_per_node", 8.0},
                   {"network", "resnet50"},
                   {"image_size", 224.0},
                   {"compression_method", "aligned"},
                   {"bucket_mib", 25.0},
                   {"noise_pct", 1.0},
                   {"max_seconds", 20.0}};
    addSpeedResponses(study);
    study.benchmark.workload = "builtin";
    return withDesign(std::move(study));
}

study::Study typedStudy()
{
    study::Study study;
    study.name = words("ResNet-50 scaling").toStdString();
    study.factors = {integerFactor("gpu_count", "GPUs", 8, 64, study::Scale::Linear),
                     integerFactor("batch_per_gpu", "images", 32, 256, study::Scale::Linear),
                     continuousFactor("gradient_compression", "%", 0, 90, study::Scale::Linear)};
    study.factors[0].binds = "ranks";
    study.responses = {response("images_per_sec", "img/s", study::Goal::Maximize),
                       response("scaling_efficiency", "%", study::Goal::Maximize)};
    study.responses[0].weight = 1.5;
    study.benchmark.workload = "none";
    return withDesign(std::move(study));
}

study::Study commandStudy()
{
    study::Study study;
    study.name = words("Own benchmark").toStdString();
    study.factors = {integerFactor("workers", "", 1, 4, study::Scale::Linear),
                     integerFactor("batch", "images", 8, 64, study::Scale::Log2),
                     continuousFactor("learning_rate", "", 0.001, 0.1, study::Scale::Log2)};
    study.responses = {response("throughput", "1/s", study::Goal::Maximize)};
    study.benchmark.workload = "command";
    study.benchmark.argv = {"python3", "benchmark.py", "--workers", "{workers}",
                            "--batch", "{batch}",      "--rate",    "{learning_rate}"};
    study.benchmark.parse.kind = study::ParseSpec::Kind::LastJson;
    return withDesign(std::move(study));
}

} // namespace

std::vector<StudyTemplate> studyTemplates(const run::Machine& machine)
{
    return {
        {words("Distributed training on this machine"),
         words("Measures a real data-parallel training step with %1 cores. Ready to run.").arg(machine.cores),
         thisMachineStudy(machine)},
        {words("ResNet-50 style: type in results"),
         words("GPUs, batch size and gradient compression. You measure elsewhere and type the results into "
               "the matrix."),
         typedStudy()},
        {words("Own command"),
         words("Any program of yours is started with the settings of each run and prints its results."),
         commandStudy()},
        {words("Compression on a slow network"),
         words("Measures when sending fewer gradients pays on an emulated network. Two minutes."),
         slowNetworkStudy(machine)},
        {words("Plan for 64 GPUs"),
         words("Calculates a training step of ResNet-50 on GPUs that are not here. All results are marked as "
               "simulated."),
         planningStudy()},
    };
}

} // namespace quadric::widgets
