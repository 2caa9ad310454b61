package io.sluice.data.money.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Segments as files of one directory, {@code journal-000000000001.log} and so on. */
public final class DirectoryFiles implements SegmentFiles {
    private static final Pattern NAME = Pattern.compile("journal-([0-9]{12})\\.log");
    private static final String UNFINISHED = ".new";

    /** Zeros are written in pieces of this size. */
    private static final int ZEROS_BYTES = 64 << 10;

    private final Path directory;

    /** The directory is made where it is missing. */
    public DirectoryFiles(Path directory) throws IOException {
        this.directory = directory;
        Files.createDirectories(directory);
    }

    @Override
    public List<Long> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            List<Path> all = files.toList();
            for (Path file : all) {
                if (file.getFileName().toString().endsWith(UNFINISHED)) {
                    Files.delete(file);
                }
            }
            return all.stream()
                    .map(file -> NAME.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .map(name -> Long.parseLong(name.group(1)))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public SegmentFile open(long number) throws IOException {
        return new OpenFile(FileChannel.open(file(number), StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public SegmentFile create(long number, byte[] head, int bytes) throws IOException {
        Path file = file(number);
        Path unfinished = directory.resolve(file.getFileName() + UNFINISHED);
        try (FileChannel channel = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            writeFully(channel, ByteBuffer.wrap(head));
            ByteBuffer zeros = ByteBuffer.allocateDirect(ZEROS_BYTES);
            for (long left = (long) bytes - head.length; left > 0; left -= zeros.position()) {
                zeros.clear().limit((int) Math.min(left, ZEROS_BYTES));
                writeFully(channel, zeros);
            }
            channel.force(true);
        } catch (IOException incomplete) {
            Files.deleteIfExists(unfinished);
            throw incomplete;
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        forceDirectory();
        return open(number);
    }

    private static void writeFully(FileChannel channel, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    /** A file whose name is not on the medium is not there after a loss of power. */
    private void forceDirectory() throws IOException {
        try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
            names.force(true);
        }
    }

    @Override
    public void delete(long number) throws IOException {
        Files.deleteIfExists(file(number));
    }

    @Override
    public String nameOf(long number) {
        return file(number).getFileName().toString();
    }

    private Path file(long number) {
        return directory.resolve(String.format("journal-%012d.log", number));
    }

    private record OpenFile(FileChannel channel) implements SegmentFile {
        @Override
        public long size() throws IOException {
            return channel.size();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return channel.read(into, position);
        }

        @Override
        public int write(ByteBuffer from, long position) throws IOException {
            return channel.write(from, position);
        }

        @Override
        public void force() throws IOException {
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
