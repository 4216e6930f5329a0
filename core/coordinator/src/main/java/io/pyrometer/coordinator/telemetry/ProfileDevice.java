package io.pyrometer.coordinator.telemetry;

import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.protocol.Reading;
import io.pyrometer.protocol.TelemetryKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import one.convert.Arguments;
import one.convert.FlameGraph;
import one.convert.JfrToFlame;

/**
 * Flame graphs of CPU time and of allocation, of each process and merged per role, from
 * async-profiler's samples; with the collapsed stacks that they were made of.
 */
final class ProfileDevice extends TelemetryDevice {
  ProfileDevice() {
    super(TelemetryKind.PROFILE.id());
  }

  /** Subject of a drawing, with the unit that the recording is counted in for it. */
  private enum Subject {
    CPU("CPU time in samples", List.of("--cpu"), "samples"),
    ALLOCATION("allocated bytes", List.of("--alloc", "--total"), "bytes");

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> arguments;

    private final String unit;

    Subject(String title, List<String> arguments, String unit) {
      this.title = title;
      this.arguments = arguments;
      this.unit = unit;
    }

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Without them, samples between safepoints are counted at the safepoint that follows. */
  @Override
  List<String> jvmFlags() {
    return List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints");
  }

  @Override
  Map<String, String> options() {
    return Map.of("interval", "1ms", "allocated", "2m");
  }

  @Override
  void evaluate(List<Recording> recordings, Path folder, Readings into) throws IOException {
    for (Subject subject : Subject.values()) {
      Map<String, List<Path>> byRole = new TreeMap<>();
      for (Recording recording : recordings) {
        String process = recording.process().process();
        for (Path samples : recording.files()) {
          Path stacks = folder.resolve(process + "-" + subject.word() + ".collapsed");
          Arguments arguments = new Arguments(subject.arguments.toArray(String[]::new));
          arguments.output = "collapsed";
          JfrToFlame.convert(samples.toString(), stacks.toString(), arguments);
          double sum = sum(stacks);
          into.addWithRole(
              recording.process(), Reading.neutral(subject.word() + "-stacks", sum, subject.unit));
          if (sum == 0) {
            Files.delete(stacks); // a process may allocate nothing
            continue;
          }
          ListsByKey.add(byRole, recording.process().role(), stacks);
          into.add(new Readings.Artefact("collapsed-stacks", process, stacks));
          draw(process, List.of(stacks), subject, folder, into);
        }
      }
      for (Map.Entry<String, List<Path>> role : byRole.entrySet()) {
        draw(role.getKey(), role.getValue(), subject, folder, into);
      }
    }
    for (Recording recording : recordings) {
      for (Path samples : recording.files()) {
        Files.delete(samples);
      }
    }
  }

  private static void draw(
      String whose, List<Path> stacks, Subject subject, Path folder, Readings into)
      throws IOException {
    FlameGraph graph = new FlameGraph(new Arguments("--title", whose + ": " + subject.title));
    for (Path file : stacks) {
      try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
        graph.parseCollapsed(reader);
      }
    }
    Path page = folder.resolve(whose + "-" + subject.word() + ".html");
    try (OutputStream out = Files.newOutputStream(page)) {
      graph.dump(out);
    }
    into.add(new Readings.Artefact("flame-graph", whose, page));
  }

  private static double sum(Path stacks) throws IOException {
    double sum = 0;
    for (String line : Files.readAllLines(stacks, StandardCharsets.UTF_8)) {
      sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
    return sum;
  }
}
