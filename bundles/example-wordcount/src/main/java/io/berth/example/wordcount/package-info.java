/** Word count, the example job bundle: {@code word-split}, {@code word-count} and {@code by-count}. */
@NullMarked
package io.berth.example.wordcount;

import org.jspecify.annotations.NullMarked;
