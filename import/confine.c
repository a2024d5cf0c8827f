/* SPDX-License-Identifier: BSD-3-Clause */
/* What this program may do. A data file can ask its library to open other files, and can perhaps make it do anything;
 * neither is to reach farther than this process. Everything here is for Linux, may be missing, and is then left out. */
#include "confine.h"

#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "dcpn/base.h"

enum {
    LEAST_SECONDS = 60,
    BYTES_PER_SECOND = 1 << 20,
    CLOCK_PER_PROCESSOR = 10,   /* a machine that is busy with other things, and a slow disk, take that much longer */
    PROGRAM_MEMORY = 512 << 20, /* the addresses of the program and its libraries, and what they allocate at once */
    MOST_DESCRIPTORS = 1 << 16
};

/* ---- Descriptors and limits ---------------------------------------------------------------------------------------*/

static void close_from(int first)
{
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)first, ~0U, 0U) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    if (most < 0 || most > MOST_DESCRIPTORS) most = MOST_DESCRIPTORS;
    for (int descriptor = first; descriptor < most; descriptor++) (void)close(descriptor);
}

void import_leave_alone(int first)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    close_from(first);
}

static void limit(int resource, rlim_t most)
{
    const struct rlimit wanted = {most, most};
    (void)setrlimit((__rlimit_resource_t)resource, &wanted);
}

void import_limit(size_t file_size, size_t memory)
{
    const rlim_t seconds = LEAST_SECONDS + file_size / BYTES_PER_SECOND;
    size_t addresses, most = memory ? memory : dcpn_machine_memory();
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, seconds);
    (void)alarm((unsigned)seconds * CLOCK_PER_PROCESSOR);
#if DCPN_CONFINES
    if (most == 0 || __builtin_add_overflow(most, file_size + PROGRAM_MEMORY, &addresses)) return;
    limit(RLIMIT_AS, addresses);
    limit(RLIMIT_FSIZE, addresses); /* the answer is a file in memory */
    (void)signal(SIGXFSZ, SIG_IGN);
#else
    (void)most, (void)addresses;
#endif
}

/* ---- Landlock -----------------------------------------------------------------------------------------------------*/

#if DCPN_CONFINES && defined SYS_landlock_create_ruleset && defined SYS_landlock_restrict_self

/* All rights of the version of Landlock that the kernel has, as linux/landlock.h numbers them; none of them is given
 * back for any file, port or process. */
static void refuse_files(void)
{
    struct {
        uint64_t files, ports, scopes;
    } handled = {.files = (1u << 13) - 1};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version < 1) return;
    if (version >= 2) handled.files |= 1u << 13; /* to move into another folder */
    if (version >= 3) handled.files |= 1u << 14; /* to truncate */
    if (version >= 4) handled.ports = 3;
    if (version >= 5) handled.files |= 1u << 15; /* to control a device */
    if (version >= 6) handled.scopes = 3;        /* abstract sockets, signals */
    long rules = syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (rules < 0) return;
    (void)syscall(SYS_landlock_restrict_self, rules, 0);
    (void)close((int)rules);
}

#else

static void refuse_files(void)
{
}

#endif

/* ---- seccomp ------------------------------------------------------------------------------------------------------*/

#if defined __x86_64__
#define MACHINE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined __riscv && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#endif

#if DCPN_CONFINES && __has_include(<linux/seccomp.h>) && __has_include(<linux/filter.h>)
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif

#if DCPN_CONFINES && defined MACHINE && defined SECCOMP_RET_ERRNO

#define LOAD(FIELD) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, FIELD))
#define ALLOW(CALL) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##CALL, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* What reading, computing and writing take, and to end. Everything else fails as if it were forbidden. */
static void refuse_calls(void)
{
    static struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
        LOAD(nr),
        ALLOW(read),
        ALLOW(pread64),
        ALLOW(lseek),
        ALLOW(fstat),
        ALLOW(newfstatat), /* which is how fstat may be made */
        ALLOW(write),
        ALLOW(pwrite64),
        ALLOW(writev), /* the last words of an allocator that finds its memory damaged */
        ALLOW(ftruncate),
        ALLOW(close),
        ALLOW(mmap),
        ALLOW(mremap),
        ALLOW(munmap),
        ALLOW(mprotect),
        ALLOW(madvise),
        ALLOW(brk),
        ALLOW(futex),
        ALLOW(getrandom),
        ALLOW(clock_gettime),
        ALLOW(gettimeofday),
        ALLOW(getrusage),
        ALLOW(sched_getaffinity),
        ALLOW(sched_yield),
        ALLOW(rt_sigaction),
        ALLOW(rt_sigprocmask),
        ALLOW(rt_sigreturn),
        ALLOW(restart_syscall),
        ALLOW(exit),
        ALLOW(exit_group),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    (void)prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

static void refuse_calls(void)
{
}

#endif

/* A process that cannot have another descriptor cannot open a file, whatever the kernel knows of the other two. */
void import_confine(void)
{
    if (!DCPN_CONFINES) return;
    int may_confine = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (may_confine) refuse_files(); /* which takes a descriptor, and then none is left */
    limit(RLIMIT_NOFILE, 0);
    if (may_confine) refuse_calls();
}
