package io.sluice.ops.demo;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/** Keeps one key where only the owner of the file can read it. */
final class KeyFile {
    private final Path path;

    KeyFile(Path path) {
        this.path = path;
    }

    /** What is kept; empty where nothing readable is. */
    Optional<String> read() {
        try {
            return Files.exists(path) ? Optional.of(Files.readString(path).strip()) : Optional.empty();
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }

    /** Keeps {@code key} instead of what was kept. The file is new, so nobody who had the old one open reads the new key. */
    void write(String key) {
        try {
            Files.deleteIfExists(path);
            try (SeekableByteChannel channel = Files.newByteChannel(
                    path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), ownerOnly())) {
                channel.write(ByteBuffer.wrap((key + "\n").getBytes(StandardCharsets.UTF_8)));
            }
        } catch (IOException denied) {
            throw new DemoFailedException("can't keep the demo's key in " + path + " (" + denied + ")", denied);
        }
    }

    private FileAttribute<?>[] ownerOnly() {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }
}
