package io.pyrometer.protocol;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of work of a product, recognised by stack frames.
 *
 * @param name as reports show it, such as {@code marshalling}
 * @param frames a regular expression, searched in frames as async-profiler writes them: {@code
 *     a/product/nio/Server.body_[j]}
 * @param remedy what there is against too much of it
 */
public record FrameCategory(String name, String frames, Optional<Remedy> remedy) {

  /**
   * A setting of experiments that causes a kind of work, and another value that avoids it.
   *
   * @param from the share of the CPU time of clients or servers from which the work is worth a
   *     change, 0 to 1
   * @param setting its name
   * @param causing the values that cause the work
   * @param instead the value that avoids it
   * @param source address of the page that the advice follows
   */
  public record Remedy(
      double from, String setting, List<String> causing, String instead, String source) {}

  /** The name and the regular expression. */
  public Map.Entry<String, String> asEntry() {
    return Map.entry(name, frames);
  }
}
