// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/visible_buffer.h"

#include "core/text/visible_text.h"

#include <cerrno>

#include <unistd.h>

namespace quadric::app {

namespace {

constexpr std::size_t kMostUnsent = std::size_t{1} << 16;

/// Bytes of `text` without a code point at its end that is still to be completed (UTF-8).
std::size_t wholeSize(std::string_view text)
{
    constexpr std::size_t kLongestRest = 3;
    for (std::size_t back = 1; back <= kLongestRest && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0U) == 0x80U)
            continue;
        const std::size_t length = byte >= 0xF0U ? 4 : byte >= 0xE0U ? 3 : byte >= 0xC0U ? 2 : 1;
        return length > back ? text.size() - back : text.size();
    }
    return text.size();
}

} // namespace

VisibleBuffer::VisibleBuffer(int descriptor)
    : m_channel(descriptor)
    , m_isTerminal(::isatty(descriptor) == 1)
{
}

void VisibleBuffer::writeRaw(std::string_view bytes)
{
    const std::lock_guard guard(m_mutex);
    send(m_text.size());
    m_channel.write(bytes);
}

void VisibleBuffer::writeInBackground(const MissingLines& missing)
{
    const std::lock_guard guard(m_mutex);
    send(m_text.size());
    m_needsReader = false;
    m_channel.writeInBackground(missing);
}

void VisibleBuffer::setLastWords(std::optional<std::chrono::milliseconds> patience)
{
    const std::lock_guard guard(m_mutex);
    m_patience = patience;
    m_channel.keepEverything();
}

int VisibleBuffer::finish()
{
    const std::lock_guard guard(m_mutex);
    send(m_text.size());
    m_channel.finish(m_patience);
    const int error = m_channel.error();
    return error == EPIPE && !m_needsReader ? 0 : error;
}

VisibleBuffer::int_type VisibleBuffer::overflow(int_type letter)
{
    if (traits_type::eq_int_type(letter, traits_type::eof()))
        return traits_type::not_eof(letter);
    const std::lock_guard guard(m_mutex);
    const char one = traits_type::to_char_type(letter);
    append({&one, 1});
    return letter;
}

std::streamsize VisibleBuffer::xsputn(const char* text, std::streamsize size)
{
    const std::lock_guard guard(m_mutex);
    append({text, static_cast<std::size_t>(size)});
    return size;
}

int VisibleBuffer::sync()
{
    const std::lock_guard guard(m_mutex);
    send(wholeSize(m_text));
    return 0;
}

void VisibleBuffer::append(std::string_view text)
{
    m_text += text;
    if (m_text.size() > kMostUnsent)
        send(wholeSize(m_text));
    else if (m_isTerminal && text.find('\n') != std::string_view::npos)
        send(m_text.rfind('\n') + 1);
}

void VisibleBuffer::send(std::size_t size)
{
    if (size == 0)
        return;
    m_channel.write(text::makeVisible(std::string_view(m_text).substr(0, size), text::LineBreaks::Keep));
    m_text.erase(0, size);
}

} // namespace quadric::app
