/**
 * A sort of records as in TeraSort: {@code sort-records} generates them, {@code sort} orders those of a range of keys
 * with bounded memory. {@link io.berth.example.sort.Validate} checks files of sorted records, and {@link
 * io.berth.example.sort.PlainSort} sorts in one process. The thread of its task calls each operator.
 */
@NullMarked
package io.berth.example.sort;

import org.jspecify.annotations.NullMarked;
