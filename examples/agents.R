# The result of a query as a data frame. Run it with the output directory of `robostat ingest`:
#   Rscript agents.R out/
#
# robostat runs the query and prints CSV, so that R needs no package.

out <- commandArgs(trailingOnly = TRUE)[1]

query <- function(name, ..., classes = NA) {
  lines <- system2("robostat", c("query", shQuote(out), name, ..., "--format", "csv"), stdout = TRUE)
  status <- attr(lines, "status")
  if (!is.null(status)) stop("robostat query: exit code ", status)
  read.csv(text = lines, colClasses = classes)
}

agents <- query("agent-adoption", "--set", "top=8")
print(agents[c("product_token", "hosts", "pct_named", "pct_low", "pct_high")])

# Ids have 64 bits and R's numbers 53, so ids are read as text, which is enough for joins.
sql <- shQuote("SELECT url_host_name, policy_id FROM captures WHERE policy_id IS NOT NULL")
captures <- query("-e", sql, classes = c(policy_id = "character"))
sql <- shQuote("SELECT policy_id, restriction FROM agents WHERE product_token = 'gptbot'")
gptbot <- query("-e", sql, classes = c(policy_id = "character"))
joined <- merge(captures, gptbot, by = "policy_id")
cat("captures with rules for GPTBot:", nrow(joined), "\n")
