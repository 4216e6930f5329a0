package io.pyrometer.coordinator.run;

import io.pyrometer.coordinator.testbed.Namespaces;
import io.pyrometer.coordinator.testbed.Site;
import io.pyrometer.coordinator.testbed.Sites;
import io.pyrometer.coordinator.testbed.Workers;
import io.pyrometer.journal.PlannedRun;
import io.pyrometer.journal.RunFolder;
import io.pyrometer.protocol.Settings;
import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster is started from.
 *
 * @param relayed whether the clients of some trial go through a relay
 * @param label distinguishes this start's logs and work folders
 */
record Recipe(
    Workers workers,
    Sites sites,
    PlannedRun plan,
    RunFolder folder,
    Settings settings,
    boolean relayed,
    String label) {

  int nodeCount() {
    return plan.attach().isPresent() ? 0 : settings.integer("nodes");
  }

  int agentCount() {
    return settings.integer("agents");
  }

  Site site(String kind, int index) {
    return kind.equals(Cluster.SWITCH)
        ? sites.here().all().get(0)
        : sites.of(kind.equals(Cluster.RELAY) ? Cluster.AGENT : kind, index);
  }

  /** What a switch must make for the namespaces; nothing where none is needed. */
  List<String> devices() {
    return sites.namespaces().map(Namespaces::devices).orElse(List.of());
  }

  Site siteOf(String worker) {
    int dash = worker.lastIndexOf('-');
    return site(worker.substring(0, dash), Integer.parseInt(worker.substring(dash + 1)));
  }

  Workers.Launch launch(String kind, int index) {
    return sites.launch(
        kind,
        index,
        site(kind, index),
        kind.equals(Cluster.RELAY) || kind.equals(Cluster.SWITCH)
            ? Cluster.NETWORK_HEAP
            : kind.equals(Cluster.NODE)
                ? plan.driver().servers().heapBytes(settings.number("node-heap"))
                : settings.number(kind + "-heap"),
        kind.equals(Cluster.NODE) ? settings.integer("cores") : 0,
        folder.log(label + "-" + kind + "-" + index));
  }

  Path work() {
    return folder.file("work").resolve(label).toAbsolutePath();
  }

  String workFolder(String kind, int index) {
    String process = kind + "-" + index;
    return site(kind, index).work(work().resolve(process), label + "/" + process);
  }
}
