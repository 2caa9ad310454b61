package io.sluice.data.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.FastThreadLocal;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets what an event loop writes in one turn leave at the end of that turn, for all connections together. Each write of its own
 * wakes the peer's sleeping thread, which costs more than the write; in a row they wake it once. Nothing waits longer than the
 * turn that wrote it, which ends when every socket that was readable at its begin has been read. What does not fit in a
 * connection's buffer leaves at once, so that no more memory is held than without.
 *
 * <p>Small writes of one connection are copied into one piece, which the kernel takes in a plain call: a head with its body, and
 * events of a stream that came in one turn.
 *
 * <p>Does what Netty's {@code FlushConsolidationHandler} does for one connection, with one task a turn instead of one for each
 * connection. One per event loop.
 */
public final class TurnFlush {
    private static final FastThreadLocal<TurnFlush> OF_LOOP = new FastThreadLocal<>() {
        @Override
        protected TurnFlush initialValue() {
            return new TurnFlush();
        }
    };

    /** The usual prompt or answer with its head fits; what is longer is not worth a copy. */
    static final int PIECE_BYTES = 4_096;

    private final List<Held> held = new ArrayList<>();

    private TurnFlush() {}

    /** For a connection that was just made, on its event loop; one that shares its socket with others stays as it is. */
    public static void on(HttpConnection connection) {
        if (connection instanceof ConnectionBase own) {
            on(own.channel());
        }
    }

    static void on(Channel channel) {
        if (channel.eventLoop().inEventLoop()) {
            channel.pipeline().addFirst(OF_LOOP.get().new Held());
        }
    }

    private void flushAll() {
        for (int i = 0; i < held.size(); i++) { // a flush may make room for others' writes, which then stand behind it
            held.get(i).leave();
        }
        held.clear();
    }

    /** Small writes in one buffer, and who is to hear what became of them. */
    private static final class Piece implements ChannelFutureListener {
        private final ByteBuf bytes;
        private final List<ChannelPromise> promises = new ArrayList<>(4);

        Piece(ByteBuf bytes) {
            this.bytes = bytes;
        }

        boolean fits(ByteBuf more) {
            return more.readableBytes() <= bytes.writableBytes();
        }

        void add(ByteBuf more, ChannelPromise promise) {
            bytes.writeBytes(more);
            more.release();
            if (!promise.isVoid()) {
                promises.add(promise);
            }
        }

        @Override
        public void operationComplete(ChannelFuture sent) {
            for (int i = 0; i < promises.size(); i++) {
                if (sent.isSuccess()) {
                    promises.get(i).trySuccess();
                } else {
                    promises.get(i).tryFailure(sent.cause());
                }
            }
        }
    }

    /** What one connection has written and not sent. */
    private final class Held extends ChannelOutboundHandlerAdapter {
        private ChannelHandlerContext context;
        private boolean waiting;
        private Piece piece;

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            context = added;
        }

        @Override
        public void write(ChannelHandlerContext same, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof ByteBuf bytes && bytes.readableBytes() <= PIECE_BYTES) {
                if (piece != null && !piece.fits(bytes)) {
                    pass();
                }
                if (piece == null) {
                    piece = new Piece(context.alloc().directBuffer(PIECE_BYTES, PIECE_BYTES));
                }
                piece.add(bytes, promise);
            } else {
                pass();
                super.write(same, message, promise);
            }
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the piece tells those who wrote
        private void pass() {
            if (piece != null) {
                Piece whole = piece;
                piece = null;
                context.write(whole.bytes).addListener(whole);
            }
        }

        @Override
        public void flush(ChannelHandlerContext ignored) {
            if (!context.channel().isWritable() || context.channel().eventLoop().isShuttingDown()) {
                send();
                return;
            }
            if (waiting) {
                return;
            }
            waiting = true;
            if (held.isEmpty()) {
                context.executor().execute(TurnFlush.this::flushAll);
            }
            held.add(this);
        }

        private void leave() {
            if (waiting) {
                send();
            }
        }

        private void send() {
            waiting = false;
            pass();
            context.flush();
        }

        @Override
        public void close(ChannelHandlerContext same, ChannelPromise promise) throws Exception {
            leave();
            pass();
            super.close(same, promise);
        }

        @Override
        public void disconnect(ChannelHandlerContext same, ChannelPromise promise) throws Exception {
            leave();
            pass();
            super.disconnect(same, promise);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ignored) {
            leave();
            pass();
        }
    }
}
