package io.sluice.data.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a write is not looked at here
class TurnFlushTest {
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, LocalIoHandler.newFactory());
    private final LocalChannel one = new LocalChannel();
    private final LocalChannel other = new LocalChannel();
    private final Flushes ofOne = new Flushes(true);
    private final Flushes ofOther = new Flushes(true);

    /** Stands for the socket: keeps what it gets, and counts the times it is told to send. */
    private static final class Flushes extends ChannelOutboundHandlerAdapter {
        private final List<String> writes = new ArrayList<>();
        private final List<ChannelPromise> promises = new ArrayList<>();
        private final boolean swallows;
        private int count;

        Flushes(boolean swallows) {
            this.swallows = swallows;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (!swallows) {
                super.write(context, message, promise);
                return;
            }
            ByteBuf bytes = (ByteBuf) message;
            writes.add(bytes.toString(StandardCharsets.UTF_8));
            bytes.release();
            promises.add(promise);
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            count++;
        }
    }

    @BeforeEach
    void install() throws Exception {
        assertThat(loop.register(one).await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(loop.register(other).await(10, TimeUnit.SECONDS)).isTrue();
        inOneTurn(() -> {
            TurnFlush.on(one);
            TurnFlush.on(other);
            one.pipeline().addFirst(ofOne);
            other.pipeline().addFirst(ofOther);
            return null;
        });
    }

    @AfterEach
    void close() throws Exception {
        assertThat(loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).await(10, TimeUnit.SECONDS))
                .isTrue();
    }

    private <T> T inOneTurn(Callable<T> work) throws Exception {
        return loop.submit(work).get(10, TimeUnit.SECONDS);
    }

    private static ChannelPromise write(LocalChannel channel, String text) {
        ChannelPromise promise = channel.newPromise();
        channel.write(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8), promise);
        channel.flush();
        return promise;
    }

    private static void write(LocalChannel channel, int bytes) {
        write(channel, "x".repeat(bytes));
    }

    private int sendsAfter(int turns) throws Exception {
        int seen = 0;
        for (int i = 0; i <= turns; i++) {
            seen = inOneTurn(() -> ofOne.count + 100 * ofOther.count);
        }
        return seen;
    }

    @Test
    void whatAllConnectionsWroteLeavesAtTheEndOfTheTurn() throws Exception {
        int within = inOneTurn(() -> {
            write(one, 1);
            write(other, 1);
            write(one, 1);
            return ofOne.count + ofOther.count;
        });

        assertThat(within).isZero();
        assertThat(sendsAfter(1)).isEqualTo(101);
    }

    @Test
    void theNextTurnIsNoDifferent() throws Exception {
        for (int turn = 1; turn <= 3; turn++) {
            inOneTurn(() -> {
                write(one, 1);
                return null;
            });
            assertThat(sendsAfter(1)).isEqualTo(turn);
        }
    }

    @Test
    void aConnectionThatClosesSendsWhatItHasFirst() throws Exception {
        int atClose = inOneTurn(() -> {
            write(one, 1);
            one.close(one.newPromise());
            return ofOne.count;
        });

        assertThat(atClose).isEqualTo(1);
        assertThat(sendsAfter(1)).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitLeavesAtOnce() throws Exception {
        Flushes passing = new Flushes(false);
        one.pipeline().replace(ofOne, "passing", passing);
        one.config().setWriteBufferWaterMark(new WriteBufferWaterMark(500, 1_000));
        int within = inOneTurn(() -> {
            write(one, 5);
            int small = passing.count;
            write(one, TurnFlush.PIECE_BYTES + 1);
            return 10 * small + passing.count;
        });

        assertThat(within).isEqualTo(1);
        sendsAfter(1);
        assertThat(passing.count).isEqualTo(1);
    }

    @Test
    void smallWritesOfATurnAreOnePieceAndEachHearsOfIt() throws Exception {
        List<ChannelPromise> written = new ArrayList<>();
        inOneTurn(() -> {
            written.add(write(one, "head "));
            one.write(Unpooled.copiedBuffer("between ", StandardCharsets.UTF_8), one.voidPromise());
            written.add(write(one, "body"));
            return null;
        });
        sendsAfter(1);

        assertThat(ofOne.writes).containsExactly("head between body");
        assertThat(written).noneMatch(ChannelPromise::isDone);
        inOneTurn(() -> ofOne.promises.get(0).trySuccess());
        assertThat(written).allMatch(ChannelPromise::isSuccess);
    }

    @Test
    void eachHearsThatItWasNotSent() throws Exception {
        List<ChannelPromise> written = new ArrayList<>();
        inOneTurn(() -> {
            written.add(write(one, "head "));
            written.add(write(one, "body"));
            return null;
        });
        sendsAfter(1);
        IOException gone = new IOException("the caller is gone");
        inOneTurn(() -> ofOne.promises.get(0).tryFailure(gone));

        assertThat(written).allMatch(each -> each.cause() == gone);
    }

    @Test
    void whatIsLongIsNotCopiedAndKeepsItsPlace() throws Exception {
        String body = "b".repeat(TurnFlush.PIECE_BYTES + 1);
        String most = "m".repeat(TurnFlush.PIECE_BYTES - 1);
        inOneTurn(() -> {
            write(one, "head ");
            write(one, body);
            write(one, "a");
            write(one, most);
            write(one, "b");
            return null;
        });
        sendsAfter(1);

        assertThat(ofOne.writes).containsExactly("head ", body, "a" + most, "b");
    }

    @Test
    void whatWasNotToBeSentYetFailsWhenTheConnectionCloses() throws Exception {
        one.pipeline().remove(ofOne);
        ChannelPromise waits = one.newPromise();
        inOneTurn(() -> {
            one.write(Unpooled.copiedBuffer("x", StandardCharsets.UTF_8), waits);
            one.close(one.newPromise());
            return null;
        });

        assertThat(waits.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(waits.isSuccess()).isFalse();
    }
}
