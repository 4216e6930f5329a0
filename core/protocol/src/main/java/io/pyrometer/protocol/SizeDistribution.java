package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Sizes in bytes or characters, each with its share: {@code 100 70%, 1k..4k 30%}. Within a range
 * every size is equally likely.
 *
 * @param text as {@link #parse} reads it
 */
public record SizeDistribution(String text, List<Range> ranges) {
  public static final int MAX_SIZE = 16 << 20;

  /**
   * Sizes between two, both inclusive.
   *
   * @param share of the records
   */
  public record Range(int least, int most, double share) {}

  /** Reads {@code size share, …} or one range; empty if the text is neither. */
  public static Optional<SizeDistribution> parse(String text) {
    boolean one = text.contains("..") && !text.contains("%");
    Optional<Shares> shares = Shares.parse(one ? text.strip() + " 100%" : text);
    if (shares.isEmpty()) {
      return Optional.empty();
    }
    List<Range> ranges = new ArrayList<>();
    shares.get().byName().forEach((name, share) -> range(name, share).ifPresent(ranges::add));
    return ranges.size() == shares.get().byName().size()
        ? Optional.of(new SizeDistribution(text, List.copyOf(ranges)))
        : Optional.empty();
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static SizeDistribution of(String text) {
    return parse(text).orElseThrow();
  }

  @Override
  @JsonValue
  public String text() {
    return text;
  }

  private static Optional<Range> range(String name, double share) {
    String[] ends = name.toLowerCase(Locale.ROOT).split("[.][.]", 2);
    Optional<Integer> least = size(ends[0]);
    Optional<Integer> most = size(ends[ends.length - 1]);
    return least.isPresent() && most.isPresent() && least.get() <= most.get()
        ? Optional.of(new Range(least.get(), most.get(), share))
        : Optional.empty();
  }

  private static Optional<Integer> size(String text) {
    return Amount.parse(text, Amount.BYTES)
        .map(Number::longValue)
        .filter(size -> size >= 1 && size <= MAX_SIZE)
        .map(Math::toIntExact);
  }

  /** The mean size, rounded. */
  public int mean() {
    return (int)
        Math.round(
            ranges.stream().mapToDouble(each -> each.share * (each.least + each.most) / 2.0).sum());
  }

  /**
   * The size at a place of the distribution.
   *
   * @param place from 0 (inclusive) to 1 (exclusive)
   */
  public int at(double place) {
    double left = place;
    for (Range range : ranges) {
      if (left < range.share) {
        return range.least + (int) (left / range.share * (range.most - range.least + 1L));
      }
      left -= range.share;
    }
    return ranges.get(ranges.size() - 1).most;
  }
}
