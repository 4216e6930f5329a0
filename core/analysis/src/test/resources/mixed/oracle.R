# Fits linear mixed-effects models with lme4 and lmerTest and writes the figures that MixedModelTest
# compares with: figures.json, and one CSV file a data set.
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
    criterion = REMLcrit(model),
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
  # The first three observations as mean shifts: what an outlying value is judged by.
  figures$shift <- lapply(1:3, function(i) {
    shifted <- data; shifted$shift <- as.numeric(seq_len(nrow(data)) == i)
    m <- lmer(update(formula, . ~ . + shift), shifted, REML = TRUE, control = tight)
    s <- coef(summary(m, ddf = "Satterthwaite"))["shift", ]
    list(t = s[["t value"]], df = s[["df"]])
  })
  out[[name]] <<- figures
}

noise <- function(n, sd) rnorm(n, 0, sd)

set.seed(11)
d <- expand.grid(treatment = letters[1:4], block = paste0("b", 1:6))
d$y <- 10 + 0.05 * (as.integer(d$treatment) - 1) + noise(6, 0.08)[as.integer(d$block)] + noise(24, 0.03)
fit("balanced", d, y ~ treatment + (1 | block), TRUE)

set.seed(12)
d <- expand.grid(treatment = letters[1:5], block = paste0("b", 1:8))
d$y <- 9 + c(0, .02, -.1, .3, 0)[as.integer(d$treatment)] + noise(8, 0.05)[as.integer(d$block)] + noise(40, 0.04)
fit("unbalanced", d[-sample(40, 13), ], y ~ treatment + (1 | block), TRUE)

d <- data.frame(block = c(1, 1, 1, 2, 2, 2, 3, 3, 3), a = c(0, 0, 1, 0, 0, 1, 0, 1, 1),
                b = c(0, 1, 0, 0, 1, 1, 1, 0, 1), value = c(100, 101, 130, 201, 199, 262, 51, 64, 66))
d$y <- log(d$value); d$block <- factor(d$block)
fit("missing-cells", d, y ~ a + b + (1 | block), TRUE)

set.seed(14)
d <- expand.grid(treatment = letters[1:3], block = paste0("b", 1:7))
repeat {
  d$y <- 5 + noise(21, 0.05)
  if (VarCorr(lmer(y ~ treatment + (1 | block), d, control = tight))$block[1] == 0) break
}
fit("zero-component", d, y ~ treatment + (1 | block), TRUE)

set.seed(15)
d <- expand.grid(mode = c("m1", "m2"), nodes = c("n1", "n2", "n3"), block = paste0("b", 1:5))
d$y <- 7 + 0.1 * (d$mode == "m2") + 0.2 * (d$nodes == "n3") - 0.15 * (d$mode == "m2" & d$nodes == "n2") +
  noise(5, 0.1)[as.integer(d$block)] + noise(30, 0.05)
fit("factorial", d[-c(2, 9, 17, 30), ], y ~ mode * nodes + (1 | block), TRUE)

set.seed(16)
d <- expand.grid(treatment = letters[1:3], block = 1:4, run = paste0("r", 1:5))
d$cell <- factor(paste(d$run, d$block))
d$y <- 8 + 0.04 * (as.integer(d$treatment) - 1) + noise(5, 0.06)[as.integer(d$run)] + noise(20, 0.04)[as.integer(d$cell)] + noise(60, 0.02)
fit("several-runs", d[-sample(60, 8), ], y ~ treatment + (1 | run) + (1 | cell), TRUE)

set.seed(17)
d <- expand.grid(row = 1:3, treatment = letters[1:4], block = paste0("b", 1:6))
d$cell <- factor(paste(d$treatment, d$block))
d$y <- 6 + c(0, .1, .1, .2)[as.integer(d$treatment)] + noise(6, 0.07)[as.integer(d$block)] + noise(24, 0.05)[as.integer(d$cell)] + noise(72, 0.03)
fit("crossed", d[-sample(72, 15), ], y ~ treatment + (1 | block) + (1 | cell), TRUE)

set.seed(18)
d <- expand.grid(block = 1:5, treatment = c("t1", "t2"), run = paste0("r", 1:8))
d$build <- ifelse(as.integer(d$run) <= 4, "A", "B")
d$cell <- factor(paste(d$run, d$block))
d$y <- 8 + 0.1 * (d$treatment == "t2") - 0.08 * (d$build == "B") + noise(8, 0.03)[as.integer(d$run)] + noise(40, 0.03)[as.integer(d$cell)] + noise(80, 0.02)
fit("builds-in-runs", d[-sample(80, 9), ], y ~ build * treatment + (1 | run) + (1 | cell), TRUE)

set.seed(19)
d <- expand.grid(treatment = c("a", "b"), block = paste0("b", 1:9))
d$y <- 3 + 0.07 * (d$treatment == "b") + noise(9, 3)[as.integer(d$block)] + noise(18, 0.03)
fit("great-blocks", d, y ~ treatment + (1 | block))

write_json(out, "figures.json", digits = 15, auto_unbox = TRUE, matrix = "rowmajor")
for (n in names(out)) cat(n, unlist(out[[n]]$components), "df", out[[n]]$df, "\n")
