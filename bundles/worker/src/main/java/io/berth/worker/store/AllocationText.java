package io.berth.worker.store;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;

/** An allocation as one line of text: fields between spaces, in a fixed order. */
final class AllocationText {

    private static final int FIELDS = 15;

    private AllocationText() {}

    static String escape(String text) {
        return text.isEmpty() ? "%" : URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String unescape(String field) {
        return field.equals("%") ? "" : URLDecoder.decode(field, StandardCharsets.UTF_8);
    }

    static String write(SlotRequest allocation) {
        EndpointRef jobMaster = allocation.jobMaster();
        ResourceProfile profile = allocation.profile();
        List<String> fields = new ArrayList<>(List.of(
                String.valueOf(allocation.allocation().epoch()),
                String.valueOf(allocation.allocation().number()),
                escape(allocation.job().value()),
                escape(jobMaster.address().host()),
                String.valueOf(jobMaster.address().port()),
                escape(jobMaster.name().value()),
                String.valueOf(jobMaster.token().epoch()),
                jobMaster.token().id().toString(),
                escape(allocation.unit()),
                escape(allocation.group()),
                String.valueOf(allocation.decision()),
                String.valueOf(profile.cpuMillis()),
                String.valueOf(profile.heapBytes()),
                String.valueOf(profile.offHeapBytes()),
                String.valueOf(profile.managedBytes())));
        profile.extended().forEach((name, amount) -> {
            fields.add(escape(name));
            fields.add(String.valueOf(amount));
        });
        return String.join(" ", fields);
    }

    /** The allocation of a line; empty when the line is not one. */
    static Optional<SlotRequest> read(String line) {
        String[] fields = line.split(" ");
        if (fields.length < FIELDS || (fields.length - FIELDS) % 2 != 0) {
            return Optional.empty();
        }
        try {
            SortedMap<String, Long> extended = new TreeMap<>();
            for (int next = FIELDS; next < fields.length; next += 2) {
                extended.put(unescape(fields[next]), Long.valueOf(fields[next + 1]));
            }
            EndpointRef jobMaster = new EndpointRef(
                    new RpcAddress(unescape(fields[3]), Integer.parseInt(fields[4])),
                    new EndpointName(unescape(fields[5])),
                    new FencingToken(Long.parseLong(fields[6]), UUID.fromString(fields[7])));
            return Optional.of(new SlotRequest(
                    new AllocationId(Long.parseLong(fields[0]), Long.parseLong(fields[1])),
                    new JobId(unescape(fields[2])),
                    jobMaster,
                    unescape(fields[8]),
                    unescape(fields[9]),
                    new ResourceProfile(
                            Long.parseLong(fields[11]),
                            Long.parseLong(fields[12]),
                            Long.parseLong(fields[13]),
                            Long.parseLong(fields[14]),
                            extended),
                    Long.parseLong(fields[10])));
        } catch (IllegalArgumentException failure) {
            return Optional.empty();
        }
    }
}
