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
    Gpus      ///< GPUs that count their energy
};

/// A quantity that the built-in workload reports.
struct Response {
    std::string_view name = {}; ///< as studies and the worker protocol have it: "step_ms"
    std::string_view title = {};
    std::string_view help = {}; ///< one sentence without its end
    std::string_view unit = {}; ///< empty where there is none
    Aim aim = Aim::Minimize;    ///< the goal that the wizard suggests
    Needs needs = Needs::Nothing;
};

/// All responses of the built-in workload, most used first. core/trainer/result.cpp reports them; the
/// trainer's table, wizard, completions, messages and the table in docs/trainer.md follow.
inline constexpr auto kResponses = std::to_array<Response>({
    {.name = "images_per_sec",
     .title = "Throughput of all ranks",
     .help = "Images of all ranks, divided by the total time of the measured steps of rank 0",
     .unit = "img/s",
     .aim = Aim::Maximize},
    {.name = "scaling_efficiency",
     .title = "Scaling efficiency",
     .help = "Speed of N ranks, divided by N × the speed of one rank alone; 100 % for one rank by definition",
     .unit = "%",
     .aim = Aim::Maximize,
     .needs = Needs::Baseline},
    {.name = "step_ms", .title = "Step time, median", .help = "Median of the measured steps", .unit = "ms"},
    {.name = "step_ms_p95",
     .title = "Step time, 95 % quantile",
     .help = "95 % quantile of the measured steps",
     .unit = "ms"},
    {.name = "comm_exposed_pct",
     .title = "Exposed communication",
     .help = "Share of the step spent waiting for the exchange after the backward pass",
     .unit = "%"},
    {.name = "bytes_per_step",
     .title = "Bytes sent per step",
     .help = "Payload that a rank sends in a step; 2(N − 1)/N × gradient bytes without compression (ring)",
     .unit = "bytes"},
    {.name = "selection_ms",
     .title = "Selection time per step",
     .help = "Time that a compression spends on choosing, packing and unpacking, beside the computing where "
             "overlap is on",
     .unit = "ms"},
    {.name = "memory_peak_mib",
     .title = "Peak memory",
     .help = "Largest memory of all rank processes, or of their GPUs, summed, without the baseline",
     .unit = "MiB"},
    {.name = "loss_end",
     .title = "Final loss",
     .help = "Mean loss of all ranks in the last step; depends on the number of steps",
     .needs = Needs::Training},
    {.name = "joules_per_image",
     .title = "Energy per image",
     .help = "Energy of all GPUs, divided by the images of all ranks",
     .unit = "J/img",
     .needs = Needs::Gpus},
    {.name = "seconds_per_epoch",
     .title = "Time per epoch",
     .help = "dataset_images, divided by the throughput of all ranks",
     .unit = "s"},
    {.name = "cost_per_epoch",
     .title = "Cost per epoch",
     .help = "Time per epoch × ranks × price_per_rank_hour",
     .needs = Needs::Price},
});

/// The response of that name; null where there is none.
const Response* findResponse(std::string_view name);

/// The names of all responses: "images_per_sec, scaling_efficiency, …".
std::string responseNames();

/// When a response is reported: "always", "with a baseline", "on GPUs".
std::string_view needsWords(Needs needs);

} // namespace quadric::workload
