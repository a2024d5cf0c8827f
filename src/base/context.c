/* SPDX-License-Identifier: BSD-3-Clause */
/* Context: the allocator, the log, the threads and the last error. */
#include "base/context.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/machine.h"
#include "base/ranks.h"
#include "base/sentence.h"
#include "base/threads.h"

const char *dcpn_version(void)
{
    return DCPN_VERSION_STRING;
}

enum { HUGE_PAGE = 1 << 21, LARGE = HUGE_PAGE };

/* Large blocks ask for huge pages: the first touch of 216 MB, the arrays of 9 million entries, takes 27 ms instead of
 * 120 then. It is a hint; a system that has none of them ignores it. */
static void *allocate_with_malloc(void *user, size_t bytes)
{
    void *memory;
    (void)user;
    if (bytes < LARGE) return malloc(bytes);
    if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0) return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE);
    return memory;
}

/* Asks for huge pages within a block, which may begin anywhere. */
static void *hint_huge_pages(char *memory, size_t bytes)
{
    if (!memory) return NULL;
    size_t ahead = HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE;
    if (bytes > ahead) (void)madvise(memory + ahead, bytes - ahead, MADV_HUGEPAGE);
    return memory;
}

/* calloc need not clear memory that comes fresh from the system, as most large blocks do: it is all 0 already. */
static void *allocate_zeros_with_calloc(size_t bytes)
{
    return hint_huge_pages(calloc(bytes, 1), bytes);
}

static void *grow_with_realloc(void *memory, size_t bytes)
{
    return hint_huge_pages(realloc(memory, bytes), bytes);
}

static void release_with_free(void *user, void *memory)
{
    (void)user;
    free(memory);
}

dcpn_context *dcpn_context_new(const dcpn_allocator *allocator)
{
    const dcpn_allocator standard = {allocate_with_malloc, release_with_free, NULL};
    const dcpn_allocator *chosen = allocator ? allocator : &standard;
    if (!chosen->allocate || !chosen->release) return NULL;
    dcpn_context *context = chosen->allocate(chosen->user, sizeof *context);
    if (!context) return NULL;
    memset(context, 0, sizeof *context);
    atomic_init(&context->memory_in_use, 0);
    atomic_init(&context->is_interrupted, 0);
    context->allocator = *chosen;
    context->account = context;
    context->threads = 1;
    return context;
}

dcpn_context *dcpn_context_new_for(dcpn_context *context)
{
    dcpn_context *made = dcpn_context_new(&context->allocator);
    if (!made) return NULL;
    made->account = context->account;
    dcpn_context_set_option_prefix(made, "--"); /* its sentences go into one of the other's */
    return made;
}

void dcpn_context_free(dcpn_context *context)
{
    if (!context) return;
    dcpn_ranks_free(context);
    dcpn_team_free(&context->allocator, context->team);
    context->allocator.release(context->allocator.user, context);
}

void dcpn_context_set_log(dcpn_context *context, dcpn_log_function *log, void *user)
{
    if (!context) return;
    context->log = log;
    context->log_user = user;
}

void dcpn_context_set_threads(dcpn_context *context, int threads)
{
    if (!context) return;
    if (threads <= 0) threads = dcpn_processors();
    if (threads == context->threads) return;
    dcpn_team_free(&context->allocator, context->team);
    context->team = dcpn_team_new(&context->allocator, threads);
    context->threads = threads;
}

int dcpn_context_threads(const dcpn_context *context)
{
    return context ? context->threads : 0;
}

const char *dcpn_last_error(const dcpn_context *context)
{
    return context ? context->error : "there is no context (NULL)";
}

const char *dcpn_last_error_setting(const dcpn_context *context)
{
    return context ? context->error_setting : "";
}

void dcpn_context_set_option_prefix(dcpn_context *context, const char *prefix)
{
    if (context && prefix) snprintf(context->prefix, sizeof context->prefix, "%s", prefix);
}

/* ---- memory -------------------------------------------------------------------------------------------------------*/

/* The head of every block, from which the bytes of one that is freed are known. It is as long as a line of the caches:
 * an array in a large block, which begins with a page, is then read by whole lines. */
union block {
    size_t size; /* with this */
    max_align_t alignment;
    char line[64];
};

void dcpn_context_set_memory_limit(dcpn_context *context, size_t bytes)
{
    if (context) context->memory_limit = bytes;
}

size_t dcpn_context_memory_limit(const dcpn_context *context)
{
    return context ? context->memory_limit : 0;
}

static int is_beyond_limit(const dcpn_context *context, size_t in_use, size_t bytes)
{
    size_t limit = context->account->memory_limit;
    return limit && (in_use > limit || bytes > limit - in_use);
}

static dcpn_status refuse_memory(dcpn_context *context, size_t in_use, size_t bytes)
{
    return dcpn_fail(
        context, DCPN_MEMORY,
        "out of memory: %zu bytes are needed besides the %zu in use, and the limit is %zu; --max-memory %zu "
        "would allow it",
        bytes, in_use, context->account->memory_limit, in_use + bytes);
}

dcpn_status dcpn_memory_check(dcpn_context *context, size_t bytes)
{
    size_t in_use = atomic_load(&context->account->memory_in_use);
    return is_beyond_limit(context, in_use, bytes) ? refuse_memory(context, in_use, bytes) : DCPN_OK;
}

dcpn_status dcpn_memory_for(dcpn_context *context, dcpn_status status, const char *what)
{
    char sentence[DCPN_ERROR_LENGTH];
    if (status != DCPN_MEMORY || strncmp(context->error, what, strlen(what)) == 0) return status;
    strcpy(sentence, context->error);
    return dcpn_fail(context, status, "%s: %s", what, sentence);
}

static void *ask_allocator(const dcpn_allocator *allocator, size_t size, int *is_zero)
{
    int zeros = is_zero && size >= LARGE && allocator->allocate == allocate_with_malloc;
    if (is_zero) *is_zero = zeros;
    return zeros ? allocate_zeros_with_calloc(size) : allocator->allocate(allocator->user, size);
}

/* Gets a new block, or makes an old one larger. */
static void *obtain_block(dcpn_context *context, union block *old, size_t size, int *is_zero)
{
    atomic_size_t *account = &context->account->memory_in_use;
    size_t more = old ? size - old->size : size, in_use = atomic_fetch_add(account, more);
    union block *block = NULL;
    if (is_beyond_limit(context, in_use, more))
        refuse_memory(context, in_use, more);
    else if (!(block = old ? grow_with_realloc(old, size) : ask_allocator(&context->allocator, size, is_zero)))
        dcpn_fail(context, DCPN_MEMORY, "out of memory: %zu bytes are needed besides the %zu in use", more, in_use);
    if (!block) {
        atomic_fetch_sub(account, more);
        return NULL;
    }
    block->size = size;
    return block + 1;
}

static int bytes_of_block(dcpn_context *context, size_t count, size_t size, size_t *bytes)
{
    if (!__builtin_mul_overflow(count, size, bytes) && *bytes <= PTRDIFF_MAX - sizeof(union block)) {
        *bytes += sizeof(union block);
        return 1;
    }
    dcpn_fail(context, DCPN_MEMORY, "out of memory: %zu x %zu bytes cannot be addressed", count, size);
    return 0;
}

static void *allocate_many(dcpn_context *context, size_t count, size_t size, int *is_zero)
{
    size_t bytes;
    return bytes_of_block(context, count, size, &bytes) ? obtain_block(context, NULL, bytes, is_zero) : NULL;
}

void *dcpn_allocate(dcpn_context *context, size_t count, size_t size)
{
    return allocate_many(context, count, size, NULL);
}

void *dcpn_allocate_untouched(dcpn_context *context, size_t bytes, int *is_zero)
{
    return allocate_many(context, bytes, 1, is_zero);
}

/* Large blocks are grown by the system, which moves their pages: nothing is copied, and there are never two of them. */
static int grows_in_place(const dcpn_context *context, const union block *block, size_t size)
{
    return context->allocator.allocate == allocate_with_malloc && block->size >= LARGE && size > block->size;
}

void *dcpn_grow(dcpn_context *context, void *memory, size_t old_count, size_t new_count, size_t size)
{
    union block *block = memory ? (union block *)memory - 1 : NULL;
    size_t bytes;
    if (!bytes_of_block(context, new_count, size, &bytes)) return NULL;
    if (block && grows_in_place(context, block, bytes)) return obtain_block(context, block, bytes, NULL);
    void *larger = dcpn_allocate(context, new_count, size);
    if (!larger) return NULL;
    if (old_count) memcpy(larger, memory, old_count * size);
    dcpn_free(context, memory);
    return larger;
}

char *dcpn_copy_text(dcpn_context *context, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = dcpn_allocate(context, length, 1);
    return copy ? memcpy(copy, text, length) : NULL;
}

void dcpn_free(dcpn_context *context, void *memory)
{
    if (!context || !memory) return;
    union block *block = (union block *)memory - 1;
    size_t size = block->size;
    context->allocator.release(context->allocator.user, block);
    atomic_fetch_sub(&context->account->memory_in_use, size); /* only now may another thread have as much */
}

/* ---- what is said -------------------------------------------------------------------------------------------------*/

dcpn_status dcpn_fail(dcpn_context *context, dcpn_status status, const char *format, ...)
{
    va_list arguments;
    if (!context) return status;
    va_start(arguments, format);
    vsnprintf(context->error, sizeof context->error, format, arguments);
    va_end(arguments);
    dcpn_sentence_first_option(context->error, context->error_setting, sizeof context->error_setting);
    dcpn_sentence_set_prefix(context->error, sizeof context->error, context->prefix);
    return status;
}

dcpn_status dcpn_need(dcpn_context *context, const char *function, const char *names, const void *const *pointers,
                      size_t count)
{
    for (size_t k = 0; k < count; k++) {
        int length = (int)strcspn(names, ",");
        if (!pointers[k])
            return dcpn_fail(context, DCPN_USAGE, "%s: found NULL for '%.*s', expected a pointer that is not", function,
                             length, names);
        names += length;
        names += strspn(names, ", ");
    }
    return DCPN_OK;
}

dcpn_status dcpn_need_texts(dcpn_context *context, const char *what, const char *const *texts, int64_t count)
{
    if (count < 0 || (count > 0 && !texts))
        return dcpn_fail(context, DCPN_USAGE, "%s: found %lld and %s, expected as many texts", what, (long long)count,
                         texts ? "an array" : "no array (NULL)");
    for (int64_t k = 0; k < count; k++)
        if (!texts[k])
            return dcpn_fail(context, DCPN_USAGE, "%s: found NULL for number %lld, expected a text", what,
                             (long long)k + 1);
    return DCPN_OK;
}

char **dcpn_copy_texts(dcpn_context *context, const char *const *texts, int64_t count)
{
    size_t bytes = (size_t)count * sizeof(char *);
    for (int64_t k = 0; k < count; k++) bytes += strlen(texts[k]) + 1;
    char **copy = dcpn_allocate(context, bytes + !bytes, 1), *next = copy ? (char *)(copy + count) : NULL;
    for (int64_t k = 0; copy && k < count; k++) {
        size_t size = strlen(texts[k]) + 1;
        copy[k] = memcpy(next, texts[k], size);
        next += size;
    }
    return copy;
}

dcpn_status dcpn_need_size(dcpn_context *context, const char *what, int64_t size)
{
    if (size >= 0) return DCPN_OK;
    return dcpn_fail(context, DCPN_USAGE, "%s: found %lld, expected a number of at least 0", what, (long long)size);
}

void dcpn_log(dcpn_context *context, dcpn_log_level level, const char *format, ...)
{
    char message[DCPN_ERROR_LENGTH];
    va_list arguments;
    if (!context->log) return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    dcpn_sentence_set_prefix(message, sizeof message, context->prefix);
    context->log(context->log_user, level, message);
}
