# What packages of R do in the tasks of `inlier bench --peers`: Rscript peers.R NAME KEY=VALUE...
#
# Prints one line of JSON and writes an answer, as peers.py does. JSON and arrays are written by hand, so that no other package is needed.

words <- commandArgs(trailingOnly = TRUE)
task <- words[1]
pairs <- regmatches(words[-1], regexpr("=", words[-1]), invert = TRUE)
args <- setNames(lapply(pairs, `[`, 2), vapply(pairs, `[`, "", 1))

# An array of numbers as NumPy writes it: rows one after the other.
load_array <- function(path) {
  f <- file(path, "rb")
  on.exit(close(f))
  readBin(f, "raw", 8)
  head <- rawToChar(readBin(f, "raw", readBin(f, "integer", 1, size = 2, signed = FALSE, endian = "little")))
  shape <- as.numeric(strsplit(sub(".*\\(([0-9, ]+)\\).*", "\\1", head), ",[ ]*")[[1]])
  matrix(readBin(f, "double", prod(shape), endian = "little"), shape[1], shape[2], byrow = TRUE)
}

save_array <- function(values, shape) {
  head <- sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': (%s), }", paste0(shape, ",", collapse = " "))
  head <- paste0(head, strrep(" ", 63 - (10 + nchar(head)) %% 64), "\n")
  f <- file(args$answer, "wb")
  on.exit(close(f))
  writeBin(as.raw(c(0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0)), f)
  writeBin(nchar(head), f, size = 2, endian = "little")
  writeBin(charToRaw(head), f)
  writeBin(as.double(values), f, endian = "little")
}

# d x k by columns is k x d by rows.
save_loadings <- function(v) save_array(v, c(ncol(v), nrow(v)))

peak <- function() tryCatch({
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}, error = function(e) 0, warning = function(w) 0)

report <- function(work, steps = 0) cat(sprintf("{\"seconds\": %.9g, \"processor\": %.9g, \"steps\": %d, \"peak\": %.0f}\n",
  work[["elapsed"]], work[["user.self"]] + work[["sys.self"]], as.integer(steps), peak()))

needs <- function(package) {
  if (!suppressMessages(suppressWarnings(requireNamespace(package, quietly = TRUE)))) {
    cat(sprintf("{\"missing\": \"%s\"}\n", package))
    quit(status = 0)
  }
  suppressMessages(library(package, character.only = TRUE))
}

k <- as.integer(if (is.null(args$components)) 1 else args$components)
set.seed(1)
if (task == "about") {
  found <- vapply(c("rrcov", "robustbase", "cellWise"), function(p) if (nzchar(system.file(package = p))) format(packageVersion(p)) else "", "")
  cat(sprintf("{\"R\": \"%s\", %s}\n", paste(R.version$major, R.version$minor, sep = "."), paste(sprintf("\"%s\": \"%s\"", names(found), found), collapse = ", ")))
} else if (task == "PcaHubert") {
  needs("rrcov")
  x <- load_array(args$data)
  PcaHubert(x[1:50, 1:5], k = 2, kmax = 2) # untimed: what is loaded and compiled when it is first used
  work <- system.time(m <- PcaHubert(x, k = k, kmax = k, alpha = 0.5))
  save_loadings(getLoadings(m))
  report(work)
} else if (task == "MacroPCA") {
  needs("cellWise")
  x <- load_array(args$data)
  MacroPCA(x[1:50, 1:5], k = 2, MacroPCApars = list(silent = TRUE))
  work <- system.time(m <- MacroPCA(x, k = k, MacroPCApars = list(silent = TRUE)))
  save_loadings(m$loadings)
  report(work)
} else if (task %in% c("lmrob", "ltsReg")) {
  needs("robustbase")
  x <- load_array(args$data)
  y <- x[, ncol(x)]
  x <- x[, -ncol(x), drop = FALSE]
  fit <- function(x, y) if (task == "lmrob") lmrob(y ~ x) else ltsReg(x, y)
  fit(x[1:200, 1:2], y[1:200])
  work <- system.time(m <- fit(x, y))
  b <- coef(m)
  if (task == "ltsReg" && names(b)[1] != "Intercept") b <- c(b[length(b)], b[-length(b)])
  values <- cbind(1, load_array(args$test)) %*% b
  save_array(values, length(values))
  report(work, if (task == "lmrob") m$iter else 0)
} else {
  stop("there is no task ", task)
}
