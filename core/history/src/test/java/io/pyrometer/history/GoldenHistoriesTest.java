package io.pyrometer.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pyrometer.history.Edn.Keyword;
import io.pyrometer.history.linear.Linearizability;
import io.pyrometer.history.linear.Model;
import io.pyrometer.history.linear.Register;
import io.pyrometer.history.transaction.AnomalyType;
import io.pyrometer.history.transaction.Isolation;
import io.pyrometer.history.transaction.TransactionCheck;
import io.pyrometer.history.transaction.TransactionCheckTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The verdicts of Porcupine, Knossos and Elle on their own published histories. Those are not part
 * of this project: the tests read them from the folder that {@code -Dpyrometer.histories} names, or
 * from {@code shared/golden/histories} beside a clone, and are skipped where there is none.
 */
class GoldenHistoriesTest {
  private static final Path FOLDER =
      Path.of(System.getProperty("pyrometer.histories", "../../../shared/golden/histories"));

  /** Enough for each verdict; the time that is left is spent on a small counterexample. */
  private static final Bound BOUND = new Bound(2_000_000, Bound.DEFAULT.bytes());

  private static final Pattern JEPSEN_LOG =
      Pattern.compile("INFO +jepsen\\.util - (\\d+)\\s+:(\\w+)\\s+:(\\w+)\\s+(.*)");

  @BeforeAll
  static void findHistories() {
    assumeTrue(
        Files.isDirectory(FOLDER),
        "There are no published histories in " + FOLDER.toAbsolutePath().normalize() + ".");
  }

  static Stream<String> linearizability() throws IOException {
    return lines("expected.csv").skip(1);
  }

  static Stream<String> isolation() throws IOException {
    return lines("elle/cases.txt").filter(line -> !line.startsWith("#"));
  }

  private static Stream<String> lines(String file) throws IOException {
    return Files.isDirectory(FOLDER)
        ? Files.readAllLines(FOLDER.resolve(file)).stream()
        : Stream.of("none");
  }

  @ParameterizedTest
  @MethodSource("linearizability")
  void linearizabilityHasThePublishedVerdict(String line) throws IOException {
    String[] columns = line.split(",");
    String text = Files.readString(FOLDER.resolve(columns[0]));
    Verdict verdict =
        switch (columns[1]) {
          case "etcd" -> check(Register.EMPTY, etcd(text));
          case "kv" -> check(new TextRegister(), keyed(text));
          case "multi-register" -> check(new Registers(), HistoryFile.read(text, false));
          case "mutex" -> check(new Register(false), mutex(HistoryFile.read(text, false)));
          default -> check(new Register(0L), known(HistoryFile.read(text, false)));
        };
    assertThat(verdict.name().toLowerCase()).isEqualTo(columns[2]);
  }

  private static <S> Verdict check(Model<S> model, List<Operation> history) {
    assertThat(history).isNotEmpty();
    return Linearizability.check(model, history, BOUND).verdict();
  }

  /** Knossos takes a read of nil for one without an answer. */
  private static List<Operation> known(List<Operation> history) {
    return history.stream()
        .filter(o -> !(o.ok() && o.function().equals("read") && o.result() == Edn.NIL))
        .toList();
  }

  private static List<Operation> mutex(List<Operation> history) {
    return history.stream()
        .map(
            o -> {
              boolean acquires = o.function().equals("acquire");
              return new Operation(
                  o.process(),
                  "cas",
                  Edn.NIL,
                  List.of(!acquires, acquires),
                  o.ok() ? true : Edn.NIL,
                  o.invoked(),
                  o.completed(),
                  o.outcome());
            })
        .toList();
  }

  /** A failed comparison has read, and a read that failed has not. */
  private static List<Operation> etcd(String log) {
    StringBuilder edn = new StringBuilder();
    for (String line : log.lines().toList()) {
      Matcher matcher = JEPSEN_LOG.matcher(line.strip());
      if (!matcher.matches() || matcher.group(2).equals("info")) {
        continue;
      }
      boolean compareFailed = matcher.group(2).equals("fail") && matcher.group(3).equals("cas");
      edn.append(
          "{:process %s :type :%s :f :%s :value %s %s}\n"
              .formatted(
                  matcher.group(1),
                  matcher.group(2),
                  matcher.group(3),
                  matcher.group(4),
                  compareFailed ? ":error :compare-failed" : ""));
    }
    return HistoryFile.read(edn.toString(), false);
  }

  /** Keys are an entry of their own here. */
  private static List<Operation> keyed(String text) {
    StringBuilder edn = new StringBuilder();
    for (Object each : Edn.readAll(text)) {
      Map<Object, Object> map = new HashMap<>((Map<?, ?>) each);
      map.put(
          new Keyword("value"),
          List.of(map.get(new Keyword("key")), map.get(new Keyword("value"))));
      edn.append(Edn.print(map)).append('\n');
    }
    return HistoryFile.read(edn.toString(), true);
  }

  /** Text that can be appended to. */
  private record TextRegister() implements Model<String> {
    @Override
    public String initial() {
      return "";
    }

    @Override
    public Optional<String> step(String state, Operation operation) {
      return switch (operation.function()) {
        case "get" ->
            !operation.ok() || operation.result().equals(state)
                ? Optional.of(state)
                : Optional.empty();
        case "put" -> Optional.of((String) operation.argument());
        default -> Optional.of(state + operation.argument());
      };
    }

    @Override
    public boolean onlyReads(Operation operation) {
      return operation.function().equals("get");
    }
  }

  /** Registers that are read and written together, all 0 at first. */
  private record Registers() implements Model<Map<Object, Object>> {
    @Override
    public Map<Object, Object> initial() {
      return Map.of();
    }

    @Override
    public Optional<Map<Object, Object>> step(Map<Object, Object> state, Operation operation) {
      Map<Object, Object> after = new HashMap<>(state);
      for (Object access : (List<?>) (operation.ok() ? operation.result() : operation.argument())) {
        List<?> triple = (List<?>) access;
        Object value = triple.get(2);
        if (triple.get(0).equals(new Keyword("write"))) {
          after.put(triple.get(1), value);
        } else if (value != Edn.NIL && !after.getOrDefault(triple.get(1), 0L).equals(value)) {
          return Optional.empty();
        }
      }
      return Optional.of(after);
    }

    @Override
    public boolean onlyReads(Operation operation) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("isolation")
  void transactionsHaveThePublishedAnomalies(String line) {
    String[] columns = Arrays.stream(line.split("\\|")).map(String::strip).toArray(String[]::new);
    List<Operation> history = TransactionCheckTest.history(columns[2]);
    boolean linearizable = columns[1].contains("linearizable");
    Isolation strongest =
        columns[1].contains("realtime") ? Isolation.STRICT_SERIALIZABLE : Isolation.SERIALIZABLE;
    List<AnomalyType> found =
        TransactionCheck.of(history, strongest, linearizable, Bound.DEFAULT).anomalies().stream()
            .map(anomaly -> anomaly.type())
            .toList();
    for (String type : columns[3].isEmpty() ? new String[0] : columns[3].split(" ")) {
      assertThat(found).contains(AnomalyType.valueOf(type));
    }
    assertThat(TransactionCheckTest.strongest(history, linearizable)).isEqualTo(columns[4]);
  }

  @Test
  void elleFilesHaveThePublishedVerdict() throws IOException {
    assertThat(strongest("elle/paper-example.edn")).isEqualTo("READ_COMMITTED");
    assertThat(strongest("elle/si-without-g-single.edn")).isEqualTo("SNAPSHOT");
  }

  private static String strongest(String file) throws IOException {
    return TransactionCheckTest.strongest(
        HistoryFile.read(Files.readString(FOLDER.resolve(file)), false), false);
  }
}
