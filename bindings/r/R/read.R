# SPDX-License-Identifier: BSD-3-Clause
# Data from a file of any format that the command reads.

dcpn_read <- function(path, format = NULL, label = NULL, id = NULL, ignore = NULL, categorical = NULL, missing = NULL,
                      threads = 1) {
  if (!is.character(path) || length(path) != 1L || is.na(path))
    stop("path: found no text, expected the name of a file", call. = FALSE)
  lists <- function(names) if (is.null(names)) NULL else paste(names, collapse = ",")
  options <- list(format = format, label = if (is.null(label)) NULL else as.character(label),
                  id = if (is.null(id)) NULL else as.character(id), ignore = lists(ignore), categorical = lists(categorical),
                  missing = missing)
  found <- ask(.Call(dcpn_r_read, path, options[!vapply(options, is.null, NA)], as_threads(threads)))
  x <- found$x
  if (is.null(x)) stop(path, ": found more entries than a matrix of R can hold", call. = FALSE)
  if (is.list(x)) x <- sparseMatrix(p = x$p, j = x$j + 1L, x = x$x, dims = c(length(x$p) - 1L, x$columns), repr = "C")
  names <- list(found$row_names, found$feature_names)
  if (!all(vapply(names, is.null, NA))) dimnames(x) <- names
  y <- found$y
  if (!is.null(found$label_names)) y <- factor(found$label_names[y + 1], levels = found$label_names)
  list(x = x, y = y, label = found$label_name)
}
