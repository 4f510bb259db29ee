// SPDX-License-Identifier: GPL-3.0-or-later
// Whatever the store of approvals holds: it approves nothing that its user did not, and its content can be
// shown.
#include "core/run/recipe/approval.h"

#include "fuzz.h"

using namespace quadric;

namespace {

study::Study commandStudy()
{
    study::Study study;
    study.benchmark.workload = "command";
    study.benchmark.argv = {"/bin/echo", "{x}"};
    study.factors = {{.name = "x"}};
    return study;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fuzz::Folder folder;
    ::setenv("XDG_CONFIG_HOME", (folder / "config").c_str(), 1);
    const std::string_view text = fuzz::textOf(data, size);
    folder.write("config/quadric/approvals.json", text);
    const study::Study study = commandStudy();
    const run::ApprovalRequest request(study, "/x/s.quadric");
    const bool isMentioned = text.find("/bin/echo") != text.npos || text.find('\\') != text.npos;
    fuzz::expect(!request.isApproved() || isMentioned, "approved without its command");
    request.question();
    return 0;
}
