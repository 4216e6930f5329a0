package io.pyrometer.protocol;

import com.fasterxml.jackson.annotation.JsonFormat;

/**
 * One of the slowest calls of an operation.
 *
 * @param beginMicros its intended start, since the begin of the measured part; below 0 where it was
 *     in flight then
 * @param nanos its latency
 * @param lateMicros how much later the load thread started it than it could have: after the
 *     intended start, and after the end of the thread's call before; 0 in closed loop, and for a
 *     path with several calls in flight
 */
@JsonFormat(shape = JsonFormat.Shape.ARRAY)
public record SlowCall(long beginMicros, long nanos, long lateMicros) {

  SlowCall later(long micros) {
    return new SlowCall(beginMicros + micros, nanos, lateMicros);
  }
}
