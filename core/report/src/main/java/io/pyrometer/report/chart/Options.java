package io.pyrometer.report.chart;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.MathContext;

/** Options written as the library's documentation writes them, and the figures put into them. */
final class Options {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MathContext DIGITS = new MathContext(6);

  private Options() {}

  /** The option that a literal of this package says. */
  static ObjectNode of(String literal) {
    try {
      return (ObjectNode) JSON.readTree(literal);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not an option: " + literal, e);
    }
  }

  static ArrayNode array(ObjectNode option, String name) {
    return option.withArray("/" + name);
  }

  /** The i-th series. */
  static ObjectNode series(ObjectNode option, int i) {
    return (ObjectNode) option.withArray("/series").get(i);
  }

  static ArrayNode data(ObjectNode holder) {
    return holder.putArray("data");
  }

  /** A tuple of figures, six digits each: more cannot be seen and would only fill the file. */
  static ArrayNode tuple(double... figures) {
    ArrayNode tuple = JsonNodeFactory.instance.arrayNode();
    for (double figure : figures) {
      tuple.add(number(figure));
    }
    return tuple;
  }

  static BigDecimal number(double figure) {
    return new BigDecimal(figure).round(DIGITS).stripTrailingZeros();
  }
}
