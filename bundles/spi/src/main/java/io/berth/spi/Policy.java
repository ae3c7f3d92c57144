package io.berth.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Put on the factory component of a policy: emits the bundle capability {@code io.berth.policy} with kind, name and
 * configuration keys, and the service properties {@code io.berth.policy.kind}, {@code io.berth.policy.name} and {@code
 * io.berth.policy.configuration}, so that a bundle tells what it offers before it starts. What {@code describe} answers
 * later has to agree: another name, or other keys than a declaration names, and the policy cannot be used.
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

    /** The name the policy is selected by. */
    @Attribute("name")
    String name();

    /** The configuration keys that the policy understands; empty: none are declared ahead. */
    @Attribute("configuration")
    String[] configuration() default {};
}
