package io.pyrometer.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** What every page carries: its style, its script and the chart library. */
final class PageResources {
  private static final String ECHARTS = "/META-INF/resources/webjars/echarts/5.5.0/echarts.min.js";

  private PageResources() {}

  static String style() {
    return read("/io/pyrometer/report/page.css");
  }

  static String script() {
    return Html.script(read("/io/pyrometer/report/page.js"));
  }

  static String charts() {
    return Html.script(read(ECHARTS));
  }

  /** A script as a policy names it. */
  static String hash(String script) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  private static String read(String resource) {
    try (InputStream in = PageResources.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The class path lacks " + resource + ".");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
