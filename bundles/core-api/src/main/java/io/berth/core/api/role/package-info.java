/** Participation of a process in a role that one process leads (FLIP-6: leader election and fencing). */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.role;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
