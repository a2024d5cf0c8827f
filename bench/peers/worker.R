# SPDX-License-Identifier: BSD-3-Clause
# What the peers in R share; the counterpart of worker.py. A peer's file defines prepare(A, y, problem), which returns a
# function from a tolerance to the coefficients.
suppressMessages({library(Matrix); library(jsonlite)})

REPEAT_BELOW_S <- 1.0
MOST_REPEATS <- 5

load_data <- function(folder) {
  facts <- fromJSON(file.path(folder, "r.json"))
  read <- function(name, what, n) readBin(file.path(folder, name), what, n, endian = "little")
  y <- read("y.bin", "double", facts$rows)
  values <- read("x.bin", "double", facts$entries)
  if (facts$dense) {
    A <- matrix(values, facts$rows, facts$columns)
  } else {
    A <- new("dgCMatrix", i = read("i.bin", "integer", facts$entries), p = read("p.bin", "integer", facts$columns + 1),
             x = values, Dim = as.integer(c(facts$rows, facts$columns)))
  }
  list(A = A, y = y)
}

memory_mb <- function(field) {
  line <- grep(paste0("^", field, ":"), readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# R tells processor time in milliseconds: half of one is the least that is reported.
CLOCKS <- list(wall = function() as.numeric(Sys.time()), cpu = function() sum(proc.time()[1:2]))

timed <- function(solve, tolerance, clock) {
  times <- c()
  while (length(times) < MOST_REPEATS && sum(times) < REPEAT_BELOW_S) {
    start <- clock()
    x <- solve(tolerance)
    times <- c(times, clock() - start)
  }
  list(x = x, time = max(min(times), if (identical(clock, CLOCKS$cpu)) 5e-4 else 0), repeats = length(times))
}

run <- function(prepare) {
  job <- fromJSON(commandArgs(trailingOnly = TRUE)[1])
  data <- load_data(job$data)
  solve <- prepare(data$A, data$y, job$problem)
  before <- memory_mb("VmRSS")
  cat("5", file = "/proc/self/clear_refs")
  for (number in seq_along(job$tolerances)) {
    tolerance <- job$tolerances[number]
    result <- timed(solve, tolerance, CLOCKS[[job$clock]])
    path <- sprintf("%s.%d.bin", job$output, number - 1)
    writeBin(as.double(result$x), path, endian = "little")
    record <- list(tolerance = tolerance, time_s = result$time, repeats = result$repeats, coef = path,
                   peak_mb = memory_mb("VmHWM"), before_mb = before)
    cat(toJSON(record, auto_unbox = TRUE, digits = NA), "\n", sep = "")
    if (result$time > job$limit_s) break
  }
}
