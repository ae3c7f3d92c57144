/**
 * Records without a class: {@link io.berth.dataflow.api.data.Row} has named columns, as sources of CSV and JSON make them and
 * sinks take them. Rows and columns are immutable; a serializer of rows is for one thread. Knows the root package only.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.dataflow.api.data;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
