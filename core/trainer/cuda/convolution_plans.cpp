// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/convolution_plans.h"

#include "core/trainer/cuda/communicator.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/gpu/step_plan.h"

#include <algorithm>
#include <limits>
#include <set>
#include <span>

namespace quadric::trainer::cuda {

namespace {

constexpr double kTimedMs = 5.0;
constexpr int kMostRuns = 256; ///< of 20 µs each, as short as a convolution gets
constexpr double kFailed = std::numeric_limits<double>::infinity();

cudnnHandle_t newHandle(const Stream& stream)
{
    cudnnHandle_t handle = nullptr;
    QUADRIC_CHECKED(cudnnCreate(&handle));
    QUADRIC_CHECKED(cudnnSetStream(handle, stream.get()));
    return handle;
}

} // namespace

CudnnHandle::CudnnHandle(const Stream& stream)
    : m_handle(newHandle(stream))
{
}

std::vector<ConvolutionPlan> ConvolutionTimer::proposals(const ConvolutionProblem& problem,
                                                         std::size_t most) const
{
    return proposePlans({m_handle.get()}, problem, most, m_workspaceLimit);
}

PlanChoice ConvolutionTimer::fastest(const ConvolutionProblem& problem,
                                     const ConvolutionTensors& tensors) const
{
    std::vector<ConvolutionPlan> plans = proposals(problem);
    std::string kind = kInternal;
    for (ConvolutionPlan& plan : plans)
        plan.milliseconds = milliseconds(plan, tensors, kind);
    const auto best = std::ranges::min_element(plans, {}, &ConvolutionPlan::milliseconds);
    if (best == plans.end() || best->milliseconds == kFailed)
        throw Failure(kind, "cuDNN has no plan for the convolution " + keyOf(problem));
    return {static_cast<std::size_t>(best - plans.begin()), best->engine};
}

/// Of one run, as the mean over at least kTimedMs; a plan that fails when it runs, or finds no scratch
/// memory, is as slow as can be, and `failure` gets the kind.
double ConvolutionTimer::milliseconds(const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                                      std::string& failure) const
{
    try {
        const DeviceMemory workspace(plan.workspaceBytes);
        execute(m_handle.get(), plan, tensors, workspace.data()); // loads the kernel
        int runs = 1;
        for (;;) {
            const double all = millisecondsOf(runs, plan, tensors, workspace.data());
            if (all >= kTimedMs || runs >= kMostRuns)
                return all / runs;
            runs = std::clamp(static_cast<int>(1.1 * kTimedMs * runs / std::max(all, 1e-6)), runs + 1,
                              kMostRuns);
        }
    } catch (const Failure& thrown) {
        failure = thrown.kind();
        return kFailed;
    }
}

double ConvolutionTimer::millisecondsOf(int runs, const ConvolutionPlan& plan,
                                        const ConvolutionTensors& tensors, void* workspace) const
{
    const Event begin;
    const Event end;
    m_stream.note(begin);
    for (int run = 0; run < runs; ++run)
        execute(m_handle.get(), plan, tensors, workspace);
    m_stream.note(end);
    m_stream.wait();
    return millisecondsBetween(begin, end);
}

namespace {

/// Repeated convolutions once.
std::vector<ConvolutionTask> distinct(const std::vector<ConvolutionTask>& tasks)
{
    std::set<std::string> known;
    std::vector<ConvolutionTask> list;
    for (const ConvolutionTask& task : tasks) {
        if (known.insert(keyOf(task.problem)).second)
            list.push_back(task);
    }
    return list;
}

PlanConditions conditionsHere(const std::string& driver, std::size_t limit)
{
    int device = 0;
    cudaDeviceProp properties{};
    QUADRIC_CHECKED(cudaGetDevice(&device));
    QUADRIC_CHECKED(cudaGetDeviceProperties(&properties, device));
    return {properties.name, driver, std::to_string(cudnnGetVersion()), limit};
}

/// Of one rank, for all: with the memory of the one that has least.
std::size_t agreedLimit(Collective& collective)
{
    return workspaceLimit(std::ranges::min(gatherNumbers(collective, freeBytes())));
}

/// The choices of one run on this rank, and where they come from.
class Chooser {
public:
    Chooser(const ConvolutionTimer& timer, const PlanConditions& conditions, PlanRecord& record)
        : m_timer(timer)
        , m_choices(planChoicesFolder(), conditions)
        , m_record(record)
    {
    }

    std::vector<std::uint64_t> places(const std::vector<ConvolutionTask>& tasks)
    {
        std::vector<std::uint64_t> places;
        for (const ConvolutionTask& task : tasks)
            places.push_back(choose(task).place);
        if (m_record.timed > 0)
            m_choices.save(); // where nobody keeps files, the next run times again
        return places;
    }

private:
    PlanChoice choose(const ConvolutionTask& task)
    {
        const std::string problem = keyOf(task.problem);
        const std::optional<PlanChoice> known = m_choices.find(problem);
        if (known && isProposed(task.problem, *known)) {
            ++m_record.kept;
            return *known;
        }
        const PlanChoice choice = m_timer.fastest(task.problem, task.tensors);
        m_choices.add(problem, choice);
        ++m_record.timed;
        return choice;
    }
    bool isProposed(const ConvolutionProblem& problem, const PlanChoice& choice) const
    {
        if (choice.place >= ConvolutionTimer::kTimedPlans)
            return false;
        const std::vector<ConvolutionPlan> plans = m_timer.proposals(problem, choice.place + 1);
        return plans.size() == choice.place + 1 && plans.back().engine == choice.engine;
    }

    const ConvolutionTimer& m_timer;
    PlanChoices m_choices;
    PlanRecord& m_record;
};

/// What the rank `leader` has chosen, where each rank has places of its own or zeros.
std::vector<std::uint64_t> placesOf(Collective& collective, std::size_t leader,
                                    std::vector<std::uint64_t> mine, std::size_t count)
{
    mine.resize(count);
    std::vector<std::uint64_t> all(count * static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(leader * count);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

ConvolutionPlan planAt(const ConvolutionTimer& timer, const ConvolutionProblem& problem, std::size_t place,
                       int rank)
{
    std::vector<ConvolutionPlan> plans = timer.proposals(problem, place + 1);
    if (plans.size() <= place)
        throw Failure(kInternal, "cuDNN on rank " + std::to_string(rank) + " has " +
                                     std::to_string(plans.size()) + " plans for the convolution " +
                                     keyOf(problem) + ", and another rank chose number " +
                                     std::to_string(place + 1));
    return plans[place];
}

} // namespace

std::size_t ConvolutionPlans::workspaceBytes() const
{
    std::size_t most = 0;
    for (const auto& [problem, plan] : plans)
        most = std::max(most, plan.workspaceBytes);
    return most;
}

ConvolutionPlans choosePlans(const std::vector<ConvolutionTask>& all, const CudnnHandle& handle,
                             const Stream& stream, Collective& collective, const std::string& driver)
{
    ConvolutionPlans chosen;
    const std::vector<ConvolutionTask> tasks = distinct(all);
    const std::size_t limit = agreedLimit(collective);
    const ConvolutionTimer timer(handle, stream, limit);
    const PlanConditions conditions = conditionsHere(driver, limit);
    const std::vector<std::uint64_t> kinds = gatherNumbers(collective, conditions.hash());
    const auto leader = std::ranges::find(kinds, conditions.hash()) - kinds.begin();
    std::vector<std::uint64_t> places;
    if (leader == collective.rank())
        places = Chooser(timer, conditions, chosen.record).places(tasks);
    places = placesOf(collective, static_cast<std::size_t>(leader), places, tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        const std::string key = keyOf(tasks[i].problem);
        const ConvolutionPlan& plan =
            chosen.plans.emplace(key, planAt(timer, tasks[i].problem, places[i], collective.rank()))
                .first->second;
        chosen.record.add(key, plan.engine);
    }
    const std::vector<std::uint64_t> hashes = gatherNumbers(collective, chosen.record.hash);
    chosen.record.areEqualOnAllRanks = std::ranges::count(hashes, hashes.front()) == std::ssize(hashes);
    return chosen;
}

} // namespace quadric::trainer::cuda
