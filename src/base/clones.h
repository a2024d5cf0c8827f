/* SPDX-License-Identifier: BSD-3-Clause */
/* DCPN_CLONES before a function: compiled for several instruction sets, the best one chosen when the program starts.
 * Without fused multiply-add, which the build forbids, all give the same bits. Sanitizers cannot choose that early. */
#ifndef DCPN_SRC_CLONES_H
#define DCPN_SRC_CLONES_H

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&          \
    !defined(__SANITIZE_THREAD__)
#define DCPN_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define DCPN_CLONES
#endif

#endif
