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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A headless Chromium that stays open, told what to do by its DevTools protocol. */
final class Devtools implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SECONDS = 60;

  private final Process process;
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> pending;
  private final AtomicInteger ids = new AtomicInteger();
  private String session = "";

  private Devtools(
      Process process, WebSocket socket, Map<Integer, CompletableFuture<JsonNode>> pending) {
    this.process = process;
    this.socket = socket;
    this.pending = pending;
  }

  static Devtools open(URI page, Path folder, int width, int height) throws Exception {
    Path profile = folder.resolve("profile-" + width);
    List<String> command = new ArrayList<>(Browser.command(profile));
    command.addAll(
        List.of(
            "--remote-debugging-port=0", "--window-size=" + width + "," + height, "about:blank"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("devtools.log").toFile())
            .start();
    Path port = profile.resolve("DevToolsActivePort");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
      if (System.nanoTime() > end || !process.isAlive()) {
        process.destroyForcibly();
        throw new AssertionError("Chromium does not listen; see " + folder);
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
    Devtools tools = new Devtools(process, socket, pending);
    JsonNode target =
        tools.call("Target.createTarget", JSON.createObjectNode().put("url", page.toString()));
    tools.session =
        tools
            .call(
                "Target.attachToTarget",
                JSON.createObjectNode()
                    .put("targetId", target.path("targetId").asText())
                    .put("flatten", true))
            .path("sessionId")
            .asText();
    return tools;
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

  /** The value of an expression in the page, of a promise when it is kept. */
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

  /** Makes the page believe that its reader prefers a light or dark scheme. */
  void scheme(String name) throws Exception {
    ObjectNode parameters = JSON.createObjectNode();
    parameters
        .putArray("features")
        .addObject()
        .put("name", "prefers-color-scheme")
        .put("value", name);
    call("Emulation.setEmulatedMedia", parameters);
  }

  /** Gives the page a window of this width, which a browser's own may not have. */
  void width(int pixels) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        JSON.createObjectNode()
            .put("width", pixels)
            .put("height", 900)
            .put("deviceScaleFactor", 1)
            .put("mobile", false));
    await("innerWidth === " + pixels);
    // A page without frames, as a headless one may be, is not told of its size.
    value("dispatchEvent(new Event('resize'))");
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
