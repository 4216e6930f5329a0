package io.pyrometer.results.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.pyrometer.protocol.SettingDescription.Scope;
import io.pyrometer.protocol.SettingDescription.Tunable;
import io.pyrometer.protocol.SettingKey;
import io.pyrometer.results.tuning.ConfigurationDiff.Change;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ConfigurationDiffTest {
  private static final String STORE = "a.Node/store:a.b.Store/";

  private static Tunable at(String property, double factor) {
    return new Tunable("group", List.of(), property, factor, Optional.empty());
  }

  private static final ConfigurationDiff DIFF =
      new ConfigurationDiff(
          List.of(
              new Change(
                  SettingKey.integer("pool", Scope.PROCESS, 8, 1, 64)
                      .tunable(at("a.Node/poolSize", 1))
                      .description(),
                  "8",
                  "4"),
              new Change(
                  SettingKey.seconds("frequency", Scope.PROCESS, 180, 0, 1e6)
                      .tunable(at(STORE + "frequency", 1_000))
                      .description(),
                  "180s",
                  "60s"),
              new Change(
                  SettingKey.bytes("buffer", Scope.PROCESS, 0, 0, 1e13)
                      .tunable(at(STORE + "buffer", 1))
                      .description(),
                  "0",
                  "4g"),
              new Change(
                  SettingKey.choice("mode", Scope.CACHE, "SAFE", "FAST")
                      .tunable(at("a.Cache/mode:a.WriteMode", 1))
                      .description(),
                  "SAFE",
                  "FAST"),
              new Change(
                  SettingKey.choice("collector", Scope.PROCESS, "G1", "Z").description(),
                  "as the JVM chooses",
                  "Z"),
              new Change(
                  SettingKey.seconds("node-timeout", Scope.PROCESS, 2, 0, 60)
                      .tunable(at("cluster-node-timeout", 1_000))
                      .description(),
                  "2s",
                  "500ms"),
              new Change(
                  SettingKey.integer("batch", Scope.LOAD, 100, 1, 1_000).description(),
                  "100",
                  "500")));

  @Test
  void theExperimentsFileHasThemWhereTheyBelong() {
    assertThat(DIFF.yaml().lines())
        .containsExactly(
            " grid:",
            "-  # pool: 8",
            "+  pool: 4",
            "-  # frequency: 180s",
            "+  frequency: 60s",
            "-  # buffer: 0",
            "+  buffer: 4g",
            "-  # mode: SAFE",
            "+  mode: FAST",
            "-  # collector: as the JVM chooses",
            "+  collector: Z",
            "-  # node-timeout: 2s",
            "+  node-timeout: 500ms",
            " workload:",
            "-  # batch: 100",
            "+  batch: 500");
  }

  @Test
  void xmlHasBeansInEachOtherAndValuesInTheProductsUnits() {
    assertThat(DIFF.xml().lines())
        .containsExactly(
            "+<!-- collector: Z (before: as the JVM chooses) -->",
            "+<!-- cluster-node-timeout: 500 (before: 2000) -->",
            "+<!-- batch: 500 (before: 100) -->",
            " <bean class=\"a.Node\">",
            "-  <property name=\"poolSize\" value=\"8\"/>",
            "+  <property name=\"poolSize\" value=\"4\"/>",
            "   <property name=\"store\">",
            "     <bean class=\"a.b.Store\">",
            "-      <property name=\"frequency\" value=\"180000\"/>",
            "+      <property name=\"frequency\" value=\"60000\"/>",
            "-      <property name=\"buffer\" value=\"0\"/>",
            "+      <property name=\"buffer\" value=\"4294967296\"/>",
            "     </bean>",
            "   </property>",
            " </bean>",
            " <bean class=\"a.Cache\">",
            "-  <property name=\"mode\" value=\"SAFE\"/>",
            "+  <property name=\"mode\" value=\"FAST\"/>",
            " </bean>");
  }

  @Test
  void javaHasTheSameAsStatements() {
    assertThat(DIFF.java().lines())
        .containsExactly(
            "+// collector: Z (before: as the JVM chooses)",
            "+// cluster-node-timeout: 500 (before: 2000)",
            "+// batch: 500 (before: 100)",
            "-node.setPoolSize(8);",
            "+node.setPoolSize(4);",
            " Store store = (Store) node.getStore();",
            "-store.setFrequency(180000);",
            "+store.setFrequency(60000);",
            "-store.setBuffer(0);",
            "+store.setBuffer(4294967296L);",
            "-cache.setMode(WriteMode.SAFE);",
            "+cache.setMode(WriteMode.FAST);");
  }
}
