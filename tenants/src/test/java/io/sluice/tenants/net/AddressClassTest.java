package io.sluice.tenants.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressClassTest {
    @ParameterizedTest
    @CsvSource({
        "8.8.8.8, PUBLIC",
        "1.1.1.1, PUBLIC",
        "100.63.255.255, PUBLIC",
        "100.64.0.1, PRIVATE",
        "100.127.255.255, PRIVATE",
        "100.128.0.0, PUBLIC",
        "100.100.100.200, METADATA",
        "9.255.255.255, PUBLIC",
        "10.0.0.1, PRIVATE",
        "11.0.0.0, PUBLIC",
        "172.15.255.255, PUBLIC",
        "172.16.0.1, PRIVATE",
        "172.31.255.255, PRIVATE",
        "172.32.0.0, PUBLIC",
        "192.168.1.1, PRIVATE",
        "192.169.0.0, PUBLIC",
        "127.0.0.1, LOOPBACK",
        "127.255.255.254, LOOPBACK",
        "126.255.255.255, PUBLIC",
        "0.0.0.0, RESERVED",
        "0.1.2.3, RESERVED",
        "169.254.1.1, LINK_LOCAL",
        "169.254.169.254, METADATA",
        "169.254.170.2, METADATA",
        "168.63.129.16, METADATA",
        "168.63.129.17, PUBLIC",
        "192.0.0.192, METADATA",
        "192.0.0.1, RESERVED",
        "192.0.2.1, RESERVED",
        "198.18.0.1, RESERVED",
        "198.19.255.255, RESERVED",
        "198.20.0.0, PUBLIC",
        "198.51.100.7, RESERVED",
        "203.0.113.7, RESERVED",
        "224.0.0.1, MULTICAST",
        "240.0.0.1, RESERVED",
        "255.255.255.255, RESERVED",
        "2606:4700::1, PUBLIC",
        "::, RESERVED",
        "::1, LOOPBACK",
        "::127.0.0.1, RESERVED",
        "64:ff9b::a9fe:a9fe, METADATA",
        "64:ff9b::7f00:1, LOOPBACK",
        "64:ff9b::808:808, PUBLIC",
        "64:ff9b:1::1, PRIVATE",
        "100::1, RESERVED",
        "2001::1, RESERVED",
        "2001:db8::1, RESERVED",
        "2001:4860:4860::8888, PUBLIC",
        "2002:7f00:1::, RESERVED",
        "3fff::1, RESERVED",
        "4000::1, RESERVED",
        "fc00::1, PRIVATE",
        "fd12:3456::1, PRIVATE",
        "fd00:ec2::254, METADATA",
        "fd20:ce::254, METADATA",
        "fe80::1, LINK_LOCAL",
        "fec0::1, PRIVATE",
        "ff02::1, MULTICAST"
    })
    void knowsWhatKindOfAddressItIs(String address, AddressClass expected) throws UnknownHostException {
        assertThat(AddressClass.of(InetAddress.getByName(address))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"169.254.169.254, METADATA", "127.0.0.1, LOOPBACK", "8.8.8.8, PUBLIC"})
    void judgesAMappedAddressByTheOneInside(String inner, AddressClass expected) throws UnknownHostException {
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(InetAddress.getByName(inner).getAddress(), 0, mapped, 12, 4);
        assertThat(AddressClass.of(mapped)).isEqualTo(expected);
    }
}
