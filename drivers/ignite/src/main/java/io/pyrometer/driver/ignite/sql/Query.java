package io.pyrometer.driver.ignite.sql;

import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongBinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One query of a mix.
 *
 * @param weight how often it is drawn, relative to the others
 * @param parameters one for each of its question marks
 */
public record Query(String name, double weight, List<Parameter> parameters, String sql) {

  /** How many drawn keys its parameters use; the first is there even if none does. */
  public int keys() {
    return 1 + (int) parameters.stream().filter(Parameter::usesKey).count();
  }

  /**
   * The values of its question marks.
   *
   * @param key the drawn key of an index below {@link #keys()}
   */
  public Object[] arguments(IntToLongFunction key) {
    Object[] values = new Object[parameters.size()];
    int used = 0;
    long previous = 0;
    for (int i = 0; i < values.length; i++) {
      Parameter parameter = parameters.get(i);
      long drawn = key.applyAsLong(parameter.usesKey() ? ++used : 0);
      previous = parameter.value().applyAsLong(drawn, previous);
      values[i] = previous;
    }
    return values;
  }

  /**
   * Value of one question mark of a query.
   *
   * @param usesKey whether it uses a drawn key that no parameter before it uses
   * @param value of the drawn key and the value before it
   */
  record Parameter(boolean usesKey, LongBinaryOperator value) {
    private static final Pattern FORM =
        Pattern.compile("(key|other|previous)(?:\\+(\\d{1,9}))?|(\\d{1,9})\\.\\.(\\d{1,9})");

    /**
     * Reads {@code key}, {@code other}, {@code previous+49} or {@code 1..100}.
     *
     * @throws IllegalArgumentException if the text is no parameter
     */
    static Parameter of(String text) {
      Matcher form = FORM.matcher(text);
      if (!form.matches()) {
        throw new IllegalArgumentException(
            "'%s' is no parameter: take key, other or previous, with +N if need be, or LOW..HIGH"
                .formatted(text));
      }
      if (form.group(1) != null) {
        long added = form.group(2) == null ? 0 : Long.parseLong(form.group(2));
        return form.group(1).equals("previous")
            ? new Parameter(false, (key, previous) -> previous + added)
            : new Parameter(form.group(1).equals("other"), (key, previous) -> key + added);
      }
      long low = Long.parseLong(form.group(3));
      long size = Long.parseLong(form.group(4)) - low + 1;
      if (size < 1) {
        throw new IllegalArgumentException(
            "'%s' is no range: its low end is above its high end".formatted(text));
      }
      // The same number for the same key.
      return new Parameter(
          true, (key, previous) -> low + Math.floorMod((key * 0x9E3779B97F4A7C15L) >>> 17, size));
    }
  }
}
