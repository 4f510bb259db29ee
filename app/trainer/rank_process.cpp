// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_ranks.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/measure/rank_session.h"

#include <new>

namespace quadric::app {

namespace {

void computeAsRank(const Options& options)
{
    const trainer::RankPlace& place = *options.place;
    const trainer::Workload workload = readWorkload(options);
    const std::unique_ptr<trainer::Collective> collective =
        workload.ranks == 1
            ? trainer::makeLocalCollective()
            : trainer::makeCollective(place.rank, workload.ranks, {.folder = place.rendezvous});
    const auto report = [](const nlohmann::json& event) { trainer::printEvent(event); };
    trainer::RankSession(workload, *collective, place.started, report).run();
}

int fail(const std::string& kind, const std::string& message)
{
    trainer::printEvent(trainer::failureEvent(kind, message));
    return 1;
}

} // namespace

int runRank(const Options& options)
{
    try {
        computeAsRank(options);
        return 0;
    } catch (const trainer::Failure& failure) {
        return fail(failure.kind(), failure.what());
    } catch (const std::bad_alloc&) {
        return fail(trainer::kOutOfMemory, "a rank could not get the memory that it needs");
    } catch (const std::exception& error) {
        return fail(trainer::kInternal, error.what());
    }
}

} // namespace quadric::app
