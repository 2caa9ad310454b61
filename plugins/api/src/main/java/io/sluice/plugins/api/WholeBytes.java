package io.sluice.plugins.api;

import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/** The bytes of a buffer that nobody changes any more, read without a copy where they fill an array of their own, as those of one read do. */
public final class WholeBytes {
    private WholeBytes() {}

    /** Not to be changed: they may be the buffer's own. */
    public static byte[] of(Buffer buffer) {
        ByteBuf bytes = ((BufferInternal) buffer).getByteBuf();
        boolean alone = bytes.hasArray()
                && bytes.arrayOffset() == 0
                && bytes.readerIndex() == 0
                && bytes.array().length == bytes.writerIndex();
        return alone ? bytes.array() : buffer.getBytes();
    }
}
