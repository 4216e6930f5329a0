package io.pyrometer.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pyrometer.coordinator.fake.FakeRun;
import io.pyrometer.experiment.plan.Group;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.journal.TrialRecord;
import io.pyrometer.journal.TrialRecord.Outcome;
import io.pyrometer.journal.TrialRecord.Verification;
import io.pyrometer.protocol.Answer;
import io.pyrometer.protocol.Command;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import io.pyrometer.protocol.message.Messages;
import io.pyrometer.scenario.ScenarioMessages.CollectScenario;
import io.pyrometer.scenario.ScenarioMessages.PrepareScenario;
import io.pyrometer.scenario.ScenarioMessages.ScenarioRecorded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one trial of a scenario does in its phases, and what its record then says. */
class ScenarioTrialTest {
  @TempDir Path runs;
  private FakeRun run;

  @BeforeEach
  void newRun() {
    run = new FakeRun(runs);
  }

  private static Settings settings(int services) {
    Settings roles =
        FakeRun.settings("service")
            .with("common-warm-up", 0)
            .with(ScenarioSettings.SERVICE_PROCESSES, services)
            .with(ScenarioSettings.MOCK_PROCESSES, 1)
            .with(ScenarioSettings.REPLY_TIMEOUT, 20.0)
            .with(ScenarioSettings.KILL, ScenarioSettings.KILL_NOTHING)
            .with(ScenarioSettings.KILL_AFTER, 1.0);
    return roles.with("agents", ScenarioRole.agents(roles));
  }

  private List<Group> trials(Settings settings, int count) {
    List<TrialSpec> specs = IntStream.range(0, count).mapToObj(i -> level(0, i, settings)).toList();
    return List.of(new Group(0, settings, specs));
  }

  private FakeScenario scenario(Settings settings) {
    return FakeScenario.on(run.grid(), run.time(), settings);
  }

  private List<TrialRecord> attempts(Settings settings) {
    return run.run(trials(settings, 1));
  }

  private static double value(TrialRecord trial, String metric) {
    return trial.value(metric).orElseThrow();
  }

  private static Verification verification(TrialRecord trial) {
    return trial.result().verification().orElseThrow();
  }

  @Test
  void theFirstServiceMakesTheCacheBeforeTheOthersAndTheClientLoadsAlone() {
    Settings settings = settings(2);
    FakeScenario unused = scenario(settings);
    TrialRecord made = attempts(settings).get(0);
    assertThat(made.outcome()).isEqualTo(Outcome.OK);
    assertThat(run.grid().order())
        .containsSubsequence(
            "agent-1 PrepareScenario",
            "agent-0 PrepareScenario",
            "agent-0 ConnectScenario",
            "agent-0 CompareClocks",
            "agent-0 Begin",
            "agent-0 Measure",
            "agent-0 Finish",
            "agent-0 CompareClocks",
            "agent-1 Finish",
            "agent-3 Finish",
            "agent-1 Finish",
            "agent-0 CollectScenario")
        .doesNotContain("agent-1 Begin", "agent-2 Begin", "agent-3 Begin");
    assertThat(made.configuration())
        .containsEntry("role.agent-0", "client-0")
        .containsEntry("role.agent-2", "service-1")
        .containsEntry("role.agent-3", "mock-0");
    assertThat(made.timeline().phases().warmUp()).isCloseTo(1, within(0.05));
    assertThat(made.timeline().phases().measure()).isCloseTo(3, within(0.05));
  }

  private static TrialSpec level(int level, int ordinal, Settings settings) {
    return new TrialSpec(
        "000%d-b1-service".formatted(ordinal + 1),
        ordinal,
        0,
        Map.of("level", String.valueOf(level)),
        ScenarioMessages.JOB,
        settings,
        ScenarioKind.RECORD,
        7);
  }

  /** Levels of one path run different code, but not those that differ in rate or fault alone. */
  @Test
  void theCommonWarmUpGoesOverEveryLevelOfAScenarioThatRunsCodeOfItsOwn() {
    Settings common = settings(2).with("common-warm-up", 8).with(ScenarioSettings.RATE, 500.0);
    FakeScenario unused = scenario(common);
    List<TrialSpec> trials =
        List.of(
            level(0, 0, common.with(ScenarioSettings.RATE, 4_000.0).with("handler", "lock")),
            level(1, 1, common.with("handler", "optimistic")),
            level(2, 2, common.with(ScenarioSettings.RATE, 200.0).with("handler", "lock")),
            level(
                3,
                3,
                common
                    .with(ScenarioSettings.KILL, ScenarioSettings.KILL_SERVICE)
                    .with(ScenarioSettings.DROP_MESSAGE, 7)
                    .with("handler", "lock")));
    List<TrialRecord> made = run.run(List.of(new Group(0, common, trials)));
    assertThat(made).hasSize(4);
    List<String> warmed =
        run.grid().told(Command.OfKind.class).stream()
            .filter(told -> told.name().equals("PrepareScenario"))
            .map(told -> told.as(PrepareScenario.class))
            .filter(it -> it.trial().warmsUp() && it.role() == ScenarioRole.CLIENT)
            .map(
                it ->
                    "%s at %.0f/s"
                        .formatted(
                            it.trial().settings().text("handler"),
                            it.trial().settings().get(ScenarioSettings.RATE)))
            .toList();
    assertThat(warmed).containsExactly("lock at 200/s", "optimistic at 500/s");
  }

  @Test
  void theLogsOfAllProcessesAreKeptAndJudged() {
    Settings settings = settings(2);
    FakeScenario unused = scenario(settings);
    List<Group> plan = trials(settings, 1);
    RunFolder folder = run.begin(run.plan(plan));
    TrialRecord made = run.resume(run.plan(plan), folder).get(0);
    assertThat(verification(made).passed()).as(verification(made).found()).isTrue();
    assertThat(value(made, "requests")).isEqualTo(FakeScenario.REQUESTS);
    assertThat(value(made, "outcome.completed")).isEqualTo(100);
    assertThat(value(made, "split.mock")).isCloseTo(50, within(1e-9));
    assertThat(made.artefacts())
        .filteredOn(artefact -> artefact.kind().equals(ScenarioSummary.SPANS))
        .extracting(TrialRecord.Artefact::process)
        .containsExactly("client-0", "service-0", "service-1", "mock-0");
    assertThat(made.artefacts()).allMatch(artefact -> Files.exists(folder.file(artefact.file())));
  }

  @ParameterizedTest
  @CsvSource({"0, false", "1, true", "2, false"})
  void anAnswerDroppedOnPurposeMustBeFoundAndNoOther(int lost, boolean passed) {
    Settings settings = settings(1).with(ScenarioSettings.DROP_MESSAGE, 3);
    FakeScenario unused = scenario(settings).loses(lost);
    TrialRecord made = attempts(settings).get(0);
    assertThat(verification(made).passed()).as(verification(made).found()).isEqualTo(passed);
    assertThat(made.throughput().isPresent()).isEqualTo(passed);
    String dropped = Messages.format("scenario.verify-dropped").formatted(1, lost);
    assertThat(verification(made).found().endsWith(dropped)).isNotEqualTo(passed);
  }

  /** Whichever process it is, its trial fails with the reason and is made again on fresh ones. */
  @ParameterizedTest
  @CsvSource({
    "agent-0, Measure",
    "agent-0, Finish",
    "agent-1, PrepareScenario",
    "agent-1, Finish",
    "agent-2, CollectScenario",
    "agent-2, FetchFile",
    "agent-0, CompareClocks"
  })
  void aProcessThatIsKilledFailsItsTrialAndLeavesNoOther(String process, String command)
      throws ClassNotFoundException {
    Settings settings = settings(1);
    Class<?> messages =
        command.equals("CompareClocks") || command.endsWith("Scenario")
            ? ScenarioMessages.class
            : Command.class;
    run.grid().dies(process, Class.forName(messages.getName() + "$" + command), 0);
    FakeScenario unused = scenario(settings);
    List<TrialRecord> made = attempts(settings);
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(made.get(0).why().orElseThrow()).contains(process + " was killed");
    assertThat(run.grid().living()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"agent-0", "agent-1", "agent-2", "node-0"})
  void aProcessThatDiesWhileItIsMeasuredIsMissedAtOnce(String process) {
    Settings settings = settings(1);
    FakeScenario unused = scenario(settings);
    boolean[] done = new boolean[1];
    run.time()
        .onTick(
            () -> {
              if (!done[0] && run.grid().order().contains("agent-0 Measure")) {
                done[0] = true;
                run.grid().living().stream()
                    .filter(each -> each.name().equals(process))
                    .forEach(each -> each.die("was killed"));
              }
            });
    List<TrialRecord> made = attempts(settings);
    assertThat(made).extracting(TrialRecord::outcome).containsExactly(Outcome.FAILED, Outcome.OK);
    assertThat(made.get(0).why().orElseThrow()).endsWith(": " + process + " was killed.");
    assertThat(made.get(0).timeline().phases().measure()).isLessThan(1);
    assertThat(run.grid().living()).isEmpty();
  }

  @Test
  void aServiceThatIsKilledOnPurposeIsReadFromItsFileAndItsClusterIsNotUsedAgain() {
    Settings settings =
        settings(2).with(ScenarioSettings.KILL, ScenarioSettings.KILL_SERVICE).with("nodes", 1);
    FakeScenario unused = scenario(settings);
    List<TrialRecord> made = run.run(trials(settings, 2));
    assertThat(made).hasSize(2);
    for (TrialRecord trial : made) {
      assertThat(trial.outcome()).isEqualTo(Outcome.OK);
      assertThat(trial.configuration()).containsEntry("killed", "service-1 after 1.0 s");
      assertThat(verification(trial).passed()).as(verification(trial).found()).isTrue();
      assertThat(value(trial, "count.requests-of-a-killed-service")).isEqualTo(5);
      assertThat(value(trial, "outcome.timed-out")).isEqualTo(25);
      assertThat(value(trial, "outcome.completed")).isEqualTo(75);
    }
    assertThat(run.grid().started())
        .filteredOn(process -> process.name().equals("agent-2"))
        .as("one for each trial")
        .hasSize(2);
    assertThat(run.grid().told(Command.TearDown.class)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"service, 1, 2", "node, 2, 1"})
  void theLastOfItsKindIsNotKilled(String kill, int services, int nodes) {
    Settings settings = settings(services).with(ScenarioSettings.KILL, kill).with("nodes", nodes);
    FakeScenario unused = scenario(settings);
    assertThat(attempts(settings).get(0).why().orElseThrow())
        .endsWith(Messages.format("scenario.last-process").formatted(kill, kill));
  }

  @Test
  void aServiceThatIsStillBusyFailsTheTrialWithItsSentence() {
    Settings settings = settings(1);
    run.grid().refuses("agent-1", Command.Finish.class, 0, 9, "service-0 is still busy.");
    FakeScenario unused = scenario(settings);
    assertThat(attempts(settings))
        .extracting(trial -> trial.why().orElse(""))
        .allMatch(why -> why.endsWith(": agent-1: service-0 is still busy."));
  }

  @Test
  void aLogThatIsNoneFailsTheTrialInASentence() throws IOException {
    Settings settings = settings(1);
    Path garbage = Files.writeString(runs.resolve("garbage"), "garbage");
    run.grid()
        .on(
            "agent-2",
            CollectScenario.class,
            0,
            9,
            (it, told) ->
                Optional.of(
                    Answer.OfKind.of(
                        new ScenarioRecorded(
                            Map.of(), garbage.toString(), 7, List.of(), List.of()))));
    FakeScenario unused = scenario(settings);
    assertThat(attempts(settings).get(0).why().orElseThrow())
        .contains(Messages.format("scenario.logs-unreadable").split("%s", -1)[0]);
  }
}
