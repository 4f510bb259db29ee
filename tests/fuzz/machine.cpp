// SPDX-License-Identifier: GPL-3.0-or-later
// What a machine says of itself: lists of processors, /proc/cpuinfo, names of GPUs and their processes, and
// entries of CUDA_VISIBLE_DEVICES. All of it becomes text that JSON can hold.
#include "core/machine/gpu.h"
#include "core/machine/json_text.h"
#include "core/machine/processor.h"
#include "core/machine/record.h"

#include "fuzz.h"

using namespace quadric;

namespace {

void expectValid(const std::string& text)
{
    const std::string json = machine::textOf(nlohmann::ordered_json(text));
    fuzz::expect(nlohmann::json::accept(json), "no JSON text: " + json);
}

void readProcessors(std::string_view text)
{
    const std::vector<int> cpus = machine::parseCpuList(text);
    const std::string list = machine::cpuListText(cpus);
    fuzz::expect(machine::cpuListText(machine::parseCpuList(list)) == list,
                 "a list reads back as another: " + list);
    static const fuzz::Folder root;
    root.write("proc/cpuinfo", text);
    expectValid(machine::readProcessorName(root / "."));
}

void readGpus(const std::string& text)
{
    machine::GpuPart part;
    part.uuid = "MIG-" + text;
    part.name = text;
    machine::Gpu gpu;
    gpu.name = gpu.pciId = text;
    gpu.uuid = "GPU-" + text;
    gpu.processes.resize(1);
    gpu.processes.front().name = text;
    gpu.parts = {part};
    expectValid(machine::describe(gpu));
    expectValid(machine::describeUsers(0, gpu.processes));
    for (const machine::Gpu& visible : machine::visibleGpus({gpu}, text.c_str()))
        expectValid(visible.uuid);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text = fuzz::textOf(data, size);
    readProcessors(text);
    readGpus(std::string(text));
    machine::parseReading(text);
    return 0;
}
