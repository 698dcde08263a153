package millrace.connectors.kudu.online;

import java.util.Arrays;
import millrace.fault.Fault;

/// Adds up watts by device, without an object for each. One thread.
///
/// The sums stand in the order in which their devices came; a hash table with open addressing finds
/// them. Rows come by device from a table whose key begins with it, so the sum that was added to
/// last is looked at first.
final class DeviceSums {

  private static final int FIRST_CAPACITY = 1 << 10;
  private static final int NONE = -1;

  /// Where in the other arrays the device is that hashes there; twice as long as they are, or more.
  private int[] slots;

  private int[] building;
  private int[] floor;
  private int[] device;
  private int[] type;
  private long[] watts;
  private int size;
  private int last;

  DeviceSums() {
    slots = emptySlots(2 * FIRST_CAPACITY);
    building = new int[FIRST_CAPACITY];
    floor = new int[FIRST_CAPACITY];
    device = new int[FIRST_CAPACITY];
    type = new int[FIRST_CAPACITY];
    watts = new long[FIRST_CAPACITY];
  }

  private static int[] emptySlots(int count) {
    int[] empty = new int[count];
    Arrays.fill(empty, NONE);
    return empty;
  }

  /// Adds a row.
  ///
  /// @param ofType the type of the device; of several, the highest counts
  /// @throws Fault.Data if the sum is above what an int64 holds
  void add(int ofBuilding, int ofFloor, int ofDevice, long more, int ofType) {
    int at = size > 0 && is(last, ofBuilding, ofFloor, ofDevice) ? last : NONE;
    if (at == NONE) {
      at = find(ofBuilding, ofFloor, ofDevice);
    }
    last = at;
    type[at] = Math.max(type[at], ofType);
    try {
      watts[at] = Math.addExact(watts[at], more);
    } catch (ArithmeticException _) {
      throw new Fault.Data(
          "The sum of building "
              + ofBuilding
              + ", floor "
              + ofFloor
              + ", device "
              + ofDevice
              + " is beyond what an int64 holds.",
          "Look at the highest values of its " + ReadingTable.LOAD + ".",
          null);
    }
  }

  private boolean is(int at, int ofBuilding, int ofFloor, int ofDevice) {
    return device[at] == ofDevice && floor[at] == ofFloor && building[at] == ofBuilding;
  }

  /// Where the device is, which is new if it has not come before.
  private int find(int ofBuilding, int ofFloor, int ofDevice) {
    int slot = slot(ofBuilding, ofFloor, ofDevice);
    while (slots[slot] != NONE) {
      if (is(slots[slot], ofBuilding, ofFloor, ofDevice)) {
        return slots[slot];
      }
      slot = slot + 1 & slots.length - 1;
    }
    if (size == watts.length) {
      grow();
      return find(ofBuilding, ofFloor, ofDevice);
    }
    slots[slot] = size;
    building[size] = ofBuilding;
    floor[size] = ofFloor;
    device[size] = ofDevice;
    type[size] = Integer.MIN_VALUE;
    return size++;
  }

  private int slot(int ofBuilding, int ofFloor, int ofDevice) {
    long hash = ofBuilding * 0x9E3779B97F4A7C15L;
    hash = (hash ^ hash >>> 32 ^ ofFloor) * 0xC2B2AE3D27D4EB4FL;
    hash = (hash ^ hash >>> 32 ^ ofDevice) * 0x165667B19E3779F9L;
    return (int) (hash ^ hash >>> 32) & slots.length - 1;
  }

  private void grow() {
    int capacity = Math.multiplyExact(2, watts.length);
    building = Arrays.copyOf(building, capacity);
    floor = Arrays.copyOf(floor, capacity);
    device = Arrays.copyOf(device, capacity);
    type = Arrays.copyOf(type, capacity);
    watts = Arrays.copyOf(watts, capacity);
    slots = emptySlots(Math.multiplyExact(2, capacity));
    for (int at = 0; at < size; at++) {
      int slot = slot(building[at], floor[at], device[at]);
      while (slots[slot] != NONE) {
        slot = slot + 1 & slots.length - 1;
      }
      slots[slot] = at;
    }
  }

  /// Adds what another has added up.
  void addAll(DeviceSums other) {
    for (int at = 0; at < other.size; at++) {
      add(other.building[at], other.floor[at], other.device[at], other.watts[at], other.type[at]);
    }
  }

  /// How many devices have another sum in another list, or stand in one of both alone.
  long differing(DeviceSums other) {
    long both = 0;
    long same = 0;
    for (int at = 0; at < size; at++) {
      int there = other.lookUp(building[at], floor[at], device[at]);
      both += there == NONE ? 0 : 1;
      same += there != NONE && other.watts[there] == watts[at] ? 1 : 0;
    }
    return size - same + other.size - both;
  }

  private int lookUp(int ofBuilding, int ofFloor, int ofDevice) {
    int slot = slot(ofBuilding, ofFloor, ofDevice);
    while (slots[slot] != NONE && !is(slots[slot], ofBuilding, ofFloor, ofDevice)) {
      slot = slot + 1 & slots.length - 1;
    }
    return slots[slot];
  }

  /// How many devices there are; they are numbered from 0 on.
  int size() {
    return size;
  }

  int building(int at) {
    return building[at];
  }

  int floor(int at) {
    return floor[at];
  }

  int device(int at) {
    return device[at];
  }

  int type(int at) {
    return type[at];
  }

  long watts(int at) {
    return watts[at];
  }
}
