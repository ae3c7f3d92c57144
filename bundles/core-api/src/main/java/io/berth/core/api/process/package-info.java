/**
 * The settings of tasks of the runtime {@code process}. The Dispatcher checks them at submission, and the runtime reads them
 * on the worker. Immutable values; any thread.
 */
@Export
@Version("0.1.0")
@NullMarked
package io.berth.core.api.process;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
