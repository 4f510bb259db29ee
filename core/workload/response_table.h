// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace quadric::workload {

enum class Aim { Maximize, Minimize };

/// Without what the trainer leaves a response out.
enum class Needs {
    Nothing,
    Baseline, ///< the speed of one rank alone
    Price,    ///< `price_per_rank_hour` above 0
    Training, ///< an engine that trains
    Learning, ///< `loss_training` on, with an engine that trains
    Gpus      ///< GPUs that count their energy
};

/// Which values a response can have by its nature.
enum class Range {
    Free,
    AboveZero, ///< 0 and above
    Percent    ///< 0 to 100
};

/// A quantity that the built-in workload reports.
struct Response {
    std::string_view name; ///< as studies and the worker protocol have it: "step_ms"
    std::string_view title;
    std::string_view help; ///< one sentence without its end
    std::string_view unit; ///< empty where there is none
    Aim aim;               ///< the goal that the wizard suggests
    Needs needs = Needs::Nothing;
    Range range = Range::Free; ///< the bounds that a new study gives it
};

/// All responses of the built-in workload, most used first. core/trainer/measure/result.cpp reports them; the
/// trainer's table, wizard, completions, messages and the table in docs/trainer.md follow.
inline constexpr auto kResponses = std::to_array<Response>({
    {"images_per_sec", "Throughput of all ranks",
     "Images of all ranks, divided by the total time of the measured steps of rank 0", "img/s",
     Aim::Maximize},
    {"scaling_efficiency", "Scaling efficiency",
     "Speed of N ranks, divided by N × the speed of one rank alone; 100 % for one rank by definition", "%",
     Aim::Maximize, Needs::Baseline, Range::AboveZero}, // caches can bring it above 100 %
    {"step_ms", "Step time, median", "Median of the measured steps", "ms", Aim::Minimize},
    {"step_ms_p95", "Step time, 95 % quantile", "95 % quantile of the measured steps", "ms", Aim::Minimize},
    {"comm_exposed_pct", "Exposed communication",
     "Share of the step spent waiting for the exchange after the backward pass", "%", Aim::Minimize,
     Needs::Nothing, Range::Percent},
    {"bytes_per_step", "Bytes sent per step",
     "Payload that a rank sends in a step; 2(N − 1)/N × gradient bytes without compression (ring)", "bytes",
     Aim::Minimize},
    {"selection_ms", "Selection time per step",
     "Time that a compression spends on choosing, packing and unpacking, beside the computing where overlap "
     "is on",
     "ms", Aim::Minimize},
    {"memory_peak_mib", "Peak memory",
     "Largest memory of all rank processes, or of their GPUs, summed, without the baseline", "MiB",
     Aim::Minimize},
    {"loss_end", "Final loss", "Mean loss of all ranks in the last step; depends on the number of steps", "",
     Aim::Minimize, Needs::Training},
    {"loss_after_50_steps", "Loss after 50 steps",
     "Mean loss of all ranks over the last 16 of 50 training steps on 16 batches in turn, before the "
     "measurement; the same however fast the steps are",
     "", Aim::Minimize, Needs::Learning},
    {"joules_per_image", "Energy per image", "Energy of all GPUs, divided by the images of all ranks",
     "J/img", Aim::Minimize, Needs::Gpus},
    {"seconds_per_epoch", "Time per epoch", "dataset_images, divided by the throughput of all ranks", "s",
     Aim::Minimize},
    {"cost_per_epoch", "Cost per epoch", "Time per epoch × ranks × price_per_rank_hour", "", Aim::Minimize,
     Needs::Price},
});

/// The response of that name; null where there is none.
const Response* findResponse(std::string_view name);

/// The names of all responses: "images_per_sec, scaling_efficiency, …".
std::string responseNames();

/// When a response is reported: "always", "with a baseline", "on GPUs".
std::string_view needsWords(Needs needs);

} // namespace quadric::workload
