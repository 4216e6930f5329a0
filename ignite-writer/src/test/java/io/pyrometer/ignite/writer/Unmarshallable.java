package io.pyrometer.ignite.writer;

import org.apache.ignite.binary.BinaryObjectException;
import org.apache.ignite.binary.BinaryReader;
import org.apache.ignite.binary.BinaryWriter;
import org.apache.ignite.binary.Binarylizable;

/** Cannot be sent: the wrong type of key or value. */
final class Unmarshallable implements Binarylizable {
  @Override
  public void writeBinary(BinaryWriter writer) {
    throw new BinaryObjectException("this type cannot be written");
  }

  @Override
  public void readBinary(BinaryReader reader) {
    throw new BinaryObjectException("this type cannot be read");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Unmarshallable;
  }

  @Override
  public int hashCode() {
    return 1;
  }
}
