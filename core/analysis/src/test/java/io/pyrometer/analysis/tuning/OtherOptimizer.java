package io.pyrometer.analysis.tuning;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.pyrometer.analysis.tuning.TuningSpace.Knob;
import io.pyrometer.analysis.tuning.TuningSpace.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A search by another program, for which this one evaluates: {@code lab/smac-search.py}. */
final class OtherOptimizer {
  private OtherOptimizer() {}

  /**
   * The configuration that the program found to be the best.
   *
   * @param command of the program, by spaces
   * @param response of a trial; not a number where it fails
   */
  static List<Integer> search(
      String command,
      TuningSpace space,
      int trials,
      long seed,
      ToDoubleFunction<List<Integer>> response) {
    ProcessBuilder builder =
        new ProcessBuilder(command.split(" ")).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put("OMP_NUM_THREADS", "1");
    try {
      Process process = builder.start();
      try (BufferedReader from =
              new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
          PrintWriter to = new PrintWriter(process.getOutputStream(), true, UTF_8)) {
        to.println(trials + " " + seed % Integer.MAX_VALUE);
        space.knobs().forEach(knob -> to.println(line(knob)));
        to.println();
        for (String line = from.readLine(); !line.isBlank(); line = from.readLine()) {
          to.println(response.applyAsDouble(configuration(space, line)));
        }
        return configuration(space, from.readLine());
      } finally {
        process.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String line(Knob knob) {
    StringBuilder line = new StringBuilder();
    line.append(knob.levels()).append(knob.ordered() ? " 1 " : " 0 ").append(knob.initial());
    line.append(' ').append(knob.needs().map(Needs::knob).orElse(-1));
    knob.needs().ifPresent(needs -> needs.levels().forEach(at -> line.append(' ').append(at)));
    return line.toString();
  }

  private static List<Integer> configuration(TuningSpace space, String line) {
    return space.canonical(Arrays.stream(line.split(" ")).map(Integer::valueOf).toList());
  }
}
