/**
 * The interfaces of a service that a job runs: code that is started and stopped, instead of records that flow. A job bundle
 * registers a {@link io.berth.dataflow.api.service.ServiceFactory} and names it with {@link
 * io.berth.dataflow.api.service.Service}; a vertex of the runtime {@code service} has it as its operator. Until version 1, a
 * minor version may be incompatible with the previous one.
 */
@Export
@Version("0.1.0")
@NullMarked
package io.berth.dataflow.api.service;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
