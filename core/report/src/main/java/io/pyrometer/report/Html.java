package io.pyrometer.report;

/** Escapes text on its way into a document. */
final class Html {
  private Html() {}

  /** Text fit for content and for attributes in double quotes. */
  static String text(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  /** JSON fit for a data block: nothing in it can end the block. */
  static String json(String json) {
    return json.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026");
  }

  /** A script of ours or of a library, which must not hold an end tag of its own. */
  static String script(String script) {
    return script.replace("</script", "<\\/script").replace("<!--", "<\\!--");
  }
}
