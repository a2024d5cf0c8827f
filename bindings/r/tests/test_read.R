# SPDX-License-Identifier: BSD-3-Clause
# Reading files, and what is said of the settings.
source("problem.R")

file <- tempfile(fileext = ".svm")
writeLines(c("+1 1:0.5 4:2", "-1 2:1", "+1 4:-3"), file)
d <- dcpn_read(file)
stopifnot(inherits(d$x, "dgCMatrix"), identical(dim(d$x), c(3L, 4L)), identical(d$y, c(1, -1, 1)))
close_to(as.vector(as.matrix(d$x)), c(0.5, 0, 0, 0, 1, 0, 0, 0, 0, 2, 0, -3))

table <- tempfile(fileext = ".csv")
writeLines(c("id,age,dose,status", "a,61,1.5,case", "b,47,0.5,control", "c,52,1,case"), table)
d <- dcpn_read(table, id = "id")
stopifnot(identical(dimnames(d$x), list(c("a", "b", "c"), c("age", "dose"))))
stopifnot(identical(as.character(d$y), c("case", "control", "case")), levels(d$y)[2] == "case", d$label == "status")
refused(dcpn_read(tempfile()), "No such file")
refused(dcpn_read(NA), "expected the name of a file")

s <- dcpn_settings()
stopifnot(all(c("gamma", "standardize", "tol") %in% s$name), !anyNA(s$help), !any(grepl("--", s$help, fixed = TRUE)))
stopifnot(s$default[s$name == "standardize"] == "TRUE", "mcp" %in% names(dcpn_penalties()), "logistic" %in% names(dcpn_losses()))
