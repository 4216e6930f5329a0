package io.pyrometer.driver.ignite.record;

import java.io.Serializable;
import java.util.Date;
import org.apache.ignite.cache.query.annotations.QuerySqlField;
import org.jspecify.annotations.Nullable;

/** A measurement with a kilobyte of payload: the shipped record {@code sample-record}. */
@SuppressWarnings("UnusedVariable")
public final class SampleRecord implements Serializable {
  private static final long serialVersionUID = 1L;

  @QuerySqlField private long distance;
  @QuerySqlField private float temperature;
  @QuerySqlField private @Nullable Date date;
  @QuerySqlField private byte @Nullable [] payload;
}
