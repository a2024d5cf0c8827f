/* SPDX-License-Identifier: BSD-3-Clause */
/* How much memory this process can have: the least of what the machine, its cgroups and its own limits allow.
 * And how large its cache is, and how many processors it may use. */
#include "base/machine.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dcpn/base.h"

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t physical_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : SIZE_MAX;
}

size_t dcpn_second_cache(void)
{
#ifdef _SC_LEVEL2_CACHE_SIZE
    long size = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return size > 0 ? (size_t)size : 0;
#else
    return 0;
#endif
}

int dcpn_processors(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef CPU_COUNT
    cpu_set_t usable;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0) online = CPU_COUNT(&usable);
#endif
    return online > 1 ? (int)online : 1;
}

static size_t process_limit(void)
{
    struct rlimit limit;
    size_t least = SIZE_MAX;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) least = limit.rlim_cur;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) least = smaller(least, limit.rlim_cur);
    return least;
}

/* The number in a file of the kernel; SIZE_MAX if there is none ("max"). */
static size_t number_in(const char *path)
{
    char text[64];
    size_t number = SIZE_MAX;
    FILE *file = fopen(path, "re");
    if (!file) return SIZE_MAX;
    if (fgets(text, sizeof text, file) && text[0] >= '0' && text[0] <= '9') number = strtoull(text, NULL, 10);
    fclose(file);
    return number;
}

/* A group and all those that it is part of: each may set a limit, the least holds. In a container the path may be one
 * of the host, which is not there; its root is. */
static size_t least_of_groups(const char *mount, const char *group, const char *file)
{
    char path[PATH_MAX];
    size_t least = SIZE_MAX, length = strlen(group);
    for (;;) {
        while (length > 0 && group[length - 1] == '/') length--;
        int written = snprintf(path, sizeof path, "%s%.*s/%s", mount, (int)length, group, file);
        if (written > 0 && (size_t)written < sizeof path) least = smaller(least, number_in(path));
        if (length == 0) return least;
        while (length > 0 && group[length - 1] != '/') length--;
    }
}

static int is_among(const char *controllers, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *at = controllers; (at = strstr(at, wanted)); at += length)
        if ((at == controllers || at[-1] == ',') && (at[length] == ',' || at[length] == '\0')) return 1;
    return 0;
}

/* A line of /proc/self/cgroup: "0::/path" (v2) or "4:memory:/path" (v1). */
static size_t limit_of_line(char *line, const char *root)
{
    char mount[PATH_MAX];
    char *controllers = strchr(line, ':');
    char *group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) return SIZE_MAX;
    *group++ = '\0';
    controllers++;
    group[strcspn(group, "\n")] = '\0';
    if (*controllers == '\0') return least_of_groups(root, group, "memory.max");
    if (!is_among(controllers, "memory")) return SIZE_MAX;
    snprintf(mount, sizeof mount, "%s/memory", root);
    return least_of_groups(mount, group, "memory.limit_in_bytes");
}

size_t dcpn_cgroup_limit(const char *groups, const char *root)
{
    char line[PATH_MAX];
    size_t least = SIZE_MAX;
    FILE *file = fopen(groups, "re");
    if (!file) return SIZE_MAX;
    while (fgets(line, sizeof line, file)) least = smaller(least, limit_of_line(line, root));
    fclose(file);
    return least;
}

size_t dcpn_machine_memory(void)
{
    size_t least = smaller(physical_memory(), process_limit());
    least = smaller(least, dcpn_cgroup_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
    return least == SIZE_MAX ? 0 : least;
}
