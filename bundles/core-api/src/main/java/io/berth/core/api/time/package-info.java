/** Injected time, and the main thread of a stateful component. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.time;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
