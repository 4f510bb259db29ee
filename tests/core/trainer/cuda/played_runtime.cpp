// SPDX-License-Identifier: GPL-3.0-or-later
// CUDA's runtime of the played GPU. The calls stand before those of the library when the test is linked.
#include "played_gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

namespace quadric::trainer::testing {

namespace {

enum class Kind { Work, Collective, Mark, Wait };

/// A place in a stream that others wait for.
struct Mark {
    bool isReached = false;
};

struct Step {
    Kind kind = Kind::Work;
    std::function<void()> work;
    std::shared_ptr<Mark> mark;
};

using Lane = std::deque<Step>;

/// What is recorded from a stream and those that joined it, by stream; the first one began.
struct Recording {
    std::vector<cudaStream_t> streams;
    std::map<cudaStream_t, std::vector<Step>> steps;
    std::set<Mark*> marks;
};

} // namespace

} // namespace quadric::trainer::testing

using namespace quadric::trainer::testing;

struct CUstream_st {
    std::thread::id owner = std::this_thread::get_id();
    Lane lane;
    std::shared_ptr<Recording> recording;
};
struct CUevent_st {
    std::shared_ptr<Mark> mark; ///< of the last record
    bool isRecorded = false;    ///< in a recording: only streams of it may wait
    bool hasTime = false;
};
struct CUgraph_st {
    std::shared_ptr<Recording> recording;
};
struct CUgraphExec_st {
    std::shared_ptr<Recording> recording;
};

namespace quadric::trainer::testing {

namespace {

struct PlayedGpu {
    std::recursive_mutex mutex;
    Order order = Order::OthersLate;
    std::vector<std::string> violations;
    std::map<std::string, int> calls;
    std::map<const std::byte*, std::size_t> memory, pinned;
    std::set<cudaStream_t> streams;
    bool othersAreLost = false, lossIsReported = false;
    cudaError_t lastError = cudaSuccess;
};

PlayedGpu& gpu()
{
    static PlayedGpu one;
    return one;
}

using Lock = std::lock_guard<std::recursive_mutex>;

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

void finishStream(cudaStream_t stream)
{
    std::vector<Lane*> lanes;
    for (const cudaStream_t each : myStreams())
        lanes.push_back(&each->lane);
    Lanes(lanes).finish(stream->lane);
}

bool hasCollective(const Lane& lane)
{
    return std::ranges::any_of(lane, [](const Step& step) { return step.kind == Kind::Collective; });
}

/// All work of a graph, as often as it is launched.
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

bool isRecording()
{
    return std::ranges::any_of(myStreams(), [](cudaStream_t stream) { return stream->recording != nullptr; });
}

/// Calls that reach past streams: nothing may be recorded, and no stream may still use what they touch.
void touchesEverything(const char* call)
{
    mustNotRecord(call);
    for (const cudaStream_t stream : myStreams()) {
        if (!stream->lane.empty())
            noteViolation(std::string(call) + " while work waits in a stream that it does not wait for");
    }
}

cudaError_t takeMemory(void** memory, std::size_t bytes, std::map<const std::byte*, std::size_t>& list)
{
    constexpr std::size_t kAlignment = 256;
    const Lock lock(gpu().mutex);
    *memory = std::aligned_alloc(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    std::memset(*memory, 0xff, bytes); // NaN: fresh memory holds anything
    list[static_cast<std::byte*>(*memory)] = bytes;
    return cudaSuccess;
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

void copyInStream(void* to, const void* from, std::size_t bytes, cudaStream_t stream)
{
    for (const void* place : {static_cast<const void*>(to), from}) {
        const bool isPinned = contains(gpu().pinned, place, bytes);
        if (!isDeviceMemory(place, bytes) && !isPinned && stream->recording)
            noteViolation("a graph copies from or to memory that is not pinned");
    }
    enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}

} // namespace

void newPlayedGpu(Order order)
{
    PlayedGpu& g = gpu();
    const Lock lock(g.mutex);
    g.order = order;
    g.violations.clear();
    g.calls.clear();
    g.othersAreLost = g.lossIsReported = false;
    g.lastError = cudaSuccess;
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
void loseTheOtherRanks(bool isReported)
{
    gpu().othersAreLost = true;
    gpu().lossIsReported = isReported;
}
bool othersAreLost()
{
    return gpu().othersAreLost;
}
bool lossIsReported()
{
    return gpu().lossIsReported;
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

extern "C" {

cudaError_t cudaMalloc(void** memory, std::size_t bytes)
{
    mustNotRecord("cudaMalloc");
    return takeMemory(memory, bytes, gpu().memory);
}
cudaError_t cudaFree(void* memory)
{
    touchesEverything("cudaFree");
    endOfExchange().emplace_back("memory freed");
    const Lock lock(gpu().mutex);
    gpu().memory.erase(static_cast<std::byte*>(memory));
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMallocHost(void** memory, std::size_t bytes)
{
    mustNotRecord("cudaMallocHost");
    return takeMemory(memory, bytes, gpu().pinned);
}
cudaError_t cudaFreeHost(void* memory)
{
    touchesEverything("cudaFreeHost");
    const Lock lock(gpu().mutex);
    gpu().pinned.erase(static_cast<std::byte*>(memory));
    std::free(memory);
    return cudaSuccess;
}
cudaError_t cudaMemset(void* memory, int value, std::size_t bytes)
{
    touchesEverything("cudaMemset");
    if (!isDeviceMemory(memory, bytes))
        noteViolation("cudaMemset beyond a piece of memory");
    std::memset(memory, value, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind)
{
    touchesEverything("cudaMemcpy");
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream)
{
    copyInStream(to, from, bytes, stream);
    return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream)
{
    if (!isDeviceMemory(memory, bytes))
        noteViolation("cudaMemsetAsync beyond a piece of memory");
    enqueue(stream, [=] { std::memset(memory, value, bytes); });
    return cudaSuccess;
}
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    const Lock lock(gpu().mutex);
    std::size_t used = 0;
    for (const auto& [place, bytes] : gpu().memory)
        used += bytes;
    *total = std::size_t{80} << 30;
    *free = *total - used;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceCount(int* count)
{
    *count = 2;
    return cudaSuccess;
}
thread_local int currentDevice = 0;
cudaError_t cudaSetDevice(int device)
{
    currentDevice = device;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int)
{
    std::strcpy(properties->name, "played GPU");
    return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device)
{
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version)
{
    *version = 13000;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest)
{
    *lowest = 0;
    *highest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int)
{
    if (flags != cudaStreamNonBlocking)
        noteViolation("a stream that waits for the default stream");
    *stream = new CUstream_st;
    const Lock lock(gpu().mutex);
    gpu().streams.insert(*stream);
    return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    const Lock lock(gpu().mutex);
    gpu().streams.erase(stream);
    delete stream;
    return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize()
{
    mustNotRecord("cudaDeviceSynchronize");
    for (const cudaStream_t stream : myStreams())
        finishStream(stream);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    mustNotRecord("cudaStreamSynchronize");
    if (hasCollective(stream->lane) && othersAreLost())
        noteViolation("waits without end for ranks that are gone");
    finishStream(stream);
    return cudaSuccess;
}
/// Not ready the first time, as a GPU that has just got work.
cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    mustNotRecord("cudaStreamQuery");
    countCall("cudaStreamQuery");
    if (othersAreLost() || callsOf("cudaStreamQuery") % 2 == 1) {
        gpu().lastError = cudaErrorNotReady;
        return cudaErrorNotReady;
    }
    finishStream(stream);
    return cudaSuccess;
}
cudaError_t cudaPeekAtLastError()
{
    return gpu().lastError;
}
cudaError_t cudaGetLastError()
{
    return std::exchange(gpu().lastError, cudaSuccess);
}
const char* cudaGetErrorString(cudaError_t)
{
    return "of the played GPU";
}

cudaError_t cudaEventCreate(cudaEvent_t* event)
{
    *event = new CUevent_st;
    return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end)
{
    if (!begin->hasTime || !end->hasTime)
        noteViolation("the time between events that have not happened");
    *milliseconds = 1.0F;
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags)
{
    const bool isExternal = (flags & cudaEventRecordExternal) != 0;
    if (isExternal && !stream->recording)
        noteViolation("an external record outside of a graph");
    const auto mark = std::make_shared<Mark>();
    event->hasTime = false;
    if (isExternal) {
        enqueue(stream, [event] { event->hasTime = true; });
        return cudaSuccess;
    }
    event->mark = mark;
    event->isRecorded = stream->recording != nullptr;
    if (stream->recording)
        stream->recording->marks.insert(mark.get());
    else
        enqueue(stream, [event] { event->hasTime = true; });
    add(stream, {Kind::Mark, {}, mark});
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned)
{
    if (!event->mark) {
        noteViolation("a stream waits for an event that was never recorded");
        return cudaSuccess;
    }
    if (event->isRecorded && !stream->recording) {
        for (const cudaStream_t each : myStreams()) {
            if (each->recording && each->recording->marks.contains(event->mark.get()))
                stream->recording = each->recording;
        }
        if (!stream->recording) {
            noteViolation("a stream waits for an event of a graph");
            return cudaSuccess;
        }
        stream->recording->streams.push_back(stream);
    }
    if (stream->recording && !stream->recording->marks.contains(event->mark.get()))
        noteViolation("a graph waits for an event from outside");
    add(stream, {Kind::Wait, {}, event->mark});
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    *status = stream->recording ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    if (mode == cudaStreamCaptureModeGlobal)
        noteViolation("a global recording, which threads of NCCL break");
    stream->recording = std::make_shared<Recording>();
    stream->recording->streams.push_back(stream);
    return cudaSuccess;
}
/// Every stream that joined must have been waited for after its last work.
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    const std::shared_ptr<Recording> recording = stream->recording;
    std::set<Mark*> awaited;
    for (const auto& [each, steps] : recording->steps) {
        for (const Step& step : steps) {
            if (step.kind == Kind::Wait)
                awaited.insert(step.mark.get());
        }
    }
    for (const cudaStream_t each : recording->streams) {
        each->recording = nullptr;
        recording->steps.try_emplace(each);
        const std::vector<Step>& steps = recording->steps[each];
        const bool isJoined =
            !steps.empty() && steps.back().kind == Kind::Mark && awaited.contains(steps.back().mark.get());
        if (each != stream && !isJoined)
            noteViolation("a graph ends while a stream of it was not joined");
    }
    *graph = new CUgraph_st{recording};
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long)
{
    countCall("cudaGraphInstantiate");
    *executable = new CUgraphExec_st{graph->recording};
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable)
{
    endOfExchange().emplace_back("graph destroyed");
    delete executable;
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream)
{
    countCall("cudaGraphLaunch");
    const std::shared_ptr<Recording> recording = executable->recording;
    const bool needsOthers = std::ranges::any_of(recording->steps, [](const auto& lane) {
        return std::ranges::any_of(lane.second,
                                   [](const Step& step) { return step.kind == Kind::Collective; });
    });
    add(stream, {needsOthers ? Kind::Collective : Kind::Work, [recording] { replay(*recording); }, nullptr});
    return cudaSuccess;
}
}
