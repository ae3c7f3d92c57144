package io.berth.dataflow.api;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.osgi.annotation.bundle.Attribute;
import org.osgi.annotation.bundle.Capability;
import org.osgi.service.component.annotations.ComponentPropertyType;

/**
 * Names an {@link OperatorFactory} component. The name becomes the service property {@link #PROPERTY} and the bundle
 * capability {@code io.berth.operator;name;keyed;inputs;sideOutputs}. At submission, the operators and edges of a job description are
 * checked against these capabilities.
 */
@ComponentPropertyType
@Capability(namespace = Operator.NAMESPACE)
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface Operator {

    /** The namespace of the capability, and the prefix of the service property. */
    String NAMESPACE = "io.berth.operator";

    /** The service property that carries the operator's name. */
    String PROPERTY = "io.berth.operator";

    /** Prefix of the component property that this annotation sets. */
    String PREFIX_ = "io.berth.";

    /** The operator's name, as a job description writes it. */
    @Attribute("name")
    String value();

    /**
     * Whether the factory makes a {@link KeyedProcess}: then a job description may lead records to it
     * by {@code hash} only. A task of a keyed operator that does not say so fails when records come in
     * another way.
     */
    @Attribute("keyed")
    boolean keyed() default false;

    /** 2 when the factory is a {@code TwoInputFactory}: then edges of a job description may have {@code input: 2}. */
    @Attribute("inputs")
    int inputs() default 1;

    /** The names of the side outputs of a {@code SideOutputFactory}, which edges of a job description may name. */
    @Attribute("sideOutputs")
    String[] sideOutputs() default {};
}
