package millrace.testkit.oracle.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import millrace.testkit.oracle.OraException;
import millrace.testkit.oracle.catalog.Partitioning;
import millrace.testkit.oracle.catalog.Partitioning.Method;
import millrace.testkit.oracle.catalog.Partitioning.Part;

/// Reads how a table is divided, behind PARTITION BY.
public final class PartitionParser {

  private final TokenReader in;
  private final LongSupplier ids;

  public PartitionParser(TokenReader in, LongSupplier ids) {
    this.in = in;
    this.ids = ids;
  }

  Partitioning read() throws OraException {
    Method method = method();
    List<String> columns = in.names();
    if (in.peek().isAny("INTERVAL", "AUTOMATIC")) {
      throw OraException.unsupported("partitions that are made as they are needed", in.sql());
    }
    List<String> subColumns = List.of();
    int subpartitions = 0;
    if (in.accept("SUBPARTITION", "BY")) {
      in.expect("HASH");
      subColumns = in.names();
      in.expect("SUBPARTITIONS");
      subpartitions = in.integer();
    }
    List<Part> parts = new ArrayList<>();
    if (in.accept("PARTITIONS")) {
      int count = in.integer();
      for (int i = 0; i < count; i++) {
        parts.add(new Part("SYS_P" + ids.getAsLong(), "", List.of()));
      }
    } else {
      in.expect("(");
      do {
        parts.add(part(method));
      } while (in.accept(","));
      in.expect(")");
    }
    return new Partitioning(method, columns, parts, subColumns, subpartitions);
  }

  private Method method() throws OraException {
    if (in.accept("HASH")) {
      return Method.HASH;
    }
    if (in.accept("LIST")) {
      return Method.LIST;
    }
    if (in.accept("RANGE")) {
      return Method.RANGE;
    }
    throw OraException.unsupported("partitioning by " + in.peek().text(), in.sql());
  }

  /// One partition with its bound as a text.
  public Part part(Method method) throws OraException {
    in.expect("PARTITION");
    String name = in.name();
    String bound = "";
    if (method != Method.HASH) {
      in.expect("VALUES");
      if (method == Method.RANGE) {
        in.expect("LESS", "THAN");
      }
      bound = in.parenthesized();
    }
    TableParser.skipStorage(in);
    return new Part(name, bound, List.of());
  }
}
