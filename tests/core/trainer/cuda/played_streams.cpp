// SPDX-License-Identifier: GPL-3.0-or-later
#include "played_streams.h"

#include <algorithm>
#include <cstdlib>

namespace quadric::trainer::testing {

PlayedGpu& gpu()
{
    static PlayedGpu one;
    return one;
}

std::vector<cudaStream_t> myStreams()
{
    const Lock lock(gpu().mutex);
    std::vector<cudaStream_t> mine;
    for (const cudaStream_t stream : gpu().streams) {
        if (stream->owner == std::this_thread::get_id())
            mine.push_back(stream);
    }
    return mine;
}

namespace {

/// Lanes that are worked off together.
class Lanes {
public:
    explicit Lanes(std::vector<Lane*> lanes)
        : m_lanes(std::move(lanes))
    {
    }

    /// Until this one is empty.
    void finish(Lane& lane)
    {
        while (!lane.empty()) {
            if (gpu().order == Order::OthersEarly)
                pushOthers(lane);
            advance(lane);
        }
        if (gpu().order == Order::OthersEarly)
            pushOthers(lane);
    }

private:
    static bool isBlocked(const Lane& lane)
    {
        return lane.empty() || (lane.front().kind == Kind::Wait && !lane.front().mark->isReached);
    }
    void pushOthers(const Lane& lane)
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (Lane* other : m_lanes) {
                while (other != &lane && !isBlocked(*other)) {
                    pop(*other);
                    moved = true;
                }
            }
        }
    }
    /// One step; a wait first lets that lane go on which holds the mark.
    void advance(Lane& lane)
    {
        if (!isBlocked(lane)) {
            pop(lane);
            return;
        }
        const std::shared_ptr<Mark> wanted = lane.front().mark;
        for (Lane* other : m_lanes) {
            const auto holds = [&](const Step& step) {
                return step.kind == Kind::Mark && step.mark == wanted;
            };
            if (other == &lane || std::ranges::none_of(*other, holds))
                continue;
            while (!wanted->isReached)
                advance(*other);
            return;
        }
        noteViolation("a stream waits for an event that nobody will reach");
        wanted->isReached = true;
    }
    static void pop(Lane& lane)
    {
        const Step step = lane.front();
        lane.pop_front();
        if (step.kind == Kind::Mark)
            step.mark->isReached = true;
        else if (step.work)
            step.work();
    }

    std::vector<Lane*> m_lanes;
};

} // namespace

void finishStream(cudaStream_t stream)
{
    std::vector<Lane*> lanes;
    for (const cudaStream_t each : myStreams())
        lanes.push_back(&each->lane);
    Lanes(lanes).finish(stream->lane);
}

void replay(const Recording& recording)
{
    for (Mark* mark : recording.marks)
        mark->isReached = false;
    std::deque<Lane> lanes;
    std::vector<Lane*> pointers;
    for (const cudaStream_t stream : recording.streams) {
        const std::vector<Step>& steps = recording.steps.at(stream);
        lanes.emplace_back(steps.begin(), steps.end());
        pointers.push_back(&lanes.back());
    }
    Lanes together(pointers);
    for (Lane* lane : pointers)
        together.finish(*lane);
}

void add(cudaStream_t stream, Step step)
{
    if (stream->recording)
        stream->recording->steps[stream].push_back(std::move(step));
    else
        stream->lane.push_back(std::move(step));
}

namespace {

bool isRecording()
{
    return std::ranges::any_of(myStreams(), [](cudaStream_t stream) { return stream->recording != nullptr; });
}

} // namespace

void touchesEverything(const char* call)
{
    mustNotRecord(call);
    for (const cudaStream_t stream : myStreams()) {
        if (!stream->lane.empty())
            noteViolation(std::string(call) + " while work waits in a stream that it does not wait for");
    }
}

bool contains(const std::map<const std::byte*, std::size_t>& list, const void* begin, std::size_t bytes)
{
    const auto* from = static_cast<const std::byte*>(begin);
    auto piece = list.upper_bound(from);
    if (piece == list.begin())
        return false;
    --piece;
    return from + bytes <= piece->first + piece->second;
}

void newPlayedGpu(Order order)
{
    PlayedGpu& g = gpu();
    const Lock lock(g.mutex);
    g.order = order;
    g.violations.clear();
    g.calls.clear();
    g.ncclGetsNoMemory = false;
    g.lastError = cudaSuccess;
    setenv("XDG_CACHE_HOME", "/proc/nowhere", 1); // choices of plans are not for the user's cache
}
std::function<double(int)>& engineMilliseconds()
{
    static thread_local std::function<double(int)> milliseconds = [](int) { return 5.0; };
    return milliseconds;
}
double& playedClock()
{
    static thread_local double clock = 0.0;
    return clock;
}
std::vector<std::string> violations()
{
    const Lock lock(gpu().mutex);
    return gpu().violations;
}
void noteViolation(const std::string& what)
{
    const Lock lock(gpu().mutex);
    if (std::ranges::find(gpu().violations, what) == gpu().violations.end())
        gpu().violations.push_back(what);
}
int callsOf(const std::string& name)
{
    const Lock lock(gpu().mutex);
    return gpu().calls[name];
}
void countCall(const std::string& name)
{
    const Lock lock(gpu().mutex);
    ++gpu().calls[name];
}
namespace {

/// What this thread, the process of a rank, knows of others.
struct Peers {
    bool areLost = false, lossIsReported = false;
};
Peers& peers()
{
    static thread_local Peers mine;
    return mine;
}

} // namespace

void loseTheOtherRanks(bool isReported)
{
    peers() = {true, isReported};
}
void denyMemoryToNccl()
{
    gpu().ncclGetsNoMemory = true;
}
bool ncclGetsNoMemory()
{
    return gpu().ncclGetsNoMemory;
}
bool othersAreLost()
{
    return peers().areLost;
}
bool lossIsReported()
{
    return peers().lossIsReported;
}
std::vector<std::string>& endOfExchange()
{
    static thread_local std::vector<std::string> end;
    return end;
}
void dropWork()
{
    for (const cudaStream_t stream : myStreams())
        stream->lane.clear();
}
void enqueue(cudaStream_t stream, std::function<void()> work)
{
    add(stream, {Kind::Work, std::move(work), nullptr});
}
void enqueueCollective(cudaStream_t stream, std::function<void()> work)
{
    add(stream, {Kind::Collective, std::move(work), nullptr});
}
void mustNotRecord(const char* call)
{
    if (isRecording())
        noteViolation(std::string(call) + " while a graph is recorded");
}
bool isDeviceMemory(const void* begin, std::size_t bytes)
{
    const Lock lock(gpu().mutex);
    return contains(gpu().memory, begin, bytes);
}

} // namespace quadric::trainer::testing
