// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/ready_recipes.h"

#include "core/run/proposal/command_line.h"
#include "core/run/proposal/pattern_proposal.h"
#include "core/run/recipe/recipe.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace quadric::run {

namespace {

using Arguments = std::vector<std::string>;

bool hasWord(const std::string& name, std::string_view word)
{
    const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(name.begin(), name.end(), word.begin(), word.end(), isSame) != name.end();
}

template <std::size_t n> bool hasAny(const std::string& name, const std::array<std::string_view, n>& words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return hasWord(name, word); });
}

/// The factor that sets how many processes run; null where none does.
const study::Factor* rankFactor(const study::Study& study)
{
    constexpr std::array<std::string_view, 4> words = {"gpu", "rank", "worker", "proc"};
    const auto bound = std::ranges::find(study.factors, "ranks", &study::Factor::binds);
    if (bound != study.factors.end())
        return &*bound;
    const auto named = std::ranges::find_if(study.factors, [&](const study::Factor& factor) {
        return factor.isNumeric() && hasAny(factor.name, words) && !hasWord(factor.name, "per");
    });
    return named == study.factors.end() ? nullptr : &*named;
}

std::string placeholder(const std::string& name)
{
    return "{" + name + "}";
}

std::string placeholderOr(const study::Factor* factor, const char* otherwise)
{
    return factor ? placeholder(factor->name) : otherwise;
}

bool isMentioned(const Arguments& argv, const std::string& name)
{
    return std::ranges::any_of(argv, [&name](const std::string& argument) {
        const std::vector<std::string> names = placeholdersOf(argument);
        return std::ranges::find(names, name) != names.end();
    });
}

/// `--name value` for every factor that the command does not mention, but one.
void addFactors(const study::Study& study, const study::Factor* without, Arguments& argv)
{
    for (const study::Factor& factor : study.factors) {
        if (&factor != without && !isMentioned(argv, factor.name))
            argv.insert(argv.end(), {"--" + factor.name, placeholder(factor.name)});
    }
}

/// What the user has typed, without the program that starts it: the script and its arguments. Empty where
/// nothing was typed, or where no script is named.
Arguments typedScript(const study::Study& study)
{
    const Arguments& argv = study.benchmark.argv;
    const std::size_t script = study.benchmark.workload == "command" ? findScript(argv) : argv.size();
    return {argv.begin() + static_cast<std::ptrdiff_t>(script), argv.end()};
}

/// Patterns and files that were typed stay.
study::ParseSpec preferTyped(const study::ParseSpec& typed, const study::ParseSpec& otherwise)
{
    const bool hasPatterns =
        std::ranges::any_of(typed.patterns, [](const auto& pattern) { return !pattern.second.empty(); });
    return hasPatterns || !typed.file.empty() ? typed : otherwise;
}

ReadyRecipe recipe(const study::Study& study, const char* name, const char* what, Arguments argv,
                   study::ParseSpec parse)
{
    ReadyRecipe made{name, what, study.benchmark};
    made.made.workload = "command";
    made.made.argv = std::move(argv);
    made.made.parse = std::move(parse);
    return made;
}

/// The launcher before what was typed, or before a script with the usual name.
ReadyRecipe makeLauncherRecipe(const study::Study& study, const char* name, const char* what,
                               Arguments launcher, const char* usualScript)
{
    Arguments typed = typedScript(study);
    const bool isOther =
        typed.empty() && !study.benchmark.argv.empty() && study.benchmark.workload == "command";
    if (isOther) // "python3 -m module"
        typed = study.benchmark.argv;
    if (typed.empty())
        typed.emplace_back(usualScript);
    launcher.insert(launcher.end(), typed.begin(), typed.end());
    addFactors(study, rankFactor(study), launcher);
    return recipe(study, name, what, std::move(launcher),
                  preferTyped(study.benchmark.parse, {.kind = study::ParseSpec::Kind::LastJson}));
}

ReadyRecipe torchrun(const study::Study& study)
{
    return makeLauncherRecipe(
        study, "torchrun",
        "Starts train.py, or the script that is named, on the GPUs of this machine; results are the "
        "last JSON object that it prints, unless patterns are given.",
        {"torchrun", "--standalone", "--nproc_per_node=" + placeholderOr(rankFactor(study), "1")},
        "train.py");
}

Arguments torchrunHere(const study::Study& study)
{
    return {"torchrun", "--standalone", "--nproc_per_node=" + placeholderOr(rankFactor(study), "1")};
}

/// A script that speaks the worker protocol: its settings reach it without being arguments.
ReadyRecipe spoken(const study::Study& study, const char* name, const char* what, Arguments argv)
{
    return recipe(study, name, what, std::move(argv), preferTyped(study.benchmark.parse, {}));
}

ReadyRecipe measuredScript(const study::Study& study)
{
    const Arguments typed = typedScript(study);
    Arguments argv = startedByWorker(typed.empty() ? "train_gpt.py" : typed.front());
    if (const study::Factor* ranks = rankFactor(study))
        argv.insert(argv.begin() + 2, {"--ranks", placeholder(ranks->name)});
    if (!typed.empty())
        argv.insert(argv.end(), typed.begin() + 1, typed.end());
    return spoken(
        study, "PyTorch with quadric_worker.py",
        "Starts a script that imports quadric_worker.py, which measures its loop with warm-up, stop rule and "
        "intervals. quadric workload init DIR copies it and the example train_gpt.py.",
        std::move(argv));
}

ReadyRecipe torchWorkload(const study::Study& study)
{
    return spoken(
        study, "quadric-torch",
        "Trains a GPT, Llama, BERT, ViT or ResNet in PyTorch on synthetic data; factors and fixed settings "
        "have its names (network, micro_batch, precision, …). quadric workload init DIR copies it.",
        {"python3", "quadric_torch.py", "--ranks", placeholderOr(rankFactor(study), "1")});
}

/// What a shell must find out: the nodes of the job are only known in it. Factors stay arguments ("$@").
ReadyRecipe torchrunOnNodes(const study::Study& study)
{
    constexpr const char* script =
        "exec srun --ntasks-per-node=1 --gpu-bind=none --kill-on-bad-exit=1 torchrun "
        "--nnodes=\"$SLURM_NNODES\" --nproc_per_node=gpu --rdzv_backend=c10d --rdzv_id=\"$SLURM_JOB_ID\" "
        "--rdzv_endpoint=\"$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1):29500\" \"$@\"";
    return makeLauncherRecipe(
        study, "torchrun on several nodes",
        "Starts torchrun once on each node of the run's Slurm job, for all GPUs there; results are the "
        "last JSON object that train.py prints, unless patterns are given.",
        {"bash", "-c", script, "torchrun"}, "train.py");
}

ReadyRecipe accelerate(const study::Study& study)
{
    return makeLauncherRecipe(
        study, "accelerate",
        "Starts train.py, or the script that is named, by Hugging Face Accelerate; results are the "
        "last JSON object that it prints, unless patterns are given.",
        {"accelerate", "launch", "--num_processes=" + placeholderOr(rankFactor(study), "1")}, "train.py");
}

/// A launcher and a script that prints its speed as the tool does.
ReadyRecipe printedBy(Tool tool, const study::Study& study, ReadyRecipe made)
{
    made.made.parse = preferTyped(study.benchmark.parse, toolPatterns(tool, study));
    return made;
}

ReadyRecipe deepSpeed(const study::Study& study)
{
    return printedBy(
        Tool::DeepSpeed, study,
        makeLauncherRecipe(
            study, "DeepSpeed",
            "Starts train.py, or the script that is named, by deepspeed; results are the samples "
            "per second and the memory that its throughput timer prints.",
            {"deepspeed", "--num_gpus=" + placeholderOr(rankFactor(study), "1")}, "train.py"));
}

/// Its arguments have hyphens where names of factors have underscores.
ReadyRecipe megatronLm(const study::Study& study)
{
    ReadyRecipe made = printedBy(
        Tool::MegatronLm, study,
        makeLauncherRecipe(
            study, "Megatron-LM",
            "Starts pretrain_gpt.py on the GPUs of this machine; results are the time per iteration, the "
            "TFLOP/s and the loss of its last log line (--log-throughput, --log-interval).",
            torchrunHere(study), "pretrain_gpt.py"));
    for (std::string& argument : made.made.argv) {
        const bool isFactor = argument.starts_with("--") && study::findFactor(study, argument.substr(2));
        if (isFactor)
            std::ranges::replace(argument, '_', '-');
    }
    return made;
}

ReadyRecipe huggingFaceTrainer(const study::Study& study)
{
    return printedBy(Tool::HuggingFaceTrainer, study,
                     makeLauncherRecipe(
                         study, "Hugging Face Trainer",
                         "Starts train.py, or the script that is named, on the GPUs of this machine; results "
                         "are the speeds and the loss that the Trainer prints at its end.",
                         torchrunHere(study), "train.py"));
}

ReadyRecipe lightning(const study::Study& study)
{
    return printedBy(Tool::Lightning, study,
                     makeLauncherRecipe(
                         study, "Lightning",
                         "Starts train.py, or the script that is named; results are the steps per second of "
                         "Lightning's last progress bar.",
                         {"python3"}, "train.py"));
}

constexpr const char* kModel = "Qwen/Qwen3-0.6B";

ReadyRecipe vllmThroughput(const study::Study& study)
{
    Arguments argv = {"vllm", "bench", "throughput", "--model", kModel};
    addFactors(study, nullptr, argv);
    return recipe(
        study, "vllm bench throughput",
        "Measures vLLM without a server; results are the requests and tokens per second that it prints.",
        std::move(argv), toolPatterns(Tool::VllmThroughput, study));
}

/// Factors are options of the server; bash ends it with the run.
ReadyRecipe vllmServe(const study::Study& study)
{
    constexpr const char* script =
        "model=$1; shift; trap 'kill $server 2>/dev/null; wait $server' EXIT; "
        "vllm serve \"$model\" --port 8000 \"$@\" >&2 & server=$!; "
        "until curl -sf http://127.0.0.1:8000/health >/dev/null; do kill -0 $server || exit 1; sleep 1; "
        "done; "
        "vllm bench serve --model \"$model\" --port 8000 --dataset-name random --num-prompts 200";
    Arguments argv = {"bash", "-c", script, "vllm", kModel};
    addFactors(study, nullptr, argv);
    return recipe(
        study, "vllm bench serve",
        "Starts a vLLM server with the factors as its options, waits for it, measures it and stops it; "
        "results are the throughputs and latencies that the benchmark prints.",
        std::move(argv), toolPatterns(Tool::VllmServe, study));
}

ReadyRecipe slurmScript(const study::Study& study)
{
    // All tasks see all GPUs: one that is confined to its own cannot open the memory of its peers.
    const std::string tasks = placeholderOr(rankFactor(study), "1");
    Arguments launcher = {"srun", "--ntasks=" + tasks, "--gpus=" + tasks, "--gpu-bind=none"};
    const Arguments& argv = study.benchmark.argv;
    if (!typedScript(study).empty() && isInterpreter(argv.front()) && !argv.front().ends_with("torchrun"))
        launcher.push_back(argv.front());
    return makeLauncherRecipe(
        study, "Slurm script",
        "Runs job.sh, or the script that is named, in an allocation of Slurm and waits for it. "
        "Every task sees "
        "all GPUs of its node and takes the one numbered SLURM_LOCALID; results are the last "
        "JSON object that "
        "it prints, unless patterns are given.",
        std::move(launcher), "./job.sh");
}

ReadyRecipe doehelperScript(const study::Study& study)
{
    const std::string file = "result_{run_id}.json";
    Arguments argv = study.benchmark.workload == "command" ? study.benchmark.argv : Arguments();
    if (argv.empty())
        argv.emplace_back("./run.sh");
    addFactors(study, nullptr, argv);
    if (std::ranges::find(argv, file) == argv.end())
        argv.insert(argv.end(), {"--out", file});
    return recipe(
        study, "doehelper-style script",
        "Starts run.sh, or the program that is named, with every factor and the file that it writes; "
        "results are in that JSON file.",
        std::move(argv), {.kind = study::ParseSpec::Kind::File, .file = file});
}

/// nccl-tests prints a line for each size (bytes, count, type, operation, root, time in µs, algorithm and bus
/// bandwidth in GB/s, …) and the average bus bandwidth at the end.
std::string ncclPattern(const std::string& response)
{
    constexpr const char* line = R"(^\s*\d+\s+\d+\s+\w+\s+\w+\s+-?\d+\s+)";
    constexpr std::array<std::string_view, 3> times = {"time", "latency", "_us"};
    if (hasAny(response, times))
        return std::string(line) + "([0-9.]+)";
    if (hasWord(response, "alg"))
        return std::string(line) + R"([0-9.]+\s+([0-9.]+))";
    return R"(# Avg bus bandwidth\s*:\s*([0-9.]+))";
}

ReadyRecipe ncclTests(const study::Study& study)
{
    constexpr std::array<std::string_view, 3> words = {"size", "byte", "mib"};
    const auto size = std::ranges::find_if(study.factors, [&](const study::Factor& factor) {
        return factor.isNumeric() && hasAny(factor.name, words);
    });
    const study::Factor* sized = size == study.factors.end() ? nullptr : &*size;
    std::string bytes = placeholderOr(sized, "64M");
    if (sized && (hasWord(sized->name, "mib") || hasWord(sized->unit, "mib")))
        bytes += "M";
    ReadyRecipe made = recipe(
        study, "nccl-tests",
        "Measures all_reduce_perf at one message size; results are the bandwidths and times that it prints.",
        {"all_reduce_perf", "-g", placeholderOr(rankFactor(study), "2"), "-b", bytes, "-e", bytes},
        {.kind = study::ParseSpec::Kind::Regex});
    for (const study::Response& response : study.responses)
        made.made.parse.patterns[response.name] = ncclPattern(response.name);
    return made;
}

} // namespace

std::vector<ReadyRecipe> readyRecipes(const study::Study& study)
{
    return {torchrun(study),        measuredScript(study), torchWorkload(study), torchrunOnNodes(study),
            accelerate(study),      deepSpeed(study),      megatronLm(study),    huggingFaceTrainer(study),
            lightning(study),       vllmThroughput(study), vllmServe(study),     slurmScript(study),
            doehelperScript(study), ncclTests(study)};
}

} // namespace quadric::run
