package io.pyrometer.report;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Serves pages that are made anew whenever what they show has changed, on a loopback address. A
 * page in a browser hears of a change by a server-sent event and loads itself again. Beside the
 * pages it serves the files of one folder, and nothing else; it only answers GET.
 */
public final class LiveServer implements AutoCloseable {
  private static final String EVENTS = "/events";
  private static final long LOOK_MILLIS = 500;
  private static final int BEATS = 30;
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "json", "application/json",
          "jsonl", "text/plain; charset=utf-8",
          "csv", "text/csv; charset=utf-8",
          "log", "text/plain; charset=utf-8",
          "yaml", "text/plain; charset=utf-8");

  /** What the pages show. */
  public interface Pages {

    /**
     * The page at an address, such as {@code /} or {@code /RUN/report.html}.
     *
     * @return empty where there is a file or nothing
     */
    Optional<Page> page(String address);

    /** Differs whenever the page at the address would look different. */
    String version(String address);
  }

  private final HttpServer server;
  private final ExecutorService threads;
  private final Path root;
  private final Pages pages;
  private final AtomicBoolean closed = new AtomicBoolean();

  private LiveServer(HttpServer server, ExecutorService threads, Path root, Pages pages) {
    this.server = server;
    this.threads = threads;
    this.root = root;
    this.pages = pages;
  }

  /**
   * Starts to serve.
   *
   * @param root the folder whose files are served as well
   * @param port 0 for any that is free
   * @throws IOException if the port is taken
   */
  public static LiveServer start(Path root, Pages pages, int port) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    ExecutorService threads =
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "live");
              thread.setDaemon(true);
              return thread;
            });
    LiveServer live = new LiveServer(server, threads, root.toAbsolutePath().normalize(), pages);
    server.setExecutor(threads);
    server.createContext("/", live::answer);
    server.start();
    return live;
  }

  /** Where a browser on this machine finds it. */
  public URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String address = exchange.getRequestURI().getPath();
      if (!exchange.getRequestMethod().equals("GET")) {
        text(exchange, 405, "Only GET is answered.");
      } else if (!fromHere(exchange)) {
        text(exchange, 403, "Only pages of this machine are served to this machine.");
      } else if (address.equals(EVENTS)) {
        events(exchange, shown(exchange));
      } else {
        page(exchange, address);
      }
    } catch (RuntimeException failure) {
      text(exchange, 500, "The page could not be made: " + failure.getMessage());
    }
  }

  /** Another site that resolves its own name to this machine sends that name along. */
  private boolean fromHere(HttpExchange exchange) {
    String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
    int port = server.getAddress().getPort();
    return Set.of("127.0.0.1:" + port, "localhost:" + port).contains(host);
  }

  private static String shown(HttpExchange exchange) {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    return URLDecoder.decode(query.replaceFirst("^page=", ""), StandardCharsets.UTF_8);
  }

  private void page(HttpExchange exchange, String address) throws IOException {
    String version = pages.version(address);
    Optional<Page> page = pages.page(address);
    if (page.isPresent()) {
      StringWriter html = new StringWriter();
      new HtmlPage(page.get(), html, Optional.of(version)).write();
      body(exchange, "text/html; charset=utf-8", html.toString().getBytes(StandardCharsets.UTF_8));
      return;
    }
    Path file = root.resolve(address.substring(1)).normalize();
    if (!file.startsWith(root) || !Files.isRegularFile(file)) {
      text(exchange, 404, "There is nothing here.");
      return;
    }
    String name = String.valueOf(file.getFileName());
    String ending = name.substring(name.lastIndexOf('.') + 1);
    body(
        exchange, TYPES.getOrDefault(ending, "application/octet-stream"), Files.readAllBytes(file));
  }

  private static void body(HttpExchange exchange, String type, byte[] bytes) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void text(HttpExchange exchange, int code, String sentence) throws IOException {
    byte[] bytes = sentence.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Tells the page its version now and after each change, until the browser goes. */
  private void events(HttpExchange exchange, String address) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
    exchange.getResponseHeaders().set("Cache-Control", "no-store");
    exchange.sendResponseHeaders(200, 0);
    OutputStream out = exchange.getResponseBody();
    String told = "";
    try {
      for (int beat = 0; !closed.get(); beat++) {
        String version = pages.version(address);
        if (!version.equals(told)) {
          out.write(("data: " + version + "\n\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
          told = version;
        } else if (beat % BEATS == 0) {
          out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
          out.flush();
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    } catch (IOException | UncheckedIOException gone) {
      // The browser has closed the page.
      return;
    }
  }

  @Override
  public void close() {
    closed.set(true);
    server.stop(0);
    threads.shutdownNow();
  }
}
