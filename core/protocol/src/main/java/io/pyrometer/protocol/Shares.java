package io.pyrometer.protocol;

import java.math.BigDecimal;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Shares of named things, which add up to 1, in the order of a file: {@code get 70%, put 30%}.
 *
 * @param byName shares above 0
 */
public record Shares(Map<String, Double> byName) {
  private static final Pattern PART = Pattern.compile("(\\S+?)\\s*[\\s:]\\s*([\\d.]+\\s*%?)");
  private static final double ROUNDING = 1e-6;

  public Shares {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /** Reads {@code name share, …}; empty if the text is none, or the sum is not 1. */
  public static Optional<Shares> parse(String text) {
    Map<String, Double> shares = new LinkedHashMap<>();
    double sum = 0;
    for (String part : text.split(",", -1)) {
      Matcher form = PART.matcher(part.strip());
      Optional<Double> share =
          form.matches()
              ? Amount.parse(form.group(2), Amount.SHARES).map(BigDecimal::doubleValue)
              : Optional.empty();
      if (share.filter(value -> value > 0).isEmpty()
          || shares.put(form.group(1), share.get()) != null) {
        return Optional.empty();
      }
      sum += share.get();
    }
    return Math.abs(sum - 1) < ROUNDING ? Optional.of(new Shares(shares)) : Optional.empty();
  }

  /** The text that {@link #parse} reads. */
  public String text() {
    return byName.entrySet().stream()
        .map(each -> "%s %s%%".formatted(each.getKey(), Amount.plain(100 * each.getValue())))
        .collect(Collectors.joining(", "));
  }
}
