package io.pyrometer.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.pyrometer.analysis.BadDataException;
import io.pyrometer.analysis.Estimate;
import io.pyrometer.analysis.Figures;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;

/**
 * One file of {@code pyrometer publish}, checked and turned into what the page of all results
 * shows. Strangers wrote it: its addresses are relative paths, and all its other texts must be
 * escaped where they are shown.
 */
final class PublishedResult {
  /** Cells of a treatment that differ from one to the next. */
  static final List<String> FIGURES = List.of("rate", "ratio", "cpu", "p99");

  /** Begins what stands in place of the machine of figures that a text gives. */
  static final String IN_A_TEXT = "Published in a text, not reproducible here: ";

  private static final String SOURCE = "source";

  private static final double GIB = 1 << 30;
  private static final int MIN_CHECKED = 300;
  private static final double LEAST_HELD = 0.98;
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]*";
  private static final String ADDRESS = "(?!.*[.][.])[A-Za-z0-9][A-Za-z0-9._/-]*";
  private static final String ADDRESS_WORDS = "a relative path of letters, digits, '.', '_', '-'";
  private static final Pattern EVIDENCE = Pattern.compile(ADDRESS);
  private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");

  private static final Map<String, String> GUARANTEES =
      Map.of(
          "durable", "on all requested copies",
          "stale-reads", "no stale reads",
          "survives", "survives a server crash");

  /** What a path must claim for a probe to refute it; of reads nothing. */
  private static final Map<String, String> CLAIMS =
      Map.of("order", "ordered", "kill", "durable", "stop", "durable");

  /**
   * One treatment.
   *
   * @param treatment what another result must agree in to repeat it
   * @param ratio of throughput to the baseline; empty where its interval says nothing
   * @param shown its cells: of a {@link #FIGURES figure} its text and a note
   */
  record Row(String treatment, Optional<Estimate> ratio, ObjectNode shown) {}

  private final ObjectNode page = JsonNodeFactory.instance.objectNode();
  private final List<Row> rows = new ArrayList<>();
  private final Map<String, String> versions;

  /** Reads a file; throws {@link BadDataException} that names the file and the field at fault. */
  PublishedResult(Path file) {
    JsonField json = JsonField.read(file);
    json.require(
        "schema", json.at("schema").node().asInt() == 1, "1, the schema that is read here");
    String id = json.string("id", NAME, "a name of letters, digits, '.', '_' and '-'");
    boolean named = String.valueOf(file.getFileName()).equals(id + ".json");
    json.require("id", named, "the name of its file without .json");
    page.put("id", id).put("experiment", json.string("experiment"));
    page.put("question", json.string("question"));
    page.put("date", json.string("date", "\\d{4}-\\d\\d-\\d\\d", "a date such as 2026-11-25"));
    versions = json.textsByName("versions");
    put(page, "versions", versions);
    add(page, "products", products(""));
    page.putArray("rows");
    if (json.find("published").isPresent()) {
      text(json.at("published"));
    } else {
      run(json);
    }
  }

  /** What the page shows of the result, its treatments included. */
  ObjectNode page() {
    return page;
  }

  List<Row> rows() {
    return rows;
  }

  String date() {
    return page.path("date").asText();
  }

  /** Figures are comparable with those of the same machine alone. */
  String machine() {
    return page.path("machine").asText();
  }

  /** Whether it has figures of a text and none of a run. */
  boolean ofText() {
    return page.has(SOURCE);
  }

  /** The names of its products, without their versions. */
  List<String> products() {
    return versions.keySet().stream().filter(name -> !name.equals("Pyrometer")).toList();
  }

  private void text(JsonField published) {
    String source = published.string(SOURCE);
    page.put("machine", IN_A_TEXT + source).put(SOURCE, source);
    for (JsonField figure : published.required("figures")) {
      ObjectNode shown = row(figure.string("label"), "", "");
      if (figure.find("ratio").isPresent()) {
        String to = "to " + figure.string("baseline") + ", no interval";
        cell(shown, "ratio", Numbers.ratio(figure.real("ratio")), to);
      } else {
        String unit = figure.string("unit") + ", no interval";
        cell(shown, "rate", Numbers.shorten(figure.real("rate")), unit);
      }
      add(shown, "marks", List.of("published, not reproducible here"));
      rows.add(new Row("", Optional.empty(), shown));
    }
  }

  private void run(JsonField json) {
    JsonField machine = json.at("machine");
    String cores = Figures.count(machine.count("cores"), "core");
    long memory = Math.round(machine.count("memoryBytes") / GIB);
    page.put("machine", "%s, %s, %d GiB".formatted(machine.string("cpu"), cores, memory));
    for (String key : List.of("operatingSystem", "kernel", "jvm")) {
      machine.find(key).ifPresent(f -> page.withArray("system").add(machine.string(key)));
    }
    page.put("tuned", json.bool("tuned")).put("command", json.string("command"));
    for (String key : List.of("trials", "verified", "blocks")) {
      page.put(key, json.count(key));
    }
    put(page, "configuration", json.textsByName("configuration"));
    add(page, "unequal", json.texts("unequalTerms"));
    JsonField results = json.at("results");
    for (JsonField finding : results.required("findings")) {
      String severity =
          finding.string("severity", "INFO|NOTICE|WARNING", "INFO, NOTICE or WARNING");
      ObjectNode shown = page.withArray("findings").addObject();
      shown.put("severity", severity).put("sentence", finding.string("sentence"));
    }
    for (JsonField ranking : results.required("rankings")) {
      ranking.required("rows").forEach(row -> treatment(ranking, row));
      for (JsonField row : ranking.list("unranked")) {
        page.withArray("unranked").add(row.string("label") + ": " + row.string("why"));
      }
    }
    JsonField evidence = json.at("evidence");
    page.put("folder", evidence.string("folder", ADDRESS, ADDRESS_WORDS));
    evidence
        .textsByName("sha256")
        .forEach(
            (name, digest) -> {
              boolean right = EVIDENCE.matcher(name).matches() && SHA_256.matcher(digest).matches();
              evidence.require("sha256", right, "SHA-256 digests by " + ADDRESS_WORDS);
            });
  }

  private void treatment(JsonField ranking, JsonField row) {
    String part = ranking.anyString("part");
    String baseline = ranking.anyString("baseline");
    double rate = ranking.real("rate");
    String load = rate == 0 ? "" : "at " + Numbers.shorten(rate) + " calls/s";
    ObjectNode shown = row(row.string("label"), ranking.string("job"), part);
    if (rate > 0) {
      shown.put("offered", rate);
    }
    Estimate throughput = row.estimate("throughput");
    String unit = throughput.unit().equals("records/s") ? "" : throughput.unit();
    figure(shown, "rate", throughput, Numbers.estimate(throughput), rate == 0 ? unit : load);
    // In an open loop throughput is the rate that was set, and so is its ratio.
    Optional<Estimate> ratio =
        row.find("ratio").filter(r -> rate == 0).map(r -> row.estimate("ratio"));
    ratio.ifPresent(r -> figure(shown, "ratio", r, Numbers.ratio(r), "to " + baseline));
    if (rate == 0 && row.at("isBaseline").node().asBoolean()) {
      cell(shown, "ratio", Numbers.ratio(1), "baseline");
    }
    if (row.find("cpuMicros").isPresent()) {
      Estimate cpu = row.estimate("cpuMicros");
      figure(shown, "cpu", cpu, Numbers.estimate(cpu), "");
    }
    p99(shown, row.list("latencies"), load);
    guarantees(shown, row);
    List<String> marks = new ArrayList<>(row.texts("marks"));
    if (row.find("offered").isPresent() && row.at("offered").real("least") < LEAST_HELD) {
      marks.add("rate missed: " + Figures.percent(row.at("offered").real("least")));
    }
    add(shown, "marks", marks);
    String treatment =
        page.path("experiment") + baseline + shown.path("label") + shown.path("products");
    rows.add(
        new Row(
            treatment + shown.path("job") + part,
            ratio.filter(r -> r.hasInterval() && !r.tooWide()),
            shown));
  }

  /** That of the slowest operation; none where one has too few calls for a p99. */
  private static void p99(ObjectNode shown, List<JsonField> operations, String load) {
    Comparator<JsonField> byValue =
        Comparator.comparingDouble(o -> o.at("percentiles").at("P99").real("value"));
    if (operations.stream().allMatch(o -> o.at("percentiles").find("P99").isPresent())) {
      operations.stream()
          .max(byValue)
          .ifPresent(
              slowest -> {
                Estimate p99 = slowest.at("percentiles").estimate("P99");
                String of = operations.size() > 1 ? slowest.string("operation") + " " : "";
                figure(shown, "p99", p99, Numbers.micros(p99), (of + load).strip());
              });
    }
  }

  /** What is left of a path's claims, what probes refuted, and what else they found. */
  private static void guarantees(ObjectNode shown, JsonField row) {
    Optional<JsonField> claimed = row.find("claimed");
    // A path that only reads has no claims of its own.
    List<String> kept =
        row.texts("guarantees").stream()
            .filter(name -> claimed.isPresent() || name.equals("stale-reads"))
            .map(name -> GUARANTEES.getOrDefault(name, name))
            .toList();
    add(shown, "kept", kept);
    for (JsonField probe : row.at("probes").list("probes")) {
      String kind = probe.string("probe");
      JsonField found = probe.at("found");
      boolean made = probe.find("found").isPresent();
      long checked = made ? found.count("checked") : 0;
      long wrong = made ? found.count("stale") + found.count("lost") : 0;
      boolean claim =
          !CLAIMS.containsKey(kind) || row.at("claimed").node().path(CLAIMS.get(kind)).asBoolean();
      boolean tested = wrong > 0 || checked >= MIN_CHECKED;
      String form = tested ? "%s: %,d of %,d stale or lost" : "%s: not tested";
      shown
          .withArray(wrong > 0 && claim ? "refuted" : "probes")
          .add(String.format(Locale.ROOT, form, kind, wrong, checked));
    }
  }

  private ObjectNode row(String label, String job, String part) {
    ObjectNode row = page.withArray("rows").addObject();
    row.put("label", label).put("job", job).put("part", part);
    add(row, "products", products(label));
    return row;
  }

  /**
   * Of several products the one that a label names; all of them where it names none. Of two that it
   * names by the same words it means the one of the shorter name.
   */
  private List<String> products(String label) {
    Set<String> said = words(label);
    ToLongFunction<String> named = name -> words(name).stream().filter(said::contains).count();
    List<String> all =
        products().stream()
            .sorted(Comparator.comparingLong(named).reversed().thenComparing(n -> words(n).size()))
            .toList();
    boolean one = !all.isEmpty() && named.applyAsLong(all.get(0)) > 0;
    return all.stream().limit(one ? 1 : all.size()).map(n -> n + " " + versions.get(n)).toList();
  }

  private static Set<String> words(String text) {
    String[] words = text.toLowerCase(Locale.ROOT).split("[^\\p{Alnum}]+");
    return Set.copyOf(Arrays.asList(words));
  }

  /** The value's text, and its interval or that it has none. */
  private static void figure(ObjectNode row, String key, Estimate e, String text, String note) {
    int at = text.indexOf(" [");
    String none = e.replicates() == 1 ? "one block" : "no interval";
    String interval = at > 0 ? text.substring(at + 1) : none;
    String value = at > 0 ? text.substring(0, at) : text;
    cell(row, key, value, note.isEmpty() ? interval : interval + ", " + note);
  }

  private static void cell(ObjectNode row, String key, String text, String note) {
    row.putArray(key).add(text).add(note);
  }

  private static void add(ObjectNode node, String key, List<String> texts) {
    ArrayNode array = node.putArray(key);
    texts.forEach(array::add);
  }

  private static void put(ObjectNode node, String key, Map<String, String> texts) {
    ObjectNode object = node.putObject(key);
    texts.forEach(object::put);
  }
}
