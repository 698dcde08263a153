package millrace.connectors.file.csv;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks through byte arrays eight bytes at a time, with the arithmetic of one long. Loops that do
/// not ask what they have found before they are through are put into the processor's wide registers
/// by Java's compiler.
///
/// The zero-byte test is the well-known one of Hacker's Delight (Warren, section 6-1): its lowest
/// hit is exact, hits above it may be false. Counting uses the exact form.
public final class Swar {

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;
  private static final long LOWS = 0x7F7F7F7F7F7F7F7FL;
  private static final long EVENS = 0x00FF00FF00FF00FFL;

  private Swar() {}

  /// The first place of a byte in `[from, to)`, or `to`.
  public static int indexOf(byte[] bytes, int from, int to, byte wanted) {
    long pattern = (wanted & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at) ^ pattern;
      long hits = (word - ONES) & ~word & HIGHS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        return at;
      }
    }
    return to;
  }

  /// The first place of either byte in `[from, to)`, or `to`.
  public static int indexOf(byte[] bytes, int from, int to, byte one, byte other) {
    long pattern = (one & 0xFFL) * ONES;
    long otherPattern = (other & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at);
      long first = word ^ pattern;
      long second = word ^ otherPattern;
      long hits = (((first - ONES) & ~first) | ((second - ONES) & ~second)) & HIGHS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == one || bytes[at] == other) {
        return at;
      }
    }
    return to;
  }

  /// The first place of any of three bytes in `[from, to)`, or `to`.
  public static int indexOf(byte[] bytes, int from, int to, byte one, byte two, byte three) {
    long firstPattern = (one & 0xFFL) * ONES;
    long secondPattern = (two & 0xFFL) * ONES;
    long thirdPattern = (three & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at);
      long first = word ^ firstPattern;
      long second = word ^ secondPattern;
      long third = word ^ thirdPattern;
      long hits =
          (((first - ONES) & ~first) | ((second - ONES) & ~second) | ((third - ONES) & ~third))
              & HIGHS;
      if (hits != 0) {
        return at + (Long.numberOfTrailingZeros(hits) >>> 3);
      }
    }
    for (; at < to; at++) {
      if (bytes[at] == one || bytes[at] == two || bytes[at] == three) {
        return at;
      }
    }
    return to;
  }

  /// All places of three bytes below 128 in `[from, to)`, in order.
  ///
  /// Eight places are written at a time without asking how many there are: how many bytes lie
  /// between two of them is what a processor guesses wrong most often in such a loop (the idea, and
  /// that of one bit for each of 64 bytes, is simdjson's; Langdale and Lemire, "Parsing Gigabytes
  /// of JSON per Second", section 3.1).
  ///
  /// @param marks scratch, a long for each eight bytes of the range
  /// @param into at least as long as the range
  /// @return how many
  static int places(
      byte[] bytes, int from, int to, byte one, byte two, byte three, long[] marks, int[] into) {
    int blocks = (to - from) >>> 6;
    mark(bytes, from, one, two, three, marks, blocks * 8);
    int count = 0;
    int at = from;
    for (int block = 0; block < blocks; block++) {
      long hits = 0;
      for (int i = 0; i < 8; i++) {
        hits |= highBits(marks[block * 8 + i]) << (8 * i);
      }
      int found = Long.bitCount(hits);
      for (int i = 0; i < found; i += 8) {
        for (int j = 0; j < 8; j++) {
          into[count + i + j] = at + Long.numberOfTrailingZeros(hits);
          hits &= hits - 1;
        }
      }
      count += found;
      at += 64;
    }
    for (; at < to; at++) {
      byte here = bytes[at];
      if (here == one || here == two || here == three) {
        into[count++] = at;
      }
    }
    return count;
  }

  /// Of that many longs of bytes: the high bit of each byte that is one of the three.
  private static void mark(
      byte[] bytes, int from, byte one, byte two, byte three, long[] marks, int longs) {
    long first = one * ONES;
    long second = two * ONES;
    long third = three * ONES;
    for (int i = 0; i < longs; i++) {
      long word = (long) LONG.get(bytes, from + 8 * i);
      long low = word & LOWS;
      // The high bit of a byte stays clear where nothing differs; below 128 nothing carries over.
      long others = ((low ^ first) + LOWS) & ((low ^ second) + LOWS) & ((low ^ third) + LOWS);
      marks[i] = ~(others | word);
    }
  }

  /// How many of the bytes from `at` on are that one; -1 if one may be the other, or one of the two
  /// bytes before a hit is a hit as well.
  ///
  /// @param at at least 2
  /// @param length a multiple of 8, at most 2,040: a byte counts one in each eight
  static int lone(byte[] bytes, int at, int length, byte wanted, byte other) {
    long pattern = (wanted & 0xFFL) * ONES;
    long otherPattern = (other & 0xFFL) * ONES;
    long spoilt = 0;
    long counts = 0;
    for (int i = at; i < at + length; i += 8) {
      long here = (long) LONG.get(bytes, i);
      long word = here ^ pattern;
      long before = (long) LONG.get(bytes, i - 1) ^ pattern;
      long beforeThat = (long) LONG.get(bytes, i - 2) ^ pattern;
      long no = here ^ otherPattern;
      long hits = ~(((word & LOWS) + LOWS) | word) & HIGHS;
      long near = ((before - ONES) & ~before) | ((beforeThat - ONES) & ~beforeThat);
      spoilt |= (hits & near) | ((no - ONES) & ~no & HIGHS);
      counts += hits >>> 7;
    }
    if (spoilt != 0) {
      return -1;
    }
    // Each byte of the counts is a count; pairs of them are added so that none runs over.
    long pairs = (counts & EVENS) + (counts >>> 8 & EVENS);
    return (int) ((pairs * 0x0001000100010001L) >>> 48);
  }

  /// The high bits of the eight bytes, side by side: the product has each of them once among its
  /// highest eight bits, and no two bits of it fall together.
  private static long highBits(long word) {
    return ((word & HIGHS) * 0x0002040810204081L) >>> 56;
  }

  /// Which of the 64 bytes from `at` on are that one: a bit for each, the first one's lowest.
  static long hits(byte[] bytes, int at, byte wanted) {
    long pattern = (wanted & 0xFFL) * ONES;
    long hits = 0;
    for (int i = 0; i < 64; i += 8) {
      long word = (long) LONG.get(bytes, at + i) ^ pattern;
      hits |= highBits(~(((word & LOWS) + LOWS) | word)) << i;
    }
    return hits;
  }

  /// For each bit whether the number of bits set up to it, itself included, is odd (Hacker's
  /// Delight, section 5-2; with the places of quotes for bits it tells what is inside of them).
  static long parities(long bits) {
    long sums = bits ^ (bits << 1);
    sums ^= sums << 2;
    sums ^= sums << 4;
    sums ^= sums << 8;
    sums ^= sums << 16;
    return sums ^ (sums << 32);
  }

  /// Whether no byte of `[from, to)` is below a limit or one of two others.
  ///
  /// @param limit at most 128
  static boolean isFreeOf(byte[] bytes, int from, int to, int limit, byte one, byte other) {
    long limits = limit * ONES;
    long pattern = (one & 0xFFL) * ONES;
    long otherPattern = (other & 0xFFL) * ONES;
    int at = from;
    for (; at <= to - 8; at += 8) {
      if (hits((long) LONG.get(bytes, at), limits, pattern, otherPattern) != 0) {
        return false;
      }
    }
    if (at == to) {
      return true;
    }
    if (at <= bytes.length - 8) {
      // What lies behind the last byte is shifted out.
      long rest = (long) LONG.get(bytes, at);
      return hits(rest, limits, pattern, otherPattern) << (8 * (8 - (to - at))) == 0;
    }
    for (; at < to; at++) {
      if ((bytes[at] & 0xFF) < limit || bytes[at] == one || bytes[at] == other) {
        return false;
      }
    }
    return true;
  }

  /// The high bit of the lowest byte that is below the limit or one of two, and perhaps more.
  private static long hits(long word, long limits, long pattern, long otherPattern) {
    long first = word ^ pattern;
    long second = word ^ otherPattern;
    return (((word - limits) & ~word) | ((first - ONES) & ~first) | ((second - ONES) & ~second))
        & HIGHS;
  }

  /// How often a byte occurs in `[from, to)`.
  public static int count(byte[] bytes, int from, int to, byte wanted) {
    long pattern = (wanted & 0xFFL) * ONES;
    int count = 0;
    int at = from;
    for (; at <= to - 8; at += 8) {
      long word = (long) LONG.get(bytes, at) ^ pattern;
      count += Long.bitCount(~(((word & LOWS) + LOWS) | word | LOWS));
    }
    for (; at < to; at++) {
      if (bytes[at] == wanted) {
        count++;
      }
    }
    return count;
  }

  /// Whether every byte of `[from, to)` is below 128.
  static boolean isAscii(byte[] bytes, int from, int to) {
    int at = from;
    for (; at <= to - 8; at += 8) {
      if (((long) LONG.get(bytes, at) & HIGHS) != 0) {
        return false;
      }
    }
    for (; at < to; at++) {
      if (bytes[at] < 0) {
        return false;
      }
    }
    return true;
  }
}
