package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.analysis.profile.StackCategories;
import io.pyrometer.protocol.FrameCategory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * The categories of CPU time, on the stacks of a run of {@code first-light} (Ignite 2.17.0, JDK 17,
 * 26 November 2026; of longer stacks the 8 outermost and 32 innermost frames).
 */
class FrameCategoriesTest {
  private static final double MOST_OTHER = 0.1;

  private static Map<String, List<String>> stacks() throws IOException {
    Map<String, List<String>> byPath = new LinkedHashMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(
                    Objects.requireNonNull(
                        FrameCategoriesTest.class.getResourceAsStream("first-light-stacks.gz"))),
                StandardCharsets.UTF_8))) {
      List<String> of = new ArrayList<>();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("# ")) {
          of = byPath.computeIfAbsent(line.substring(2), path -> new ArrayList<>());
        } else {
          of.add(line);
        }
      }
    }
    return byPath;
  }

  @Test
  void lessThanATenthOfTheCpuTimeOfEachPathHasNoCategory() throws IOException {
    StackCategories categories =
        new StackCategories(
            new IgniteDriver()
                .describe().frameCategories().stream().map(FrameCategory::asEntry).toList());
    Map<String, List<String>> stacks = stacks();
    assertThat(stacks)
        .containsKeys("put", "put-all", "get", "streamer", "sql-aggregate")
        .hasSize(8);
    stacks.forEach(
        (path, lines) -> {
          Map<String, Long> counts = categories.count(lines.stream());
          double all = counts.values().stream().mapToLong(Long::longValue).sum();
          assertThat(all).as("samples of " + path).isGreaterThan(100);
          assertThat(counts.getOrDefault(StackCategories.OTHER, 0L) / all)
              .as("other of " + path + ": " + counts)
              .isLessThan(MOST_OTHER);
        });
  }
}
