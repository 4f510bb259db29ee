// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "played_gpu.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

// What the parts of the played runtime share.
namespace quadric::trainer::testing {

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
    std::set<int> priorities; ///< of the streams
    std::map<cudaStream_t, std::vector<Step>> steps;
    std::set<Mark*> marks;
};

struct PlayedGpu {
    std::recursive_mutex mutex;
    Order order = Order::OthersLate;
    std::vector<std::string> violations;
    std::map<std::string, int> calls;
    std::map<const std::byte*, std::size_t> memory, pinned;
    std::set<cudaStream_t> streams;
    bool ncclGetsNoMemory = false;
    cudaError_t lastError = cudaSuccess;
};
PlayedGpu& gpu();
using Lock = std::lock_guard<std::recursive_mutex>;

/// Streams that this thread has made.
std::vector<cudaStream_t> myStreams();
/// Does all work of a stream, and of others as the order demands.
void finishStream(cudaStream_t stream);
/// Does all work of a graph, as often as it is launched.
void replay(const Recording& recording);
void add(cudaStream_t stream, Step step);
/// For calls that reach past streams: nothing may be recorded, and no stream may still work.
void touchesEverything(const char* call);
/// Whether the bytes lie in one piece of the list.
bool contains(const std::map<const std::byte*, std::size_t>& list, const void* begin, std::size_t bytes);

} // namespace quadric::trainer::testing

struct CUstream_st {
    std::thread::id owner = std::this_thread::get_id();
    int priority = 0;
    quadric::trainer::testing::Lane lane;
    std::shared_ptr<quadric::trainer::testing::Recording> recording;
};
struct CUevent_st {
    std::shared_ptr<quadric::trainer::testing::Mark> mark; ///< of the last record
    bool isRecorded = false;                               ///< in a recording: only streams of it may wait
    bool hasTime = false;
    double milliseconds = 0.0; ///< on playedClock()
};
struct CUgraph_st {
    std::shared_ptr<quadric::trainer::testing::Recording> recording;
};
struct CUgraphExec_st {
    std::shared_ptr<quadric::trainer::testing::Recording> recording;
};
