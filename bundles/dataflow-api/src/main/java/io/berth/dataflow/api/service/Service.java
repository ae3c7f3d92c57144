package io.berth.dataflow.api.service;

import io.berth.dataflow.api.Operator;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Names a {@link ServiceFactory} component. The name becomes the service property {@link Operator#PROPERTY} and the bundle
 * capability {@code io.berth.operator;name;runtime=service}, which job descriptions are checked against at submission.
 */
@ComponentPropertyType
@Capability(namespace = Operator.NAMESPACE, attribute = "runtime=service")
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Service {

    /** Prefix of the component property that this annotation sets. */
    String PREFIX_ = "io.berth.";

    /** The name, as the field {@code operator} of a vertex writes it. */
    @Attribute("name")
    String operator();
}
