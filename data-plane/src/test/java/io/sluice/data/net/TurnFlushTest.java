package io.sluice.data.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import java.nio.charset.StandardCharsets;
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
    private final Flushes ofOne = new Flushes();
    private final Flushes ofOther = new Flushes();

    /** Stands for the socket: counts the times it is told to send. */
    private static final class Flushes extends ChannelOutboundHandlerAdapter {
        private int count;

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

    private static void write(LocalChannel channel, int bytes) {
        byte[] piece = "x".repeat(bytes).getBytes(StandardCharsets.UTF_8);
        channel.write(Unpooled.wrappedBuffer(piece), channel.newPromise());
        channel.flush();
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
        one.config().setWriteBufferWaterMark(new WriteBufferWaterMark(500, 1_000));
        int within = inOneTurn(() -> {
            write(one, 5);
            int small = ofOne.count;
            write(one, 2_000);
            return 10 * small + ofOne.count;
        });

        assertThat(within).isEqualTo(1);
        assertThat(sendsAfter(1)).isEqualTo(1);
    }
}
