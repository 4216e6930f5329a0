package io.pyrometer.driver.ignite;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.driver.ignite.path.PathDefinition;
import io.pyrometer.protocol.Job;
import io.pyrometer.protocol.RecordShape;
import io.pyrometer.protocol.RecordShape.FieldShape;
import io.pyrometer.protocol.RecordShape.FieldType;
import io.pyrometer.protocol.Settings;
import io.pyrometer.protocol.TrialSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which cache the processes of a trial use. */
class TrialCacheTest {
  private static final RecordShape RECORD =
      new RecordShape(
          "order",
          Optional.empty(),
          List.of(new FieldShape("price", FieldType.DOUBLE, 0, 0, 0, 1, List.of(), false)));

  private static String name(Settings settings, PathDefinition.Cache wanted) {
    TrialSpec trial =
        new TrialSpec("warm-up-put", -1, 0, Map.of("path", "put"), Job.WRITE, settings, RECORD, 1);
    return TrialCache.name(trial, settings, wanted);
  }

  /** The hash of an enum constant is another one in each JVM, so the name is compared as text. */
  @Test
  void theCacheOfAWarmUpHasTheSameNameInEveryJvm() {
    assertThat(name(Settings.NONE.with("backups", 1), PathDefinition.Cache.ANY))
        .isEqualTo("pyrometer-warm-up-5cde1d0b");
  }

  @Test
  void warmUpsOfAnotherKindHaveACacheOfTheirOwn() {
    String name = name(Settings.NONE.with("backups", 1), PathDefinition.Cache.ANY);
    assertThat(name(Settings.NONE.with("backups", 2), PathDefinition.Cache.ANY)).isNotEqualTo(name);
    assertThat(name(Settings.NONE.with("backups", 1), PathDefinition.Cache.SQL)).isNotEqualTo(name);
    assertThat(name(Settings.NONE.with("backups", 1).with("batch", 7), PathDefinition.Cache.ANY))
        .as("a setting that is not the cache's")
        .isEqualTo(name);
  }
}
