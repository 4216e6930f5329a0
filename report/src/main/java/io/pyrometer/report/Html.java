package io.pyrometer.report;

/** Text on its way into a document. */
final class Html {
  private Html() {}

  /** Fit for content and for attributes in double quotes. */
  static String text(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  /** JSON fit for a data block: nothing in it can end the block. */
  static String json(String json) {
    return json.replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** A script of ours or of a library, which must not hold an end tag of its own. */
  static String script(String script) {
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
  }
}
