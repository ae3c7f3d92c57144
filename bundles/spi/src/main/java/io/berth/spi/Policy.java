package io.berth.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Marks the factory component of a policy. It emits the bundle capability {@code io.berth.policy} with kind, name and
 * configuration keys, and the service properties {@code io.berth.policy.kind}, {@code io.berth.policy.name} and {@code
 * io.berth.policy.configuration}, so that a bundle shows what it offers before it starts. The answer of {@code
 * describe} must agree: if the name differs, or the keys differ from declared ones, the policy cannot be used.
 */
@Capability(namespace = "io.berth.policy")
@ComponentPropertyType
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Policy {

    String PREFIX_ = "io.berth.policy.";

    /** One of {@code matching}, {@code distribution}, {@code scaling}, {@code backend}. */
    @Attribute("kind")
    String kind();

    /** The name that selects the policy. */
    @Attribute("name")
    String name();

    /** The configuration keys that the policy understands. If empty, the bundle declares no keys in advance. */
    @Attribute("configuration")
    String[] configuration() default {};
}
