package io.pyrometer.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A headless Chromium that stays open, driven by its DevTools protocol. */
final class Devtools implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SECONDS = 60;

  private static final List<String> PLACES =
      List.of("/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome");

  private final Process process;
  private final Path log;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> pending;
  private final AtomicInteger ids = new AtomicInteger();
  private String session = "";
  private long loggedBefore;

  private Devtools(
      Process process,
      Path log,
      WebSocket socket,
      Map<Integer, CompletableFuture<JsonNode>> pending) {
    this.process = process;
    this.log = log;
    this.socket = socket;
    this.pending = pending;
  }

  static Devtools start(Path folder) throws Exception {
    Path profile = folder.resolve("profile");
    Path log = folder.resolve("browser.log");
    Process process =
        new ProcessBuilder(
                binary(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--enable-logging=stderr",
                "--user-data-dir=" + profile,
                "--remote-debugging-port=0",
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
      if (System.nanoTime() > end || !process.isAlive()) {
        process.destroyForcibly();
        throw new AssertionError("Chromium does not listen; see " + log);
      }
      Thread.sleep(50);
    }
    List<String> lines = Files.readAllLines(port);
    Map<Integer, CompletableFuture<JsonNode>> pending = new ConcurrentHashMap<>();
    WebSocket socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(
                URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1)), new Replies(pending))
            .get(SECONDS, TimeUnit.SECONDS);
    return new Devtools(process, log, socket, pending);
  }

  private static String binary() {
    return Stream.concat(Stream.ofNullable(System.getenv("CHROMIUM")), PLACES.stream())
        .filter(place -> Files.isExecutable(Path.of(place)))
        .findFirst()
        .orElseThrow(
            () ->
                new AssertionError(
                    "This test opens a report in Chromium, which is not installed: install the"
                        + " package chromium or set CHROMIUM to its path."));
  }

  /** Opens a page in a window of its own of this size, for a reader who prefers a scheme. */
  void open(URI page, int width, int height, String scheme) throws Exception {
    session = "";
    loggedBefore += console().size();
    String target =
        call("Target.createTarget", JSON.createObjectNode().put("url", "about:blank"))
            .path("targetId")
            .asText();
    session =
        call(
                "Target.attachToTarget",
                JSON.createObjectNode().put("targetId", target).put("flatten", true))
            .path("sessionId")
            .asText();
    call(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", width)
            .put("height", height)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    ObjectNode media = JSON.createObjectNode();
    media.putArray("features").addObject().put("name", "prefers-color-scheme").put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
    call("Page.navigate", JSON.createObjectNode().put("url", page.toString()));
  }

  /** Errors of scripts, policy violations and refused requests since the page was opened. */
  List<String> console() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.filter(line -> line.contains("CONSOLE")).skip(loggedBefore).toList();
    }
  }

  private static final class Replies implements WebSocket.Listener {
    private final Map<Integer, CompletableFuture<JsonNode>> pending;
    private final StringBuilder text = new StringBuilder();

    Replies(Map<Integer, CompletableFuture<JsonNode>> pending) {
      this.pending = pending;
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          JsonNode message = JSON.readTree(text.toString());
          CompletableFuture<JsonNode> waiting = pending.remove(message.path("id").asInt(-1));
          if (waiting != null) {
            waiting.complete(message);
          }
        } catch (IOException broken) {
          throw new AssertionError(broken);
        } finally {
          text.setLength(0);
        }
      }
      socket.request(1);
      return CompletableFuture.completedFuture(null);
    }
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> reply = new CompletableFuture<>();
    pending.put(id, reply);
    ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    socket.sendText(message.toString(), true).get(SECONDS, TimeUnit.SECONDS);
    JsonNode answer = reply.get(SECONDS, TimeUnit.SECONDS);
    if (answer.has("error")) {
      throw new AssertionError(method + ": " + answer.path("error"));
    }
    return answer.path("result");
  }

  /** Evaluates an expression in the page, and awaits it if it is a promise. */
  JsonNode value(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            JSON.createObjectNode()
                .put("expression", expression)
                .put("awaitPromise", true)
                .put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(result.path("exceptionDetails").toString());
    }
    return result.path("result").path("value");
  }

  /** Waits until an expression in the page, which may be loading, is true. */
  void await(String expression) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!value(
            "(() => { try { return !!(" + expression + "); } catch (e) { return false; } })()")
        .asBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("This did not become true in the page: " + expression);
      }
      Thread.sleep(100);
    }
  }

  @Override
  public void close() {
    socket.abort();
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
