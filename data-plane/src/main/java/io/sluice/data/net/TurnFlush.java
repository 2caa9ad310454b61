package io.sluice.data.net;

import io.netty.channel.Channel;
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

    /** What one connection has written and not sent. */
    private final class Held extends ChannelOutboundHandlerAdapter {
        private ChannelHandlerContext context;
        private boolean waiting;

        @Override
        public void handlerAdded(ChannelHandlerContext added) {
            context = added;
        }

        @Override
        public void flush(ChannelHandlerContext ignored) {
            if (!context.channel().isWritable() || context.channel().eventLoop().isShuttingDown()) {
                waiting = false;
                context.flush();
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
                waiting = false;
                context.flush();
            }
        }

        @Override
        public void close(ChannelHandlerContext same, ChannelPromise promise) throws Exception {
            leave();
            super.close(same, promise);
        }

        @Override
        public void disconnect(ChannelHandlerContext same, ChannelPromise promise) throws Exception {
            leave();
            super.disconnect(same, promise);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ignored) {
            leave();
        }
    }
}
