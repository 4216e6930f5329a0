package io.pyrometer.driver.ignite.doctor;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.config.Lex;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.ignite.internal.processors.query.calcite.sql.IgniteSqlConformance;
import org.apache.ignite.internal.processors.query.calcite.sql.generated.IgniteSqlParserImpl;
import org.jspecify.annotations.Nullable;

/** The blocks of a statement: each SELECT … FROM … WHERE …, also within others, and changes. */
final class SelectBlocks extends SqlBasicVisitor<@Nullable Void> {
  private static final SqlParser.Config PARSER =
      SqlParser.config()
          .withParserFactory(IgniteSqlParserImpl.FACTORY)
          .withLex(Lex.ORACLE)
          .withConformance(IgniteSqlConformance.INSTANCE);

  /** Calls that compare a value with those of a query. */
  static final Set<SqlKind> MEMBERSHIP = EnumSet.of(SqlKind.IN, SqlKind.NOT_IN);

  private final List<SqlSelect> found = new ArrayList<>();
  private final List<Search> searches = new ArrayList<>();
  private final Set<String> named = new HashSet<>();

  /** Rows of tables that a query reads, or that an UPDATE or DELETE looks for. */
  record Search(@Nullable SqlNode from, @Nullable SqlNode where) {}

  private SelectBlocks() {}

  /**
   * Blocks of a query; none if it cannot be parsed, or names results of its own (WITH), which may
   * have the names of tables.
   */
  static List<SqlSelect> of(String sql) {
    return parsed(sql).found;
  }

  /**
   * Queries among the expressions of a block, not of others within it; of IN and NOT IN the whole
   * call. Those of a UNION and its like are left out.
   */
  static List<SqlCall> subqueries(SqlSelect block) {
    List<SqlCall> found = new ArrayList<>();
    SqlBasicVisitor<@Nullable Void> visitor =
        new SqlBasicVisitor<>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            List<SqlNode> operands = call.getOperandList();
            boolean in =
                MEMBERSHIP.contains(call.getKind())
                    && operands.get(operands.size() - 1) instanceof SqlSelect;
            if (SqlKind.SET_QUERY.contains(call.getKind())) {
              return null;
            }
            if (in || call instanceof SqlSelect) {
              found.add(call);
              return null;
            }
            return super.visit(call);
          }
        };
    block.getSelectList().accept(visitor);
    if (block.getWhere() != null) {
      block.getWhere().accept(visitor);
    }
    return found;
  }

  /** Searches of a query, an UPDATE or a DELETE; none as for blocks. */
  static List<Search> searches(String sql) {
    return parsed(sql).searches;
  }

  private static SelectBlocks parsed(String sql) {
    SelectBlocks blocks = new SelectBlocks();
    try {
      SqlParser.create(sql, PARSER).parseStmt().accept(blocks);
    } catch (SqlParseException otherDialect) {
      return new SelectBlocks();
    }
    return blocks.named.isEmpty() ? blocks : new SelectBlocks();
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlWithItem item) {
      named.add(item.name.getSimple());
    } else if (call instanceof SqlSelect select && select.getFrom() != null) {
      found.add(select);
      searches.add(new Search(select.getFrom(), select.getWhere()));
    } else if (call instanceof SqlUpdate update) {
      searches.add(new Search(update.getTargetTable(), update.getCondition()));
    } else if (call instanceof SqlDelete delete) {
      searches.add(new Search(delete.getTargetTable(), delete.getCondition()));
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
