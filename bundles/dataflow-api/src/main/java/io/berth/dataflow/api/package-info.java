/**
 * The interfaces that user code implements: sources, operators, keyed state and sinks of a {@code dataflow} job.
 *
 * <p>A job bundle registers one {@link io.berth.dataflow.api.OperatorFactory} service per operator and names it with
 * {@link io.berth.dataflow.api.Operator}. Each operator instance belongs to one task, and only the thread of that task
 * calls it. A record that is passed to an operator is valid only during the call, because sources and the exchange
 * reuse records.
 */
@Export
@Version("1.5.0")
@NullMarked
package io.berth.dataflow.api;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
