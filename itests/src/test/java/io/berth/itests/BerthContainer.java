package io.berth.itests;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.CoreOptions.systemProperty;
import static org.ops4j.pax.exam.CoreOptions.vmOption;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.configureConsole;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.editConfigurationFileExtend;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.editConfigurationFilePut;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.karafDistributionConfiguration;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.keepRuntimeFolder;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.logLevel;

import java.io.File;
import org.ops4j.pax.exam.Option;
import org.ops4j.pax.exam.karaf.options.LogLevelOption.LogLevel;

/**
 * The options with which every test boots the assembly: its own runtime folder under {@code target/exam}, free ports
 * on the loopback interface, no console.
 */
final class BerthContainer {

    /** An option of each JVM that a test starts. Most end soon, where the better compiler would not pay. */
    static final String COMPILER = "-XX:TieredStopAtLevel=" + System.getProperty("berth.it.compiler");

    /** Those of a worker by default, and the one above. */
    static final String WORKER_OPTIONS = "-XX:+UseParallelGC -XX:+ExitOnOutOfMemoryError " + COMPILER;

    private BerthContainer() {}

    /** A file that the build created or fetched; a system property of the test run names it. */
    static File file(String property) {
        File file = new File(System.getProperty(property));
        if (!file.isFile()) {
            throw new IllegalStateException(property + ": no file at " + file + "; ./mvnw verify builds it first");
        }
        return file;
    }

    /** The assembly of this build, never the one in the local repository, on free ports. */
    static Option distribution() {
        return karaf(file("berth.assembly"));
    }

    /** The pinned Karaf as its project ships it, without Berth, on free ports. */
    static Option plainKaraf() {
        return composite(
                karaf(file("berth.plain.karaf")),
                // As in the assembly. Otherwise its start sometimes hangs, with what the test runner adds to it.
                editConfigurationFilePut("etc/org.apache.karaf.features.cfg", "featuresBootAsynchronous", "true"),
                editConfigurationFilePut(
                        "etc/org.apache.karaf.shell.cfg", "sshPort", Integer.toString(FreePorts.next())),
                editConfigurationFilePut(
                        "etc/org.apache.karaf.management.cfg", "rmiRegistryPort", Integer.toString(FreePorts.next())),
                editConfigurationFilePut(
                        "etc/org.apache.karaf.management.cfg", "rmiServerPort", Integer.toString(FreePorts.next())));
    }

    /**
     * The assembly with its own workers, from {@code least} to {@code most}, with slots of one core and 64 MiB, and
     * timeouts that suit a test.
     */
    static Option cluster(int least, int most, int slots) {
        return composite(
                distribution(),
                workers(least, most, slots),
                artifact("berth.wordcount.jar"),
                artifact("berth.sequence.jar"),
                artifact("berth.text"));
    }

    static Option workers(int least, int most, int slots) {
        return composite(
                configuration("backend.local", "workers.min", least),
                configuration("backend.local", "workers.max", most),
                configuration("backend.local", "worker.cpu", slots),
                configuration("backend.local", "worker.memory", 64 * slots + "m"),
                configuration("backend.local", "worker.slots", slots),
                configuration("core.scheduler", "resource.stabilization.timeout.ms", 300),
                configuration("core.scheduler", "rescale.stabilization.timeout.ms", 300),
                configuration("core.resources", "worker.memory.overhead.mib", 128),
                configuration("core.resources", "worker.java.options", WORKER_OPTIONS));
    }

    /** How long calls of policies and backends may take. No call counts as a failure only because it took long. */
    static Option deadlines(int millis) {
        return composite(
                configuration("core.policies", "deadline.matching.ms", millis),
                configuration("core.policies", "deadline.distribution.ms", millis),
                configuration("core.policies", "deadline.scaling.ms", millis),
                configuration("core.policies", "deadline.backend.ms", millis),
                configuration("core.policies", "slow.call.percent", 100));
    }

    /** One key of etc/io.berth.PID.cfg. */
    static Option configuration(String pid, String key, Object value) {
        return editConfigurationFilePut("etc/io.berth." + pid + ".cfg", key, value.toString());
    }

    /** A file of the build, under the same property inside the container. */
    static Option artifact(String property) {
        return systemProperty(property).value(file(property).getAbsolutePath());
    }

    /** Every test may run beside a Karaf that uses the default ports. */
    private static Option karaf(File archive) {
        return composite(
                karafDistributionConfiguration()
                        .frameworkUrl(archive.toURI().toString())
                        .karafVersion(System.getProperty("berth.karaf.version"))
                        .name("Berth")
                        .unpackDirectory(new File(System.getProperty("berth.exam")))
                        .useDeployFolder(false)
                        .runEmbedded(false),
                vmOption(COMPILER),
                keepRuntimeFolder(),
                logLevel(LogLevel.INFO),
                configureConsole().ignoreLocalConsole().ignoreRemoteShell(),
                probeAfterBoot(),
                editConfigurationFilePut("etc/io.berth.core.rpc.cfg", "port", "0"),
                editConfigurationFilePut(
                        "etc/org.apache.felix.http.cfg",
                        "org.osgi.service.http.port",
                        Integer.toString(FreePorts.next())),
                editConfigurationFilePut(
                        "etc/org.ops4j.pax.url.mvn.cfg",
                        "org.ops4j.pax.url.mvn.localRepository",
                        System.getProperty("berth.repository")));
    }

    /**
     * An empty stage after the boot features of the distribution: what the test runner adds after it is installed when
     * all of them are started. Otherwise the runner could start the test's bundle while the features service, which
     * the boot features may restart, still assigns bundles to regions. A bundle that it does not know would not be
     * resolved.
     */
    private static Option probeAfterBoot() {
        return editConfigurationFileExtend("etc/org.apache.karaf.features.cfg", "featuresBoot", ",()");
    }
}
