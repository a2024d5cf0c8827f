# SPDX-License-Identifier: BSD-3-Clause
"""Measures dcpn beside its peers: see bench/README.md."""
