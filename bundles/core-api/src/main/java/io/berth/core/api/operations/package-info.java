/** Queries and actions of users, for the command line, the shell and REST. */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.core.api.operations;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
