package io.pyrometer.scenario.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.pyrometer.protocol.ListsByKey;
import io.pyrometer.report.Figure;
import io.pyrometer.report.Numbers;
import io.pyrometer.report.chart.WaterfallChart;
import io.pyrometer.report.chart.WaterfallChart.WaterfallSpan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Requests of an OTLP/JSON file drawn as waterfalls: each span on the client's clock. */
final class RequestWaterfalls {
  private RequestWaterfalls() {}

  /** One for each trace, in the order of the file. */
  static List<Figure> of(JsonNode traces) {
    Map<String, List<JsonNode>> byTrace = new LinkedHashMap<>();
    Map<JsonNode, String> processes = new LinkedHashMap<>();
    for (JsonNode resource : traces.path("resourceSpans")) {
      String process = resource.at("/resource/attributes/0/value/stringValue").asText();
      for (JsonNode span : resource.at("/scopeSpans/0/spans")) {
        processes.put(span, process);
        ListsByKey.add(byTrace, span.path("traceId").asText(), span);
      }
    }
    List<Figure> figures = new ArrayList<>();
    byTrace.values().stream().map(spans -> waterfall(spans, processes)).forEach(figures::add);
    return figures;
  }

  private static Figure waterfall(List<JsonNode> spans, Map<JsonNode, String> processes) {
    JsonNode root =
        spans.stream().filter(span -> !span.has("parentSpanId")).findFirst().orElseThrow();
    long begin = root.path("startTimeUnixNano").asLong();
    List<WaterfallSpan> drawn = new ArrayList<>();
    spans.stream()
        .filter(span -> span.has("parentSpanId"))
        .map(span -> drawn(span, processes.getOrDefault(span, ""), begin))
        .sorted(Comparator.comparingDouble(WaterfallSpan::fromMillis))
        .forEach(drawn::add);
    double millis = (root.path("endTimeUnixNano").asLong() - begin) / 1e6;
    return WaterfallChart.of(
        String.format(
            Locale.ROOT,
            "Request %s, %s after %s ms",
            root.at("/attributes/0/value/stringValue").asText(),
            root.at("/attributes/1/value/stringValue").asText(),
            Numbers.whole(millis)),
        drawn);
  }

  private static WaterfallSpan drawn(JsonNode span, String process, long begin) {
    long from = span.path("startTimeUnixNano").asLong();
    return new WaterfallSpan(
        process,
        span.path("name").asText(),
        span.at("/attributes/0/value/stringValue").asText(),
        Math.max(0, (from - begin) / 1e6),
        Math.max(0, (span.path("endTimeUnixNano").asLong() - from) / 1e6));
  }
}
