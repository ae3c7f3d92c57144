package io.berth.spi;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Put on the factory component of a policy: emits the bundle capability {@code io.berth.policy} with kind and name, and
 * the service properties {@code io.berth.policy.kind} and {@code io.berth.policy.name}, so that a bundle tells what it
 * offers before it starts.
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
}
