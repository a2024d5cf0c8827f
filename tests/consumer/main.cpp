// SPDX-License-Identifier: BSD-3-Clause
// The same from C++: settings in a row, a fit, the features that are kept.
#include <dcpn/dcpn.h>

#include <cstdio>
#include <memory>

template <auto Free> struct with {
    template <class T> void operator()(T *handle) const { Free(handle); }
};
template <class T, auto Free> using owner = std::unique_ptr<T, with<Free>>;

int main()
{
    owner<dcpn_context, dcpn_context_free> context(dcpn_context_new(nullptr));
    const double table[] = {1, 0, 2, -1, 0.5, 1, 0, 3, -2, 1, 1, -1}, y[] = {2, 3.9, 0.1, 2.1, -0.1, 6};
    dcpn_matrix *A = nullptr;
    dcpn_problem *problem = nullptr;
    dcpn_settings *settings = nullptr;
    dcpn_solver *solver = nullptr;
    bool is_well = dcpn_matrix_dense(context.get(), 6, 2, table, DCPN_FLOAT64, DCPN_COLUMN_MAJOR, 6, DCPN_COPY, &A) == DCPN_OK &&
                   dcpn_problem_new(context.get(), A, y, &problem) == DCPN_OK &&
                   dcpn_settings_new(context.get(), 0, &settings) == DCPN_OK &&
                   dcpn_settings_set_all(settings, "loss=squared penalty=mcp lambda=0.1") == DCPN_OK &&
                   dcpn_solver_new(context.get(), problem, settings, &solver) == DCPN_OK && dcpn_solver_run(solver) == DCPN_OK;
    if (is_well)
        std::printf("C++: F = %g, %g features\n", dcpn_result_number(dcpn_solver_result(solver), "objective"),
                    dcpn_result_number(dcpn_solver_result(solver), "nonzeros"));
    else
        std::fprintf(stderr, "%s\n", dcpn_last_error(context.get()));
    dcpn_solver_free(solver);
    dcpn_settings_free(settings);
    dcpn_problem_free(problem);
    dcpn_matrix_free(A);
    return is_well ? 0 : 1;
}
