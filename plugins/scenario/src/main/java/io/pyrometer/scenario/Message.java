package io.pyrometer.scenario;

import io.netty.buffer.ByteBuf;

/**
 * One message between two processes of a scenario. All have the same {@value #BYTES} bytes, so that
 * a stream of them needs no lengths.
 *
 * @param measured whether the request counts
 * @param from index of the sender among the processes of its role
 * @param client index of the client that waits for the reply
 * @param number of an answer, from 1; the outcome of a reply; the role of a greeting
 * @param of answers in all
 * @param request id of the request
 * @param payload random bits of the request
 * @param sent when it was sent, of the sender's steady clock
 * @param origin of an answer: when the mock was asked, of the asking service's clock; of a reply:
 *     how long the service took; of the answer to a question for the time: when that was sent
 */
record Message(
    Type type,
    boolean measured,
    int from,
    int client,
    int number,
    int of,
    long request,
    long payload,
    long sent,
    long origin) {
  static final int BYTES = 48;

  private static final Type[] TYPES = Type.values();

  /** Type of a message. */
  enum Type implements Coded {
    /** The first message of a connection, from the side that opened it. */
    HELLO,
    /** The answer to it. */
    WELCOME,
    REQUEST,
    /** A request that another process had, which is gone. */
    ADOPT,
    ASK,
    ANSWER,
    REPLY,
    /** A question for the time. */
    PING,
    /** The answer to it. */
    PONG
  }

  /** A message that is about no request. */
  static Message bare(Type type, int from, int number, long sent, long origin) {
    return new Message(type, false, from, 0, number, 0, 0, 0, sent, origin);
  }

  /** Another message about the same request. */
  Message then(Type next, int sender, int what, long now, long began) {
    return new Message(next, measured, sender, client, what, of, request, payload, now, began);
  }

  void write(ByteBuf out) {
    out.writeByte(type.code());
    out.writeBoolean(measured);
    out.writeShort(from);
    out.writeShort(client);
    out.writeShort(number);
    out.writeInt(of);
    out.writeInt(0);
    out.writeLong(request);
    out.writeLong(payload);
    out.writeLong(sent);
    out.writeLong(origin);
  }

  static Message read(ByteBuf in) {
    Type type = TYPES[in.readByte()];
    boolean measured = in.readBoolean();
    int from = in.readUnsignedShort();
    int client = in.readUnsignedShort();
    int number = in.readUnsignedShort();
    int of = in.readInt();
    in.skipBytes(Integer.BYTES);
    return new Message(
        type,
        measured,
        from,
        client,
        number,
        of,
        in.readLong(),
        in.readLong(),
        in.readLong(),
        in.readLong());
  }
}
