# Fits complete blocks with lme4 and lmerTest and writes the figures that LeastSquaresTest compares
# with: figures.json, and one CSV file a data set.
# Debian packages: r-base-core r-cran-lme4 r-cran-lmertest r-cran-jsonlite
# Run in this folder: Rscript oracle.R
suppressMessages({library(lme4); library(lmerTest); library(jsonlite)})
tight <- lmerControl(optimizer = "bobyqa", optCtrl = list(rhobeg = 0.2, rhoend = 1e-11, maxfun = 1e6),
                     check.conv.singular = "ignore", calc.derivs = FALSE)
options(contrasts = c("contr.treatment", "contr.poly"))
out <- list()

fit <- function(name, data, formula, terms = FALSE) {
  model <- lmer(formula, data, REML = TRUE, control = tight)
  write.csv(data, paste0(name, ".csv"), row.names = FALSE, quote = FALSE)
  coefficients <- coef(summary(model, ddf = "Satterthwaite"))
  components <- as.data.frame(VarCorr(model))
  groups <- getME(model, "flist")
  figures <- list(
    formula = paste(deparse(formula), collapse = " "),
    y = getME(model, "y"),
    x = unname(as.matrix(getME(model, "X"))),
    groups = lapply(groups, function(g) as.integer(g) - 1),
    components = setNames(as.list(components$vcov), components$grp),
    estimate = unname(coefficients[, "Estimate"]),
    standardError = unname(coefficients[, "Std. Error"]),
    df = unname(coefficients[, "df"]),
    t = unname(coefficients[, "t value"]),
    p = unname(coefficients[, "Pr(>|t|)"]))
  if (terms) {
    # Marginal tests of several coefficients at once.
    assign <- attr(model.matrix(terms(lme4::nobars(formula)), data), "assign")
    figures$tests <- lapply(setdiff(unique(assign), 0), function(k) {
      l <- diag(length(assign))[assign == k, , drop = FALSE]
      test <- contestMD(model, l)
      list(columns = which(assign == k) - 1, f = test[["F value"]], numerator = test[["NumDF"]],
           denominator = test[["DenDF"]], p = test[["Pr(>F)"]])
    })
  }
  out[[name]] <<- figures
}

noise <- function(n, sd) rnorm(n, 0, sd)

set.seed(11)
d <- expand.grid(treatment = letters[1:4], block = paste0("b", 1:6))
d$y <- 10 + 0.05 * (as.integer(d$treatment) - 1) + noise(6, 0.08)[as.integer(d$block)] + noise(24, 0.03)
fit("balanced", d, y ~ treatment + (1 | block), TRUE)

set.seed(19)
d <- expand.grid(treatment = c("a", "b"), block = paste0("b", 1:9))
d$y <- 3 + 0.07 * (d$treatment == "b") + noise(9, 3)[as.integer(d$block)] + noise(18, 0.03)
fit("great-blocks", d, y ~ treatment + (1 | block))

write_json(out, "figures.json", digits = 15, auto_unbox = TRUE, matrix = "rowmajor")
for (n in names(out)) cat(n, unlist(out[[n]]$components), "df", out[[n]]$df, "\n")
