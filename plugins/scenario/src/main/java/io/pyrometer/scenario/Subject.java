package io.pyrometer.scenario;

/** Subject that a service handles: a request, or one of the mock's answers to it. */
public sealed interface Subject permits Request, MockAnswer {

  /** Id of the request. */
  long request();

  /** The answer, from 1; 0 for the request itself. */
  int number();

  /** Index of the client that waits for the reply. */
  int client();

  /** Returns whether the request counts. */
  boolean measured();
}
