package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.ServiceReference;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;
import org.osgi.service.cm.ConfigurationEvent;

/** Which files go with a configuration. */
class DeletedConfigurationsTest {

    private static final String PID = "com.example.policy";

    @TempDir
    private Path folder;

    private final List<Configuration> present = new ArrayList<>();

    /** Filters are not evaluated: each test has configurations of one PID only. */
    private ConfigurationAdmin admin() {
        return Proxies.of(
                ConfigurationAdmin.class,
                Map.of("listConfigurations", filter -> present.toArray(new Configuration[0])));
    }

    private void configured(Map<String, Object> properties) {
        present.clear();
        present.add(Proxies.of(
                Configuration.class,
                Map.of("getPid", none -> PID, "getProperties", none -> new Hashtable<>(properties))));
    }

    private Path file(String content) throws IOException {
        Path file = folder.resolve(PID + ".cfg");
        Files.writeString(file, content);
        return file;
    }

    private static Map<String, Object> readFrom(Path file) {
        return Map.of("limit", "3", "felix.fileinstall.filename", file.toUri().toString());
    }

    @SuppressWarnings("unchecked")
    private static ConfigurationEvent event(int type) {
        return new ConfigurationEvent(Proxies.of(ServiceReference.class, Map.of()), type, null, PID);
    }

    private void deleted(DeletedConfigurations listener) {
        present.clear();
        listener.configurationEvent(event(ConfigurationEvent.CM_DELETED));
    }

    @Test
    void theFileOfAConfigurationGoesWithIt() throws IOException {
        Path file = file("limit = 3");
        configured(readFrom(file));
        deleted(new DeletedConfigurations(admin()));
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatWasReadLaterGoesToo() throws IOException {
        DeletedConfigurations listener = new DeletedConfigurations(admin());
        Path file = file("limit = 3");
        configured(readFrom(file));
        listener.configurationEvent(event(ConfigurationEvent.CM_UPDATED));
        deleted(listener);
        assertThat(file).doesNotExist();
    }

    @Test
    void aFileThatWasWrittenSinceItWasReadStays() throws IOException {
        Path file = file("limit = 3");
        configured(readFrom(file));
        DeletedConfigurations listener = new DeletedConfigurations(admin());
        file("limit = 44");
        deleted(listener);
        assertThat(file).hasContent("limit = 44");
    }

    @Test
    void aConfigurationThatLeftItsFileLeavesItAlone() throws IOException {
        Path file = file("limit = 3");
        configured(readFrom(file));
        DeletedConfigurations listener = new DeletedConfigurations(admin());
        configured(Map.of("limit", "3"));
        listener.configurationEvent(event(ConfigurationEvent.CM_UPDATED));
        deleted(listener);
        assertThat(file).exists();
    }

    @Test
    void aConfigurationWithoutAFileIsNoProblem() {
        configured(Map.of("limit", "3"));
        deleted(new DeletedConfigurations(admin()));
        configured(Map.of("felix.fileinstall.filename", "no uri: \\"));
        deleted(new DeletedConfigurations(admin()));
        configured(readFrom(folder.resolve("absent.cfg")));
        deleted(new DeletedConfigurations(admin()));
        assertThat(folder).isEmptyDirectory();
    }
}
