/** Injected time, and the main thread that a stateful component belongs to (design section 7). */
@Export
@Version("1.0.0")
package io.berth.core.api.time;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
