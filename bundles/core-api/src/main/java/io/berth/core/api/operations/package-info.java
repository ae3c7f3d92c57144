/** What the command line, the shell and REST translate: queries and actions of users. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.operations;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
