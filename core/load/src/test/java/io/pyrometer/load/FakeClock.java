package io.pyrometer.load;

/** A clock that stands still until time is taken. */
class FakeClock implements NanoClock {

  long now;

  @Override
  public long nanoTime() {
    return now;
  }

  @Override
  public long epochMicros() {
    return 1_000_000_000_000L + now / 1_000;
  }

  @Override
  public void park(long nanos) {
    now += nanos;
  }
}
