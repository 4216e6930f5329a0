package io.pyrometer.driver.ignite.doctor;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.ignite.internal.processors.query.calcite.sql.IgniteSqlConformance;
import org.apache.ignite.internal.processors.query.calcite.sql.generated.IgniteSqlParserImpl;
import org.jspecify.annotations.Nullable;

/** The blocks of a statement: each SELECT … FROM … WHERE …, also within others. */
final class SelectBlocks extends SqlBasicVisitor<@Nullable Void> {
  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(IgniteSqlParserImpl.FACTORY)
          .withLex(Lex.ORACLE)
          .withConformance(IgniteSqlConformance.INSTANCE);

  private final List<SqlSelect> found = new ArrayList<>();
  private final Set<String> named = new HashSet<>();

  private SelectBlocks() {}

  /**
   * Blocks of a query; none if it cannot be parsed, or names results of its own (WITH), which may
   * have the names of tables.
   */
  static List<SqlSelect> of(String sql) {
    SelectBlocks blocks = new SelectBlocks();
    try {
      SqlParser.create(sql, PARSER).parseQuery().accept(blocks);
    } catch (SqlParseException otherDialect) {
      return List.of();
    }
    return blocks.named.isEmpty() ? List.copyOf(blocks.found) : List.of();
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlWithItem item) {
      named.add(item.name.getSimple());
    } else if (call instanceof SqlSelect select && select.getFrom() != null) {
      found.add(select);
    }
    return super.visit(call);
  }

  /** Conditions that are all true of a row. */
  static Stream<SqlNode> conjuncts(@Nullable SqlNode condition) {
    if (condition == null) {
      return Stream.empty();
    }
    return condition instanceof SqlCall call && call.getKind() == SqlKind.AND
        ? call.getOperandList().stream().flatMap(SelectBlocks::conjuncts)
        : Stream.of(condition);
  }

  /** A part of a name, counted from its end. */
  static String last(SqlIdentifier name, int before) {
    return upper(name.names.get(name.names.size() - 1 - before));
  }

  static String upper(String name) {
    return name.toUpperCase(Locale.ROOT);
  }
}
