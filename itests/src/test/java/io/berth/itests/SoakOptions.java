package io.berth.itests;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;

import io.berth.core.api.gateway.RpcService;
import io.berth.core.rpc.RpcServices;
import io.berth.core.security.ClusterSecurity;
import io.berth.itests.stub.StubCluster;
import io.berth.itests.stub.StubLoad;
import io.berth.spi.WorkerId;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ops4j.pax.exam.Option;
import org.slf4j.LoggerFactory;
import org.slf4j.simple.SimpleLogger;

/**
 * The size of the soak test, from {@code berth.storm}: {@code small} within each build, {@code full} or {@code quiet};
 * {@code berth.storm.swaps} for another number of swaps.
 *
 * @param journal whether the decisions are recorded, and made again in the end
 * @param baselineSeconds of load without swaps, for comparison
 * @param pauseMillis maximum pause between two swaps
 * @param checks how often everything stops and is compared
 * @param jobSeconds how long a real job runs
 */
record SoakOptions(
        String name,
        int swaps,
        boolean journal,
        StubLoad load,
        int baselineSeconds,
        int pauseMillis,
        int checks,
        int jobSeconds) {

    private static final String FULL = "full";
    private static final int FULL_SWAPS = 10_000;

    private static final String NAME = "berth.storm";
    private static final String SWAPS = "berth.storm.swaps";
    private static final String JOURNAL = "berth.storm.journal";
    private static final String CLASSES = "berth.storm.classes";
    private static final String REPORT = "berth.storm.report";

    static SoakOptions given() {
        String name = System.getProperty(NAME, "");
        int swaps = Integer.parseInt("0" + System.getProperty(SWAPS, ""));
        // It costs something, and the figures of the large ones are compared with earlier ones.
        boolean journal = Boolean.parseBoolean(System.getProperty(JOURNAL, "")) || name.isEmpty();
        return switch (name) {
            case FULL ->
                new SoakOptions(
                        name,
                        swaps > 0 ? swaps : FULL_SWAPS,
                        journal,
                        new StubLoad(100, 30, 1_000, 100, 20261120),
                        30,
                        20,
                        40,
                        60);
            case "quiet" ->
                new SoakOptions(
                        name,
                        swaps > 0 ? swaps : 1_000,
                        journal,
                        new StubLoad(100, 30, 20, 5, 20261120),
                        10,
                        20,
                        8,
                        30);
            default ->
                new SoakOptions(
                        "small",
                        swaps > 0 ? swaps : 120,
                        journal,
                        new StubLoad(100, 8, 200, 100, 20261120),
                        3,
                        10,
                        4,
                        5);
        };
    }

    /** How many decisions a journal must have at least. */
    int recordedDecisions() {
        return name.equals(FULL) && swaps >= FULL_SWAPS ? 10_000 : 100;
    }

    boolean quiet() {
        return name.equals("quiet");
    }

    static String classes() {
        return System.getProperty(CLASSES);
    }

    static Path report() {
        return Path.of(System.getProperty(REPORT));
    }

    /** Settings from outside that the test inside the container needs. */
    static Option options() {
        return composite(
                systemProperty(NAME).value(System.getProperty(NAME, "")),
                systemProperty(JOURNAL).value(System.getProperty(JOURNAL, "")),
                systemProperty(SWAPS).value(System.getProperty(SWAPS, "")),
                systemProperty(REPORT).value(System.getProperty(REPORT)),
                systemProperty(CLASSES).value(classPath()));
    }

    /** The class path of the stub process, outside of a container. */
    static String classPath() {
        return Stream.of(
                        StubCluster.class,
                        RpcServices.class,
                        ClusterSecurity.class,
                        RpcService.class,
                        WorkerId.class,
                        LoggerFactory.class,
                        SimpleLogger.class)
                .map(SoakOptions::origin)
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
