/* SPDX-License-Identifier: BSD-3-Clause */
/* dcpn info of factors: how many atoms and codes, and what is certified of them. */
#include "info_factors.h"

#include "json.h"
#include "plural.h"

static void print_json(const dcpn_factors *f)
{
    dcpn_cli_json_text_member(stdout, "{", "kind", "factors");
    dcpn_cli_json_text_member(stdout, ",", "of", f->of_columns ? "columns" : "rows");
    dcpn_cli_json_text_member(stdout, ",", "penalty", f->penalty.name);
    dcpn_cli_json_number_member(stdout, ",", "lambda", f->penalty.lambda);
    dcpn_cli_json_count_member(stdout, ",", "atoms", f->atoms);
    dcpn_cli_json_count_member(stdout, ",", "length", f->length);
    dcpn_cli_json_count_member(stdout, ",", "codes", f->count);
    dcpn_cli_json_count_member(stdout, ",", "nnz", f->codes.first[f->count]);
    dcpn_cli_json_number_member(stdout, ",", "objective", f->objective);
    dcpn_cli_json_number_member(stdout, ",", "unexplained", f->unexplained);
    dcpn_cli_json_text_member(stdout, ",", "outcome", dcpn_outcome_name(f->outcome));
    puts("}");
}

static void print_text(const dcpn_factors *f)
{
    const char *of = f->of_columns ? "column" : "row";
    printf("factors       %lld atom%s of %lld number%s, a code for each of %lld %s%s\n", (long long)f->atoms,
           dcpn_cli_plural(f->atoms), (long long)f->length, dcpn_cli_plural(f->length), (long long)f->count, of,
           dcpn_cli_plural(f->count));
    printf("codes         penalty %s, lambda %.10g: %lld not zero, %.3g for each %s\n", f->penalty.name,
           f->penalty.lambda, (long long)f->codes.first[f->count],
           f->count ? (double)f->codes.first[f->count] / (double)f->count : 0.0, of);
    if (f->nonnegative_codes || f->nonnegative_atoms)
        printf("not negative  %s\n", !f->nonnegative_atoms  ? "codes"
                                     : f->nonnegative_codes ? "codes and atoms"
                                                            : "atoms");
    if (f->of_atoms.name) printf("atoms         penalty %s, lambda %.10g\n", f->of_atoms.name, f->of_atoms.lambda);
    printf("objective     %.10g  (squares / 2 %g + penalty %g", f->objective, f->loss_value, f->penalty_value);
    if (f->of_atoms.name) printf(" + %g of atoms", f->of_atoms.value);
    puts(")");
    printf("explained     %.2f%% of the squares\n", 100.0 * (1.0 - f->unexplained));
    printf("certificate   codes %.3g (goal %.3g), atoms %.3g (goal %.3g)\n", f->codes_end.violation, f->codes_end.goal,
           f->atoms_end.violation, f->atoms_end.goal);
    printf("outcome       %s: %s\n", dcpn_outcome_name(f->outcome), dcpn_outcome_meaning(f->outcome));
    printf("look at       'dcpn predict' makes %s of other rows\n", f->of_columns ? "scores" : "codes");
}

int dcpn_cli_describe_factors(const struct cli *cli, const char *path, int json)
{
    dcpn_factors *factors;
    int code = dcpn_cli_check(cli, dcpn_factors_read(cli->context, path, &factors));
    if (!code) (json ? print_json : print_text)(factors);
    dcpn_factors_free(factors);
    return code;
}
