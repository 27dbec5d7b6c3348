# Writes the data frames of R's packages as CSV files, for `inlier check` to look at: Rscript real_tables.R FOLDER
# Tables of at least 20 rows and 2 columns; names of rows that are no numbers become a first column.
folder <- commandArgs(TRUE)[1]
dir.create(folder, showWarnings = FALSE)
for (package in c("datasets", "MASS", "robustbase", "survival", "boot", "cluster", "lattice", "nlme", "rpart", "mgcv", "rrcov")) {
  if (!requireNamespace(package, quietly = TRUE)) next
  for (item in unique(sub(" .*", "", data(package = package)$results[, "Item"]))) {
    own <- new.env()
    found <- tryCatch({ data(list = item, package = package, envir = own); exists(item, envir = own) }, error = function(e) FALSE, warning = function(w) FALSE)
    x <- if (found) tryCatch(get(item, envir = own), error = function(e) NULL)
    if (is.matrix(x)) x <- as.data.frame(x)
    if (!is.data.frame(x) || nrow(x) < 20 || ncol(x) < 2 || !all(sapply(x, function(column) is.atomic(column) && is.null(dim(column))))) next
    if (!identical(rownames(x), as.character(seq_len(nrow(x))))) x <- cbind(name = rownames(x), x)
    write.csv(x, file.path(folder, paste0(package, "_", item, ".csv")), row.names = FALSE)
  }
}
