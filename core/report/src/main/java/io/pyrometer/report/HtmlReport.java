package io.pyrometer.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.pyrometer.protocol.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page as one HTML file: style, scripts, chart library and data are in it, and its policy forbids
 * every request. The document is a template; its script builds the page from one JSON object, the
 * {@link Page}. It follows the reader's light or dark scheme, fits a phone, and prints.
 */
public final class HtmlReport {
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";
  private static final Pattern SLOT = Pattern.compile("\\$\\{(\\w+)}");

  private HtmlReport() {}

  /**
   * Writes the page in place of an earlier one.
   *
   * @throws UncheckedIOException if the file cannot be written
   */
  public static void write(Page page, Path file) {
    try {
      Files.writeString(file, html(page));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String html(Page page) throws JsonProcessingException {
    String library = library();
    String script = script(resource("charts.js") + resource("page.js"));
    Map<String, String> slots =
        Map.of(
            "policy", "script-src " + hash(library) + " " + hash(script),
            "title", text(page.title() + " · Pyrometer"),
            "style", resource("page.css"),
            "plain", plain(page),
            "page", json(page),
            "library", library,
            "script", script);
    return SLOT.matcher(resource("page.html"))
        .replaceAll(slot -> Matcher.quoteReplacement(slots.getOrDefault(slot.group(1), "")));
  }

  /** The answer for browsers that run no scripts. */
  private static String plain(Page page) {
    String rows =
        page.recommendation().stream()
            .flatMap(choice -> choice.rows().stream())
            .map(row -> String.join(" ", row.job(), row.choice(), row.figure(), row.ratio()))
            .map(row -> "<li>" + text(row) + "</li>")
            .collect(Collectors.joining());
    return page.answer().stream()
        .map(Finding::sentence)
        .map(sentence -> "<li>" + text(sentence) + "</li>")
        .collect(
            Collectors.joining("", "<h1>" + text(page.question()) + "</h1><ul>" + rows, "</ul>"));
  }

  /** A script as a policy names it. */
  private static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  static String library() {
    return script(read(ECHARTS));
  }

  private static String resource(String name) {
    return read("/io/pyrometer/report/" + name);
  }

  private static String read(String resource) {
    try (InputStream in = HtmlReport.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The class path lacks " + resource + ".");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Text fit for content and for attributes in double quotes. */
  private static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** JSON fit for a data block: nothing in it can end the block. */
  private static String json(Page page) throws JsonProcessingException {
    return Json.LINES
        .writeValueAsString(page)
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026");
  }

  /** A script of ours or of a library, which must not hold an end tag of its own. */
  private static String script(String script) {
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
  }
}
