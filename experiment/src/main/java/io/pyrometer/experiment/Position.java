package io.pyrometer.experiment;

/** A place in a file; line and column count from 1. */
record Position(int line, int column) {

  static final Position START = new Position(1, 1);
}
