/**
 * Java records as bytes and as rows: {@link io.berth.dataflow.api.record.RecordSerializer} writes them by structure, with
 * evolution by added and removed components, and {@link io.berth.dataflow.api.record.RecordRows} turns them into rows of named
 * columns and back. What is found out about a record class is shared by all threads; a serializer is for one.
 */
@Export
@Version("1.0.0")
@NullMarked
package io.berth.dataflow.api.record;

import org.jspecify.annotations.NullMarked;
import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
