package io.berth.core.policies.framework;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.osgi.service.cm.Configuration;
import org.osgi.service.cm.ConfigurationAdmin;

/** How configurations of ConfigurationAdmin become entries of a policy. */
class PolicyConfigurationsTest {

    private static <T> T fake(Class<T> type, String method, Object answer) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, called, given) -> {
            if (!called.getName().equals(method)) {
                throw new UnsupportedOperationException(called.getName());
            }
            if (answer instanceof Exception failure) {
                throw failure;
            }
            return answer;
        }));
    }

    private static PolicyConfigurations of(Optional<Map<String, Object>> properties) {
        Object found = properties
                .map(given -> new Configuration[] {fake(Configuration.class, "getProperties", new Hashtable<>(given))})
                .orElse(null);
        return new PolicyConfigurations((ConfigurationAdmin) Proxy.newProxyInstance(
                PolicyConfigurationsTest.class.getClassLoader(),
                new Class<?>[] {ConfigurationAdmin.class},
                (self, called, given) -> {
                    assertThat(given).containsExactly("(service.pid=a.b)");
                    return found;
                }));
    }

    @Test
    void anAbsentPidHasNoEntries() {
        assertThat(of(Optional.empty()).of("a.b")).isEmpty();
    }

    @Test
    void leavesOutEntriesThatToolsAdd() {
        assertThat(of(Optional.of(Map.of("limit", "3", "service.pid", "a.b", "felix.fileinstall.filename", "f")))
                        .of("a.b"))
                .isEqualTo(Map.of("limit", "3"));
    }

    @Test
    void readsValuesThatAreNotStrings() {
        assertThat(of(Optional.of(Map.of(
                                "number",
                                5,
                                "flag",
                                true,
                                "several",
                                new String[] {"a", "b"},
                                "list",
                                List.of(1, 2),
                                "ints",
                                new int[] {3, 4},
                                "real",
                                1.5)))
                        .of("a.b"))
                .isEqualTo(Map.of(
                        "number", "5", "flag", "true", "several", "a,b", "list", "1,2", "ints", "3,4", "real", "1.5"));
    }

    @Test
    void cutsVeryLongValues() {
        Map<String, Object> large =
                Map.of("text", "x".repeat(10_000_000), "list", Collections.nCopies(10_000_000, "yy"));
        assertThat(of(Optional.of(large)).of("a.b").values())
                .allSatisfy(value -> assertThat(value).hasSize(PolicyConfigurations.MAX_CHARACTERS));
    }

    @Test
    void throwsWhenAConfigurationCannotBeRead() {
        PolicyConfigurations broken =
                new PolicyConfigurations(fake(ConfigurationAdmin.class, "listConfigurations", new IOException("torn")));
        assertThatThrownBy(() -> broken.of("a.b"))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("torn");
    }
}
