package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Leader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The record of one epoch of a role.
 *
 * @param address where its leader serves; empty before and after it serves
 * @param process that was granted the role
 */
record LeaderRecord(String role, long epoch, Optional<String> address, long process) {

    byte[] value() {
        return (process + "\n" + address.orElse("")).getBytes(StandardCharsets.UTF_8);
    }

    static LeaderRecord read(String role, long epoch, byte[] value) throws DamagedBytesException {
        String text = new String(value, StandardCharsets.UTF_8);
        int line = text.indexOf('\n');
        try {
            String address = text.substring(line + 1);
            return new LeaderRecord(
                    role,
                    epoch,
                    address.isEmpty() ? Optional.empty() : Optional.of(address),
                    Long.parseLong(text.substring(0, Math.max(line, 0))));
        } catch (NumberFormatException failure) {
            throw new DamagedBytesException("it does not name a process");
        }
    }

    Optional<Leader> leader() {
        return address.map(at -> new Leader(role, epoch, at));
    }
}
