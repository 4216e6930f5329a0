package io.pyrometer.protocol;

import java.util.Map;

/**
 * A kind of work of a product, recognised by stack frames.
 *
 * @param name as reports show it, such as {@code marshalling}
 * @param frames a regular expression, searched in frames as async-profiler writes them: {@code
 *     a/product/nio/Server.body_[j]}
 */
public record FrameCategory(String name, String frames) {

  /** The name and the regular expression. */
  public Map.Entry<String, String> asEntry() {
    return Map.entry(name, frames);
  }
}
