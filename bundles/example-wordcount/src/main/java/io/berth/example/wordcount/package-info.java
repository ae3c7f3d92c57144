/** Word count, the example job bundle: {@code word-split}, {@code word-count} and {@code by-count}. */
package io.berth.example.wordcount;
