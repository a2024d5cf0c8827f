/* SPDX-License-Identifier: BSD-3-Clause */
/* The caller's wish to end, by a call from anywhere or as the answer of a poll. Threads that work for the caller see
 * it, but do not ask: a poll may want to be on the thread that called the library. */
#include "base/interrupt.h"

#include "base/clock.h"
#include "base/context.h"
#include "base/threads.h"

void dcpn_context_interrupt(dcpn_context *context)
{
    if (context) atomic_store(&context->account->is_interrupted, 1);
}

void dcpn_context_resume(dcpn_context *context)
{
    if (context) atomic_store(&context->account->is_interrupted, 0);
}

void dcpn_context_set_poll(dcpn_context *context, dcpn_poll_function *poll, double every_s, void *user)
{
    if (!context) return;
    context->poll = poll;
    context->poll_user = user;
    context->poll_every_s = every_s;
    context->polled_at = dcpn_clock_s();
}

static int is_time(dcpn_context *asked)
{
    double now = dcpn_clock_s();
    if (now - asked->polled_at < asked->poll_every_s) return 0;
    asked->polled_at = now;
    return 1;
}

int dcpn_is_interrupted(dcpn_context *context)
{
    dcpn_context *asked = context->account;
    if (atomic_load_explicit(&asked->is_interrupted, memory_order_relaxed)) return 1;
    if (!asked->poll || dcpn_is_helper(asked->team) || asked->is_polling || !is_time(asked)) return 0;
    asked->is_polling = 1; /* it may call the library, which is not to poll again meanwhile */
    if (asked->poll(asked->poll_user)) atomic_store(&asked->is_interrupted, 1);
    asked->is_polling = 0;
    return atomic_load(&asked->is_interrupted);
}

dcpn_status dcpn_refuse_interrupted(dcpn_context *context, const char *what)
{
    if (!dcpn_is_interrupted(context)) return DCPN_OK;
    return dcpn_fail(context, DCPN_CANCELLED, "%s was interrupted before it was done", what);
}
