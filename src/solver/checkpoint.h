/* SPDX-License-Identifier: BSD-3-Clause */
/* Checkpoints: all that a run has changed, saved between two iterations, so that another process goes on to the same
 * bytes. It needs no list of what that is: the arena, and those words of the solver's state structs that differ from
 * what they were right after the start, which the other process makes anew. Of addresses only those change that point
 * into the arena or the structs; they are saved as places in them. So that two starts are the same, whatever the
 * solvers have done before, a run that is saved or goes on is that of a solver that has forgotten all of it. */
#ifndef DCPN_SRC_CHECKPOINT_H
#define DCPN_SRC_CHECKPOINT_H

#include "solver/solver.h"

/* The run stands at x_0 and has looked at it: remembers the state, and goes on from a checkpoint if one was given.
 * `change` is that of F in the last iteration. */
dcpn_status dcpn_checkpoint_start(dcpn_solver *solver, double *change);
/* Between two iterations: writes if it is time. What goes wrong is a warning: the run is worth more than its copy. */
void dcpn_checkpoint_consider(dcpn_solver *solver, double change);
/* After the last iteration of a run that could go on: writes, unless that iteration was cut short. */
void dcpn_checkpoint_stop(dcpn_solver *solver, double change);
/* After a run: one that was only read is done with. */
void dcpn_checkpoint_end(dcpn_solver *solver);
void dcpn_checkpoint_free(dcpn_solver *solver);

#endif
