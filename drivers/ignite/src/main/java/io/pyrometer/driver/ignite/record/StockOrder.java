package io.pyrometer.driver.ignite.record;

import java.io.Serializable;
import org.apache.ignite.cache.query.annotations.QuerySqlField;
import org.jspecify.annotations.Nullable;

/** An order at a stock exchange: the shipped record {@code stock-order} as an object. */
@SuppressWarnings("UnusedVariable")
public final class StockOrder implements Serializable {
  private static final long serialVersionUID = 1L;

  @QuerySqlField private @Nullable String secCode;
  @QuerySqlField private double price;
  @QuerySqlField private int quantity;
  @QuerySqlField private @Nullable String buySell;
  @QuerySqlField private @Nullable String secBoard;
  @QuerySqlField private @Nullable String account;
  @QuerySqlField private @Nullable String user;
  @QuerySqlField private @Nullable String currency;
  @QuerySqlField private double commission;
  @QuerySqlField private int status;
  @QuerySqlField private boolean marketMaker;
  @QuerySqlField private byte @Nullable [] padding;
}
