package io.berth.core.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.PolicyDescription.ConfigurationKey;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Dictionary;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.metatype.AttributeDefinition;
import org.osgi.service.metatype.ObjectClassDefinition;

class PolicyMetatypeTest {

    private static final List<ConfigurationKey> KEYS = List.of(
            ConfigurationKey.number("limit", 5, 1, 10, "most of something"),
            ConfigurationKey.flag("eager", false, "whether at once"),
            ConfigurationKey.choice("order", "up", List.of("up", "down"), "where to begin"),
            ConfigurationKey.text("name", "", "what it is called").asRequired());

    private final List<String> events = new ArrayList<>();
    private final SortedMap<String, SortedMap<String, ConfigurationKey>> keys = new TreeMap<>();
    private final PolicyMetatypes metatypes = new PolicyMetatypes(context(), () -> keys);

    private BundleContext context() {
        return (BundleContext) Proxy.newProxyInstance(
                BundleContext.class.getClassLoader(), new Class<?>[] {BundleContext.class}, (self, method, given) -> {
                    Object pid = ((Dictionary<?, ?>) given[2]).get("metatype.pid");
                    events.add("register " + pid + " " + ((PolicyMetatype) given[1]).keys().size());
                    return Proxy.newProxyInstance(
                            BundleContext.class.getClassLoader(), new Class<?>[] {ServiceRegistration.class},
                            (registration, called, none) -> {
                                events.add(called.getName() + " " + pid);
                                return null;
                            });
                });
    }

    private void put(String pid, List<ConfigurationKey> described) {
        SortedMap<String, ConfigurationKey> ofPid = new TreeMap<>();
        described.forEach(key -> ofPid.put(key.key(), key));
        keys.put(pid, ofPid);
    }

    @Test
    void showsTypeDefaultBoundsAndOptionsOfEachKey() {
        PolicyMetatype metatype = PolicyMetatype.of("a.b", KEYS);

        AttributeDefinition[] all = metatype.getAttributeDefinitions(ObjectClassDefinition.ALL);
        assertThat(all).extracting(AttributeDefinition::getID).containsExactly("limit", "eager", "order", "name");
        assertThat(all[0].getType()).isEqualTo(AttributeDefinition.LONG);
        assertThat(all[0].getDefaultValue()).containsExactly("5");
        assertThat(all[0].getDescription()).isEqualTo("most of something: a whole number from 1 to 10");
        assertThat(all[0].validate("11")).isEqualTo("limit is '11': a whole number from 1 to 10 is allowed");
        assertThat(all[0].validate("7")).isEmpty();
        assertThat(all[1].getType()).isEqualTo(AttributeDefinition.BOOLEAN);
        assertThat(all[2].getOptionValues()).containsExactly("up", "down");
        assertThat(all[3].getDefaultValue()).isEmpty();
        assertThat(metatype.getAttributeDefinitions(ObjectClassDefinition.REQUIRED))
                .extracting(AttributeDefinition::getID)
                .containsExactly("name");
        assertThat(metatype.getAttributeDefinitions(ObjectClassDefinition.OPTIONAL)).hasSize(3);
        assertThat(metatype.getObjectClassDefinition("a.b", null).getID()).isEqualTo("a.b");
    }

    @Test
    void followsWhatPoliciesDescribe() {
        put("a", KEYS);
        put("none", List.of());
        metatypes.follow();
        metatypes.follow();
        assertThat(events).containsExactly("register a 4");

        put("a", KEYS.subList(0, 2));
        metatypes.follow();
        assertThat(events).containsExactly("register a 4", "unregister a", "register a 2");

        keys.clear();
        metatypes.follow();
        assertThat(events).last().isEqualTo("unregister a");

        put("b", KEYS);
        metatypes.follow();
        metatypes.close();
        metatypes.follow();
        assertThat(events).endsWith("register b 4", "unregister b");
    }
}
