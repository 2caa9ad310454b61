package io.sluice.tenants.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads addresses written as text, in their one canonical form only: parsers of the world disagree about every other
 * ({@code 127.1}, {@code 0177.0.0.1}, {@code 2130706433}), and what two programs read differently gets past a check.
 */
final class HostLiteral {
    private static final Pattern QUAD = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");
    private static final Pattern SIX = Pattern.compile("[0-9a-f:.]{2,45}");
    /** A last label of digits, or a hexadecimal number: some parser takes it for an address. */
    private static final Pattern NUMERIC = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9a-fA-F]*)\\.?");

    private HostLiteral() {}

    /** Whether some parser could take {@code host} for an address. */
    static boolean looksNumeric(String host) {
        return host.indexOf(':') >= 0 || NUMERIC.matcher(host).matches();
    }

    /** The 4 or 16 bytes of a canonical dotted quad, or of an IPv6 address as of RFC 5952 without brackets. */
    static Optional<byte[]> parse(String host) {
        return host.indexOf(':') >= 0 ? six(host) : quad(host);
    }

    private static Optional<byte[]> quad(String host) {
        if (!QUAD.matcher(host).matches()) {
            return Optional.empty();
        }
        byte[] address = new byte[4];
        String[] parts = host.split("\\.", -1);
        for (int i = 0; i < 4; i++) {
            int part = Integer.parseInt(parts[i]);
            if (part > 255) {
                return Optional.empty();
            }
            address[i] = (byte) part;
        }
        return Optional.of(address);
    }

    private static Optional<byte[]> six(String host) {
        if (!SIX.matcher(host).matches()) {
            return Optional.empty();
        }
        try {
            // With a colon in it this only parses; it never asks a name server.
            byte[] address = InetAddress.getByName(host).getAddress();
            boolean canonical =
                    address.length == 4 ? host.equals("::ffff:" + quadText(address)) : host.equals(sixText(address));
            return canonical ? Optional.of(address) : Optional.empty();
        } catch (UnknownHostException notAnAddress) {
            return Optional.empty();
        }
    }

    private static String quadText(byte[] a) {
        return (a[0] & 255) + "." + (a[1] & 255) + "." + (a[2] & 255) + "." + (a[3] & 255);
    }

    /** RFC 5952: lower case, no leading zeros, the first longest run of two or more zero groups shortened. */
    static String sixText(byte[] address) {
        int[] groups = new int[8];
        for (int i = 0; i < 8; i++) {
            groups[i] = (address[2 * i] & 255) << 8 | (address[2 * i + 1] & 255);
        }
        int start = -1;
        int length = 1;
        for (int i = 0; i < 8; i++) {
            int end = i;
            while (end < 8 && groups[end] == 0) {
                end++;
            }
            if (end - i > length) {
                start = i;
                length = end - i;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            if (i == start) {
                text.append("::");
                i += length - 1;
            } else {
                text.append(text.length() > 0 && text.charAt(text.length() - 1) != ':' ? ":" : "")
                        .append(Integer.toHexString(groups[i]));
            }
        }
        return text.toString().toLowerCase(Locale.ROOT);
    }
}
