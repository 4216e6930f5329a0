package io.pyrometer.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Pages that follow what they show, in a real browser, and nothing for anybody else. */
final class LiveServerIT {
  @TempDir Path folder;
  private final AtomicReference<String> shown = new AtomicReference<>("one trial");
  private LiveServer server;

  @BeforeEach
  void start() throws IOException {
    Path root = Files.createDirectory(folder.resolve("runs"));
    Files.writeString(root.resolve("results.csv"), "a,b\n");
    Files.writeString(folder.resolve("secret.txt"), "not for the page");
    server = LiveServer.start(root, new OnePage(), 0);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private final class OnePage implements LiveServer.Pages {
    @Override
    public Optional<Page> page(String address) {
      return address.equals("/")
          ? Optional.of(
              new Page("live", "How many? " + shown.get(), "", List.of(), List.of(), List.of()))
          : Optional.empty();
    }

    @Override
    public String version(String address) {
      return "v" + shown.get().hashCode();
    }
  }

  @Test
  @DisabledIfSystemProperty(named = "pyrometer.browser", matches = "none")
  void anOpenPageFollowsWhatItShows() throws Exception {
    try (Devtools browser = Devtools.open(server.address(), folder, 1280, 900)) {
      browser.await("document.querySelector('h1').textContent === 'How many? one trial'");
      shown.set("two trials");
      browser.await("document.querySelector('h1').textContent === 'How many? two trials'");
      shown.set("three trials");
      browser.await("document.querySelector('h1').textContent === 'How many? three trials'");
    }
  }

  private HttpResponse<String> get(String path) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void filesOfTheFolderAreServedAndNoOthers() throws Exception {
    assertThat(get("results.csv").body()).isEqualTo("a,b\n");
    assertThat(get("absent.csv").statusCode()).isEqualTo(404);
    for (String path : List.of("../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt")) {
      assertThat(raw("GET /" + path + " HTTP/1.1", "127.0.0.1:" + server.address().getPort()))
          .doesNotContain("not for the page");
    }
  }

  @Test
  void aNameOfAnotherSiteAndOtherMethodsAreRefused() throws Exception {
    String here = "127.0.0.1:" + server.address().getPort();
    assertThat(raw("GET / HTTP/1.1", here)).startsWith("HTTP/1.1 200");
    assertThat(raw("GET / HTTP/1.1", "evil.example:80")).startsWith("HTTP/1.1 403");
    assertThat(raw("POST / HTTP/1.1", here)).startsWith("HTTP/1.1 405");
  }

  private String raw(String request, String host) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.address().getPort())) {
      socket
          .getOutputStream()
          .write(
              (request + "\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
