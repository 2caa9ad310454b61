package io.sluice.control.secret;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.EnumSet;
import java.util.Set;

/** The one secret everything else is derived from: given by the operator, or made once and kept in the data directory. */
public final class ServerSecret {
    /** 16 characters chosen at random have about 95 bits; shorter ones are words. */
    static final int CHARS_MIN = 16;

    private static final String FILE = "secret.key";

    private static final Set<PosixFilePermission> OWNER_ONLY =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private final byte[] bytes;

    private ServerSecret(String text) {
        bytes = text.getBytes(StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        return bytes.clone();
    }

    /**
     * The secret {@code given}, or where that is null the one in {@code dataDir}, made with mode 0600 at the first start.
     * Blocks: not for event loops.
     *
     * @throws IllegalArgumentException where the given one is blank or short, or the file can be read by others
     */
    public static ServerSecret of(String given, Path dataDir) throws IOException {
        if (given != null) {
            if (given.isBlank() || given.strip().length() < CHARS_MIN) {
                throw new IllegalArgumentException(
                        "SLUICE_SECRET_KEY must have at least " + CHARS_MIN + " characters; unset it to have one made");
            }
            return new ServerSecret(given.strip());
        }
        Path file = dataDir.resolve(FILE);
        Files.createDirectories(dataDir);
        try {
            make(file);
        } catch (FileAlreadyExistsException madeBefore) {
            requireOwnerOnly(file);
        }
        String text = Files.readString(file).strip();
        if (text.length() < CHARS_MIN) {
            throw new IllegalArgumentException(FILE + " in the data directory is damaged; restore it from a backup");
        }
        return new ServerSecret(text);
    }

    private static void make(Path file) throws IOException {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        byte[] text = (Base64.getEncoder().encodeToString(random) + "\n").getBytes(StandardCharsets.US_ASCII);
        Set<StandardOpenOption> options =
                EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
        try (SeekableByteChannel channel = posix(file)
                ? Files.newByteChannel(file, options, PosixFilePermissions.asFileAttribute(OWNER_ONLY))
                : Files.newByteChannel(file, options)) {
            channel.write(ByteBuffer.wrap(text));
        }
    }

    private static void requireOwnerOnly(Path file) throws IOException {
        if (posix(file) && !OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            throw new IllegalArgumentException(
                    FILE + " in the data directory can be read by others; chmod 600 it, and change the credentials"
                            + " it protects if others may have read it");
        }
    }

    private static boolean posix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    @Override
    public String toString() {
        return "ServerSecret[***]";
    }
}
