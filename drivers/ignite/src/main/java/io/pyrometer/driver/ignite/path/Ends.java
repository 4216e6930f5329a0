package io.pyrometer.driver.ignite.path;

import io.pyrometer.load.Call;
import java.util.concurrent.CompletionStage;
import org.apache.ignite.lang.IgniteFuture;

/** Tells the end of a call from futures. */
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

  static void tell(CompletionStage<?> stage, Call call) {
    stage.whenComplete(
        (nothing, cause) -> {
          if (cause == null) {
            call.done();
          } else {
            call.failed(cause);
          }
        });
  }
}
