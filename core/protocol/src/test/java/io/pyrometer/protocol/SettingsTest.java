package io.pyrometer.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.ServerDescription.MemoryNeed;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingsTest {

  @Test
  void aKeyReadsTheValueOrElseItsDefault() {
    assertThat(Settings.NONE.get(CoreSettings.NODES)).isEqualTo(3);
    assertThat(new Settings(Map.of("nodes", 5L)).get(CoreSettings.NODES)).isEqualTo(5);
    assertThat(new Settings(Map.of("telemetry", "gc,stalls")).get(CoreSettings.TELEMETRY))
        .containsExactly("gc", "stalls");
    assertThat(Settings.NONE.get(CoreSettings.TELEMETRY)).isEmpty();
  }

  @Test
  void aKeyWithoutADefaultIsAbsentUnlessGiven() {
    assertThat(Settings.NONE.find(CoreSettings.BYTES)).isEmpty();
    assertThat(Settings.NONE.with(CoreSettings.BYTES, 64L).find(CoreSettings.BYTES)).contains(64L);
    assertThatThrownBy(() -> Settings.NONE.get(CoreSettings.PATH))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("path");
  }

  @Test
  void everyCoreSettingIsDeclaredOnceAndItsDefaultIsReadable() throws IllegalAccessException {
    assertThat(CoreSettings.ALL).extracting(SettingDescription::name).doesNotHaveDuplicates();
    assertThat(CoreSettings.ALL).extracting(SettingDescription::summary).doesNotContain("");
    for (Field field : CoreSettings.class.getFields()) {
      if (field.get(null) instanceof SettingKey<?> key) {
        assertThat(Settings.NONE.find(key).isPresent())
            .as(key.name())
            .isEqualTo(key.description().initial().isPresent());
      }
    }
    assertThat(CoreSettings.TELEMETRY.description().choices())
        .containsAll(Stream.of(TelemetryKind.values()).map(TelemetryKind::id).toList());
  }

  @Test
  void settingsStayAPlainMapInJson() throws JsonProcessingException {
    Settings settings = Settings.NONE.with(CoreSettings.NODES, 2).with(CoreSettings.KEYS, "zipf");
    String json = Json.LINES.writeValueAsString(settings);
    assertThat(json).isEqualTo("{\"keys\":\"zipf\",\"nodes\":2}");
    assertThat(Json.LINES.readValue(json, Settings.class).get(CoreSettings.NODES)).isEqualTo(2);
  }

  @Test
  void descriptionsWithTraitsSurviveJson() throws JsonProcessingException {
    for (SettingDescription setting : CoreSettings.ALL) {
      String json = Json.LINES.writeValueAsString(setting);
      assertThat(Json.LINES.readValue(json, SettingDescription.class)).isEqualTo(setting);
    }
  }

  @Test
  void aServersMemoryIsTheSumOfWhatTheDriverDeclares() {
    long mib = 1L << 20;
    ServerDescription servers =
        new ServerDescription(
            false,
            List.of(),
            80,
            60,
            List.of(
                new MemoryNeed("region", 1, 0, Optional.empty()),
                new MemoryNeed("region", 0.25, 256 * mib, Optional.of("persistence"))),
            ServerDescription.USUAL_FAIL_OVER_SECONDS,
            Optional.empty());
    Settings small = Settings.NONE.with("region", 128 * mib).with("persistence", false);
    assertThat(servers.memoryBytes(small)).isEqualTo(128 * mib);
    assertThat(servers.memoryBytes(small.with("persistence", true))).isEqualTo(256 * mib);
    Settings middle = small.with("region", 512 * mib).with("persistence", true);
    assertThat(servers.memoryBytes(middle)).isEqualTo(768 * mib);
    Settings large = small.with("region", 4096 * mib).with("persistence", true);
    assertThat(servers.memoryBytes(large)).isEqualTo(5120 * mib);
    assertThat(servers.memoryBytes(Settings.NONE)).isZero();
  }

  @Test
  void theCommonWarmUpCapsWhatIsDeclaredToBeCapped() {
    SettingDescription capped = CoreSettings.DISTINCT_RECORDS.description();
    assertThat(capped.inWarmUp(65_536L)).isEqualTo(1_000L);
    assertThat(capped.inWarmUp(10L)).isEqualTo(10L);
    assertThat(CoreSettings.RECORDS.description().inWarmUp(65_536L)).isEqualTo(65_536L);
  }
}
