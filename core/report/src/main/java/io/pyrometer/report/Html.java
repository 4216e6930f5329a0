package io.pyrometer.report;

/** Text on its way into a document. */
public final class Html {
  private Html() {}

  private static final char NO_BREAK = '\u00a0';

  /** As {@link #text}, for sentences: a percent sign stays on the line of its number. */
  static String sentence(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int i = 1; i < out.length() - 1; i++) {
      if (out.charAt(i) == ' '
          && out.charAt(i + 1) == '%'
          && Character.isDigit(out.charAt(i - 1))) {
        out.setCharAt(i, NO_BREAK);
      }
    }
    return text(out.toString());
  }

  /** Fit for content and for attributes in double quotes. */
  public static String text(String text) {
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
