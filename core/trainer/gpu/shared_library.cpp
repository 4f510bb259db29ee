// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/shared_library.h"

#include <dlfcn.h>

namespace quadric::trainer::cuda {

SharedLibrary::SharedLibrary(const std::string& file)
    : m_handle(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE))
{
    if (m_handle != nullptr)
        return;
    const char* reason = dlerror();
    m_whyNot = reason == nullptr ? file + " cannot be opened" : reason;
}

void* SharedLibrary::find(const char* name) const
{
    return m_handle == nullptr ? nullptr : dlsym(m_handle, name);
}

} // namespace quadric::trainer::cuda
