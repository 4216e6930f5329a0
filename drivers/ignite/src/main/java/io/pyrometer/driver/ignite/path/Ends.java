package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import org.apache.ignite.lang.IgniteFuture;

/** Tells the end of a call from Ignite's futures. */
final class Ends {

  private Ends() {}

  static void tell(IgniteFuture<?> future, Call call) {
    future.listen(
        ended -> {
          try {
            ended.get();
          } catch (RuntimeException e) {
            call.failed(e);
            return;
          }
          call.done();
        });
  }
}
