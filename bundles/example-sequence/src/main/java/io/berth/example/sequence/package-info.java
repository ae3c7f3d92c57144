/**
 * A job bundle with a source of numbers at a fixed rate, for demos and tests. The thread of its task calls each
 * operator. It depends only on the dataflow API.
 */
@NullMarked
package io.berth.example.sequence;

import org.jspecify.annotations.NullMarked;
