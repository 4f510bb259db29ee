// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/collective.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/exchange/sum_elements.h"
#include "core/workload/knob_table.h"

#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/config.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>

namespace quadric::trainer {

namespace {

/// Peers that die close their connection at once; the time-out is only for peers that were stopped. All ranks
/// wait while one of them measures the baseline, for as long as a run may take.
constexpr std::chrono::hours kLongestWait{48};
static_assert(std::chrono::duration<double>(kLongestWait).count() >
              workload::knob("max_seconds").values.highest);

class GlooCollective : public Collective {
public:
    GlooCollective(int rank, int size, const Rendezvous& rendezvous)
        : m_context(std::make_shared<gloo::rendezvous::Context>(rank, size))
    {
        gloo::transport::tcp::attr attributes(rendezvous.address.c_str());
        std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attributes);
        gloo::rendezvous::FileStore store(rendezvous.folder);
        m_context->connectFullMesh(store, device);
        m_context->setTimeout(kLongestWait);
    }

    int rank() const override { return m_context->rank; }
    int size() const override { return m_context->size; }
    void sum(std::span<float> values) override { allReduce(values, sumElements<float>); }
    void sum(std::span<double> values) override { allReduce(values, sumElements<double>); }
    void sum(std::span<std::uint16_t> values, WireType type) override
    {
        allReduce(values, selectSumElements(type));
    }
    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        gloo::AllgatherOptions options(m_context);
        // Gloo only reads the input, but asks for a pointer that it could write to.
        options.setInput(const_cast<std::byte*>(mine.data()), mine.size());
        options.setOutput(all.data(), all.size());
        guarded([&] { gloo::allgather(options); });
        m_bytesSent += mine.size() * static_cast<std::size_t>(size() - 1);
    }
    std::uint64_t bytesSent() const override { return m_bytesSent; }

private:
    template <typename Number> void allReduce(std::span<Number> values, SumElements reduce)
    {
        gloo::AllreduceOptions options(m_context);
        options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
        options.setOutput(values.data(), values.size());
        options.setReduceFunction(reduce);
        guarded([&] { gloo::allreduce(options); });
        const auto ranks = static_cast<std::size_t>(size());
        m_bytesSent += 2 * (ranks - 1) * values.size_bytes() / ranks;
    }

    template <typename Operation> void guarded(const Operation& operation) const
    {
        try {
            operation();
        } catch (const std::exception& error) {
            throw Failure(kCommunication, "rank " + std::to_string(rank()) +
                                              " lost the connection to a peer: " + error.what());
        }
    }

    std::shared_ptr<gloo::rendezvous::Context> m_context;
    std::uint64_t m_bytesSent = 0;
};

} // namespace

std::unique_ptr<Collective> makeCollective(int rank, int size, const Rendezvous& rendezvous)
{
    try {
        return std::make_unique<GlooCollective>(rank, size, rendezvous);
    } catch (const std::exception& error) {
        throw Failure(kCommunication,
                      "rank " + std::to_string(rank) + " could not reach its peers: " + error.what());
    }
}

std::string collectiveLibrary()
{
    return "Gloo " + std::to_string(GLOO_VERSION_MAJOR) + '.' + std::to_string(GLOO_VERSION_MINOR) + '.' +
           std::to_string(GLOO_VERSION_PATCH);
}

} // namespace quadric::trainer
