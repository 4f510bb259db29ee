// SPDX-License-Identifier: GPL-3.0-or-later
// Streams, events and graphs of the played GPU. The calls stand before those of the library when the test is
// linked.
#include "played_streams.h"

#include <algorithm>
#include <utility>

using namespace quadric::trainer::testing;

namespace {

bool hasCollective(const Lane& lane)
{
    return std::ranges::any_of(lane, [](const Step& step) { return step.kind == Kind::Collective; });
}

void happens(cudaEvent_t event)
{
    event->hasTime = true;
    event->milliseconds = playedClock();
}

} // namespace

extern "C" {

cudaError_t cudaDeviceGetStreamPriorityRange(int* lowest, int* highest)
{
    *lowest = 0;
    *highest = -5;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority)
{
    if (flags != cudaStreamNonBlocking)
        noteViolation("a stream that waits for the default stream");
    *stream = new CUstream_st;
    (*stream)->priority = priority;
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
    *milliseconds = static_cast<float>(1.0 + end->milliseconds - begin->milliseconds);
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
        enqueue(stream, [event] { happens(event); });
        return cudaSuccess;
    }
    event->mark = mark;
    event->isRecorded = stream->recording != nullptr;
    if (stream->recording)
        stream->recording->marks.insert(mark.get());
    else
        enqueue(stream, [event] { happens(event); });
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
        recording->priorities.insert(each->priority);
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
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags)
{
    if (graph->recording->priorities.size() > 1 && (flags & cudaGraphInstantiateFlagUseNodePriority) == 0)
        noteViolation("a graph of streams with several priorities forgets them");
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
