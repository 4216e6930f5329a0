package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void everyKindOfCommandAndAnswerComesBackAsItWasSent() throws Exception {
    Settings settings = Settings.NONE.with("nodes", 3).with("path", "put");
    for (Command command :
        List.of(
            new Command.ReservePorts(2, "127.0.0.1"),
            new Command.StartServer(
                0, 1, List.of(1), List.of("a:1"), Optional.of("x.xml"), "work", settings),
            new Command.PrepareRecording("profile", "work", Map.of("settings", "profile")),
            new Command.StartRecording("profile"),
            new Command.StopRecording("profile"),
            new Command.FetchFile("x.jfr", 1L << 40, 1),
            new Command.Stop())) {
      String line = Json.LINES.writeValueAsString(new Line.Down(1, command));
      assertThat(Json.LINES.readValue(line, Line.Down.class)).isEqualTo(new Line.Down(1, command));
    }
    for (Answer answer :
        List.of(
            new Answer.Hello(1, "17"),
            new Answer.RecordingPrepared(Map.of("engine", "ctimer"), Optional.of("No room.")),
            new Answer.Recorded(1.5, List.of(Reading.lower("pause", 3, "ms")), List.of("x.jfr")),
            new Answer.FilePart("AA==", 1),
            new Answer.Verified(
                new Evidence.Contents(
                    ContentDigest.EMPTY, Optional.of(new ContentDigest(1, -2)), 3)),
            new Answer.Verified(
                new Evidence.WholeSet(
                    List.of(new Aggregate(3, Map.of("price", 1.5))), Optional.empty(), true)),
            new Answer.Verified(new Evidence.Queries(Optional.empty())),
            new Answer.Verified(
                new SharedKeys(9, keys(1, 8), keys(), keys(1), keys(0), 2, Optional.of(7L))),
            new Answer.Verified(
                new Transfers(
                    2,
                    PackedNumbers.of(new long[] {-7, 7}),
                    PackedNumbers.of(new long[] {1, 0}),
                    PackedNumbers.of(new long[] {0, 1}),
                    Optional.of(PackedNumbers.of(new long[] {0, Long.MIN_VALUE})),
                    1)),
            new Answer.Finished(
                1.5,
                10,
                9,
                1,
                0,
                List.of("TimeoutException: late"),
                List.of(new Answer.Interval(0, 1, Map.of("get", "SGlzdG8="))),
                7,
                Optional.of(new Arrivals(10, 9, 9, 0, 1)),
                Map.of("rollbacks-conflict", 3L),
                Optional.of(
                    new Slowest(
                        1_795_000_000_000_000L,
                        Map.of(
                            "put",
                            new Slowest.OfOperation(-1, List.of(new SlowCall(-3, 5_000_000, 0)))))),
                900))) {
      Line.Up up = new Line.Up(Optional.of(7L), answer);
      String line = Json.LINES.writeValueAsString(up);
      assertThat(Json.LINES.readValue(line, Line.Up.class)).isEqualTo(up);
    }
  }

  private static PackedNumbers keys(int... keys) {
    BitSet bits = new BitSet();
    Arrays.stream(keys).forEach(bits::set);
    PackedNumbers packed = PackedNumbers.of(bits.toLongArray());
    assertThat(BitSet.valueOf(packed.numbers())).isEqualTo(bits);
    return packed;
  }
}
