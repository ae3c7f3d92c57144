package io.berth.itests;

import static org.ops4j.pax.exam.CoreOptions.composite;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.configureConsole;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.editConfigurationFilePut;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.karafDistributionConfiguration;
import static org.ops4j.pax.exam.karaf.options.KarafDistributionOption.keepRuntimeFolder;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.ops4j.pax.exam.Option;

/**
 * The options under which every test boots the assembled distribution: its own runtime folder under
 * {@code target/exam}, free ports on the loopback interface, no console.
 */
final class BerthContainer {

  private BerthContainer() {
  }

  /** The assembly as this build made it; never the one in the local repository. */
  static File assembly() {
    File archive = new File(System.getProperty("berth.assembly"));
    if (!archive.isFile()) {
      throw new IllegalStateException(
          "no assembly at " + archive + ": build karaf-assembly first (./mvnw verify does)");
    }
    return archive;
  }

  /** The assembly as it is shipped, with its ports moved to free ones. */
  static Option distribution() {
    return composite(
        karafDistributionConfiguration()
            .frameworkUrl(assembly().toURI().toString())
            .karafVersion(System.getProperty("berth.karaf.version"))
            .name("Berth")
            .unpackDirectory(new File(System.getProperty("berth.exam")))
            .useDeployFolder(false)
            .runEmbedded(false),
        keepRuntimeFolder(),
        configureConsole().ignoreLocalConsole().ignoreRemoteShell(),
        editConfigurationFilePut("etc/org.apache.felix.http.cfg",
            "org.osgi.service.http.port", Integer.toString(freePort())),
        editConfigurationFilePut("etc/org.ops4j.pax.url.mvn.cfg",
            "org.ops4j.pax.url.mvn.localRepository", System.getProperty("berth.repository")));
  }

  static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on the loopback interface", e);
    }
  }
}
