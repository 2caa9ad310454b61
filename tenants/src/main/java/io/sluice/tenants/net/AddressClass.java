package io.sluice.tenants.net;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;

/**
 * What kind of address one is, by the registries of special-purpose addresses of IANA (IPv4 and IPv6, RFC 6890) and the
 * metadata addresses that cloud providers document. {@link InetAddress} knows only some of these ranges.
 */
public enum AddressClass {
    /** Reachable from anywhere. */
    PUBLIC("is public"),
    LOOPBACK("is a loopback address"),
    /** RFC 1918, unique local and deprecated site-local addresses, shared address space, local-use translation. */
    PRIVATE("is a private address"),
    LINK_LOCAL("is a link-local address"),
    /** Answers with credentials of the machine in a cloud. Never allowed. */
    METADATA("is a cloud's metadata address"),
    MULTICAST("is a multicast address"),
    /** No host of the internet has such an address. */
    RESERVED("is a reserved address");

    /** One range: {@code bits} leading bits are those of {@code address}. */
    @SuppressWarnings("ArrayRecordComponent") // private, never compared
    private record Range(byte[] address, int bits, AddressClass kind) {
        boolean covers(byte[] candidate) {
            for (int bit = 0; bit < bits; bit += 8) {
                int left = Math.min(8, bits - bit);
                int mask = 0xFF << (8 - left) & 0xFF;
                if ((candidate[bit / 8] & mask) != (address[bit / 8] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    /** First match wins: exact metadata addresses stand before the ranges they lie in. */
    private static final List<Range> V4 = List.of(
            v4(METADATA, 32, 169, 254, 169, 254), // most clouds
            v4(METADATA, 32, 169, 254, 170, 2), // task credentials of Amazon ECS
            v4(METADATA, 32, 168, 63, 129, 16), // Azure's platform address, a public range otherwise
            v4(METADATA, 32, 192, 0, 0, 192), // Oracle
            v4(METADATA, 32, 100, 100, 100, 200), // Alibaba
            v4(RESERVED, 8, 0, 0, 0, 0),
            v4(PRIVATE, 8, 10, 0, 0, 0),
            v4(PRIVATE, 10, 100, 64, 0, 0),
            v4(LOOPBACK, 8, 127, 0, 0, 0),
            v4(LINK_LOCAL, 16, 169, 254, 0, 0),
            v4(PRIVATE, 12, 172, 16, 0, 0),
            v4(RESERVED, 24, 192, 0, 0, 0),
            v4(RESERVED, 24, 192, 0, 2, 0),
            v4(RESERVED, 24, 192, 88, 99, 0),
            v4(PRIVATE, 16, 192, 168, 0, 0),
            v4(RESERVED, 15, 198, 18, 0, 0),
            v4(RESERVED, 24, 198, 51, 100, 0),
            v4(RESERVED, 24, 203, 0, 113, 0),
            v4(MULTICAST, 4, 224, 0, 0, 0),
            v4(RESERVED, 4, 240, 0, 0, 0));

    private static final List<Range> V6 = List.of(
            v6(METADATA, 128, 0xfd00, 0x0ec2, 0, 0, 0, 0, 0, 0x0254), // Amazon
            v6(METADATA, 128, 0xfd20, 0x00ce, 0, 0, 0, 0, 0, 0x0254), // Google
            v6(LOOPBACK, 128, 0, 0, 0, 0, 0, 0, 0, 1),
            v6(PRIVATE, 48, 0x0064, 0xff9b, 1),
            v6(PRIVATE, 7, 0xfc00),
            v6(LINK_LOCAL, 10, 0xfe80),
            v6(PRIVATE, 10, 0xfec0),
            v6(MULTICAST, 8, 0xff00),
            v6(RESERVED, 23, 0x2001), // protocol assignments, Teredo among them
            v6(RESERVED, 32, 0x2001, 0x0db8),
            v6(RESERVED, 16, 0x2002), // 6to4: an IPv4 address in disguise, withdrawn by RFC 7526
            v6(RESERVED, 20, 0x3fff),
            v6(PUBLIC, 3, 0x2000));

    private static final Range MAPPED = v6(PUBLIC, 96, 0, 0, 0, 0, 0, 0xffff);
    private static final Range TRANSLATED = v6(PUBLIC, 96, 0x0064, 0xff9b);

    private final String words;

    AddressClass(String words) {
        this.words = words;
    }

    /** What is said of such an address: {@code is a private address}. */
    public String words() {
        return words;
    }

    /** The class of {@code address}. */
    public static AddressClass of(InetAddress address) {
        return of(address.getAddress());
    }

    /**
     * The class of the 4 or 16 bytes of an address. An IPv4 address inside an IPv6 one (mapped, or translated by NAT64) has
     * the class of the inner one.
     */
    public static AddressClass of(byte[] address) {
        if (address.length == 4) {
            return first(V4, address, PUBLIC);
        }
        if (MAPPED.covers(address) || TRANSLATED.covers(address)) {
            return of(Arrays.copyOfRange(address, 12, 16));
        }
        return first(V6, address, RESERVED);
    }

    private static AddressClass first(List<Range> ranges, byte[] address, AddressClass otherwise) {
        return ranges.stream()
                .filter(range -> range.covers(address))
                .map(Range::kind)
                .findFirst()
                .orElse(otherwise);
    }

    private static Range v4(AddressClass kind, int bits, int a, int b, int c, int d) {
        return new Range(new byte[] {(byte) a, (byte) b, (byte) c, (byte) d}, bits, kind);
    }

    private static Range v6(AddressClass kind, int bits, int... groups) {
        byte[] address = new byte[16];
        for (int i = 0; i < groups.length; i++) {
            address[2 * i] = (byte) (groups[i] >> 8);
            address[2 * i + 1] = (byte) groups[i];
        }
        return new Range(address, bits, kind);
    }
}
