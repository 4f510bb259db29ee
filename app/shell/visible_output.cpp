// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/visible_output.h"

#include "core/text/numbers.h"
#include "core/text/visible_text.h"

#include <cerrno>
#include <iostream>
#include <mutex>
#include <system_error>

#include <fcntl.h>
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

/// A stream that was closed before the program started must not become the first file that it opens.
void occupyClosedStreams()
{
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0)
            // In the wrong direction, so that whoever uses it is told. It stays open.
            [[maybe_unused]]
            const int taken = ::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

} // namespace

/// The stream buffer of a text stream: line by line, made visible, into a channel. Several threads may write.
class VisibleBuffer : public std::streambuf {
public:
    explicit VisibleBuffer(int descriptor)
        : m_channel(descriptor)
        , m_isTerminal(::isatty(descriptor) == 1)
    {
    }

    /// The same bytes, after all text before them.
    void writeRaw(std::string_view bytes)
    {
        const std::lock_guard guard(m_mutex);
        send(m_text.size());
        m_channel.write(bytes);
    }

    void writeInBackground(const MissingLines& missing)
    {
        const std::lock_guard guard(m_mutex);
        send(m_text.size());
        m_needsReader = false;
        m_channel.writeInBackground(missing);
    }

    void setLastWords(std::optional<std::chrono::milliseconds> patience)
    {
        const std::lock_guard guard(m_mutex);
        m_patience = patience;
        m_channel.keepEverything();
    }

    /// Writes what is left. Returns the errno of what was not written; 0 also where the reader is gone and
    /// nobody waits for one.
    int finish()
    {
        const std::lock_guard guard(m_mutex);
        send(m_text.size());
        m_channel.finish(m_patience);
        const int error = m_channel.error();
        return error == EPIPE && !m_needsReader ? 0 : error;
    }

    bool isTerminal() const { return m_isTerminal; }

protected:
    int_type overflow(int_type letter) override
    {
        if (traits_type::eq_int_type(letter, traits_type::eof()))
            return traits_type::not_eof(letter);
        const std::lock_guard guard(m_mutex);
        const char one = traits_type::to_char_type(letter);
        append({&one, 1});
        return letter;
    }

    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        const std::lock_guard guard(m_mutex);
        append({text, static_cast<std::size_t>(size)});
        return size;
    }

    int sync() override
    {
        const std::lock_guard guard(m_mutex);
        send(wholeSize(m_text));
        return 0;
    }

private:
    void append(std::string_view text)
    {
        m_text += text;
        if (m_text.size() > kMostUnsent)
            send(wholeSize(m_text));
        else if (m_isTerminal && text.find('\n') != std::string_view::npos)
            send(m_text.rfind('\n') + 1);
    }

    void send(std::size_t size)
    {
        if (size == 0)
            return;
        m_channel.write(text::makeVisible(std::string_view(m_text).substr(0, size), text::LineBreaks::Keep));
        m_text.erase(0, size);
    }

    std::mutex m_mutex;
    OutputChannel m_channel;
    std::string m_text; ///< not sent yet
    bool m_isTerminal;
    bool m_needsReader = true;
    std::optional<std::chrono::milliseconds> m_patience;
};

namespace {

/// Null where nobody has made a VisibleOutput, as in a test.
VisibleBuffer* bufferOf(const std::ostream& stream)
{
    return dynamic_cast<VisibleBuffer*>(stream.rdbuf());
}

void writeRaw(std::string_view bytes)
{
    if (VisibleBuffer* buffer = bufferOf(std::cout))
        buffer->writeRaw(bytes);
    else
        std::cout << bytes;
}

} // namespace

VisibleOutput::VisibleOutput(std::string program)
    : m_program(std::move(program))
{
    occupyClosedStreams();
    m_buffers = {std::make_unique<VisibleBuffer>(STDOUT_FILENO),
                 std::make_unique<VisibleBuffer>(STDERR_FILENO)};
    m_before = {std::cout.rdbuf(m_buffers[0].get()), std::cerr.rdbuf(m_buffers[1].get())};
}

VisibleOutput::~VisibleOutput()
{
    std::cout.rdbuf(m_before[0]);
    std::cerr.rdbuf(m_before[1]);
}

int VisibleOutput::finish(int status)
{
    const int error = m_buffers[0]->finish();
    if (error != 0 && error != EPIPE)
        std::cerr << m_program << ": standard output: not all of it was written: "
                  << std::generic_category().message(error) << '\n';
    m_buffers[1]->finish();
    return error != 0 && status == 0 ? 1 : status;
}

void printData(std::string_view data)
{
    if (printsToTerminal())
        writeRaw(text::makeVisible(data, text::LineBreaks::Keep));
    else
        writeRaw(data);
}

void printControl(std::string_view control)
{
    writeRaw(control);
}

bool printsToTerminal()
{
    return ::isatty(STDOUT_FILENO) == 1;
}

std::string missingLinesText(std::size_t count)
{
    return "… " + text::formatCount(count, "line") + (count == 1 ? " is" : " are") +
           " missing here: not read in time\n";
}

void printInBackground(const MissingLines& missing)
{
    if (VisibleBuffer* buffer = bufferOf(std::cout))
        buffer->writeInBackground(missing);
    if (VisibleBuffer* buffer = bufferOf(std::cerr))
        buffer->writeInBackground(missingLinesText);
}

void printLastWords(std::optional<std::chrono::milliseconds> patience)
{
    for (const std::ostream* stream : {&std::cout, &std::cerr})
        if (VisibleBuffer* buffer = bufferOf(*stream))
            buffer->setLastWords(patience);
}

} // namespace quadric::app
