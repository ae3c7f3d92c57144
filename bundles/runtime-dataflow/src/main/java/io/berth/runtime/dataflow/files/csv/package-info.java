/**
 * CSV by RFC 4180: the built-in operators {@code csv-source} and {@code csv-sink}. Rows are read with the names of their columns.
 * Each operator is confined to the thread of its task. Knows {@code files}.
 */
@NullMarked
package io.berth.runtime.dataflow.files.csv;

import org.jspecify.annotations.NullMarked;
