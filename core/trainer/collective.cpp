// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/collective.h"

#include "core/trainer/failure.h"

#include <gloo/allreduce.h>
#include <gloo/config.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>

#include <chrono>

namespace quadric::trainer {

namespace {

/// Peers that die close their connection at once; the time-out is only for peers that were stopped.
constexpr std::chrono::minutes kTimeOut{60};

class LocalCollective : public Collective {
public:
    int rank() const override { return 0; }
    int size() const override { return 1; }
    void sum(std::span<float>) override {}
    void sum(std::span<double>) override {}
};

template <typename Number> void addElements(void* out, const void* left, const void* right, std::size_t count)
{
    auto* sum = static_cast<Number*>(out);
    const auto* a = static_cast<const Number*>(left);
    const auto* b = static_cast<const Number*>(right);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = a[i] + b[i];
}

class GlooCollective : public Collective {
public:
    GlooCollective(int rank, int size, const std::string& rendezvous)
        : m_context(std::make_shared<gloo::rendezvous::Context>(rank, size))
    {
        gloo::transport::tcp::attr attributes("127.0.0.1");
        std::shared_ptr<gloo::transport::Device> device = gloo::transport::tcp::CreateDevice(attributes);
        gloo::rendezvous::FileStore store(rendezvous);
        m_context->connectFullMesh(store, device);
        m_context->setTimeout(kTimeOut);
    }

    int rank() const override { return m_context->rank; }
    int size() const override { return m_context->size; }
    void sum(std::span<float> values) override { allReduce(values); }
    void sum(std::span<double> values) override { allReduce(values); }

private:
    template <typename Number> void allReduce(std::span<Number> values)
    {
        gloo::AllreduceOptions options(m_context);
        options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
        options.setOutput(values.data(), values.size());
        options.setReduceFunction(addElements<Number>);
        try {
            gloo::allreduce(options);
        } catch (const std::exception& error) {
            throw Failure(kCommunication, "rank " + std::to_string(rank()) +
                                              " lost the connection to a peer: " + error.what());
        }
    }

    std::shared_ptr<gloo::rendezvous::Context> m_context;
};

} // namespace

std::unique_ptr<Collective> makeLocalCollective()
{
    return std::make_unique<LocalCollective>();
}

std::unique_ptr<Collective> makeGlooCollective(int rank, int size, const std::string& rendezvous)
{
    try {
        return std::make_unique<GlooCollective>(rank, size, rendezvous);
    } catch (const std::exception& error) {
        throw Failure(kCommunication,
                      "rank " + std::to_string(rank) + " could not reach its peers: " + error.what());
    }
}

std::string glooVersion()
{
    return std::to_string(GLOO_VERSION_MAJOR) + '.' + std::to_string(GLOO_VERSION_MINOR) + '.' +
           std::to_string(GLOO_VERSION_PATCH);
}

} // namespace quadric::trainer
