package io.sluice.ops;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The directory that holds all a process keeps, for one process at a time. The lock is the system's: it ends with the process,
 * however that ends.
 */
final class DataDirectory implements AutoCloseable {
    private final FileChannel channel;

    private DataDirectory(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Makes it where there is none, readable by its owner only, and takes it.
     *
     * @throws StartFailedException where it can't be written or another process has it
     */
    static DataDirectory take(Path path) throws StartFailedException {
        try {
            make(path);
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new StartFailedException(
                        "another process uses the data directory " + path
                                + "; stop it, or name another directory with --data-dir or SLUICE_DATA_DIR",
                        null);
            }
            return new DataDirectory(channel);
        } catch (IOException denied) {
            throw new StartFailedException(
                    "can't write the data directory " + path + " (" + denied
                            + "); make it writable, or name another with --data-dir or SLUICE_DATA_DIR",
                    denied);
        }
    }

    private static void make(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            return;
        }
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    path,
                    PosixFilePermissions.asFileAttribute(Set.copyOf(PosixFilePermissions.fromString("rwx------"))));
        } else {
            Files.createDirectories(path);
        }
    }

    private static FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException byThisVeryProcess) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
