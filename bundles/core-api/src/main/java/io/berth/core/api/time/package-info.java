/** Injected time, and the main thread that a stateful component belongs to (design section 7). */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.time;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
