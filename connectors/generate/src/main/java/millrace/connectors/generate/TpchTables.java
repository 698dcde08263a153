package millrace.connectors.generate;

import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;
import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import io.trino.tpch.Nation;
import io.trino.tpch.NationGenerator;
import io.trino.tpch.Order;
import io.trino.tpch.OrderGenerator;
import io.trino.tpch.Part;
import io.trino.tpch.PartGenerator;
import io.trino.tpch.PartSupplier;
import io.trino.tpch.PartSupplierGenerator;
import io.trino.tpch.Region;
import io.trino.tpch.RegionGenerator;
import io.trino.tpch.Supplier;
import io.trino.tpch.SupplierGenerator;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import millrace.data.BytesVector;
import millrace.data.Column;
import millrace.data.LongVector;
import millrace.data.Temporals;
import millrace.data.Type;
import millrace.data.Vector;

/// The eight tables of TPC-H: names, types and keys as in clause 1.4 of its specification, rows
/// from Trino's port of the benchmark's own dbgen.
final class TpchTables {

  private static final Type MONEY = new Type.Decimal(12, 2);

  private static final List<TpchTable<?>> ALL =
      List.of(
          new TpchTable<Customer>(
              "customer",
              List.of("c_custkey"),
              150_000,
              1,
              (scale, part, parts) -> new CustomerGenerator(scale, part, parts),
              List.of(
                  key("c_custkey", Customer::customerKey),
                  text("c_name", 25, 18, Customer::name),
                  text("c_address", 40, 25, Customer::address),
                  key("c_nationkey", Customer::nationKey),
                  text("c_phone", 15, 15, Customer::phone),
                  money("c_acctbal", Customer::accountBalanceInCents),
                  text("c_mktsegment", 10, 9, Customer::marketSegment),
                  text("c_comment", 117, 73, Customer::comment))),
          new TpchTable<LineItem>(
              "lineitem",
              List.of("l_orderkey", "l_linenumber"),
              1_500_000,
              4,
              (scale, part, parts) -> new LineItemGenerator(scale, part, parts),
              List.of(
                  key("l_orderkey", LineItem::orderKey),
                  key("l_partkey", LineItem::partKey),
                  key("l_suppkey", LineItem::supplierKey),
                  integer("l_linenumber", LineItem::lineNumber),
                  money("l_quantity", item -> item.quantity() * 100),
                  money("l_extendedprice", LineItem::extendedPriceInCents),
                  money("l_discount", LineItem::discountPercent),
                  money("l_tax", LineItem::taxPercent),
                  text("l_returnflag", 1, 1, LineItem::returnFlag),
                  text("l_linestatus", 1, 1, LineItem::status),
                  date("l_shipdate", LineItem::shipDate),
                  date("l_commitdate", LineItem::commitDate),
                  date("l_receiptdate", LineItem::receiptDate),
                  text("l_shipinstruct", 25, 12, LineItem::shipInstructions),
                  text("l_shipmode", 10, 4.3, LineItem::shipMode),
                  text("l_comment", 44, 26.5, LineItem::comment))),
          new TpchTable<Nation>(
              "nation",
              List.of("n_nationkey"),
              TpchTable.FIXED,
              25,
              (_, _, _) -> new NationGenerator(),
              List.of(
                  key("n_nationkey", Nation::nationKey),
                  text("n_name", 25, 7, Nation::name),
                  key("n_regionkey", Nation::regionKey),
                  text("n_comment", 152, 75, Nation::comment))),
          new TpchTable<Order>(
              "orders",
              List.of("o_orderkey"),
              1_500_000,
              1,
              (scale, part, parts) -> new OrderGenerator(scale, part, parts),
              List.of(
                  key("o_orderkey", Order::orderKey),
                  key("o_custkey", Order::customerKey),
                  text("o_orderstatus", 1, 1, order -> String.valueOf(order.orderStatus())),
                  money("o_totalprice", Order::totalPriceInCents),
                  date("o_orderdate", Order::orderDate),
                  text("o_orderpriority", 15, 8.4, Order::orderPriority),
                  text("o_clerk", 15, 15, Order::clerk),
                  integer("o_shippriority", Order::shipPriority),
                  text("o_comment", 79, 49, Order::comment))),
          new TpchTable<Part>(
              "part",
              List.of("p_partkey"),
              200_000,
              1,
              (scale, part, parts) -> new PartGenerator(scale, part, parts),
              List.of(
                  key("p_partkey", Part::partKey),
                  text("p_name", 55, 33, Part::name),
                  text("p_mfgr", 25, 14, Part::manufacturer),
                  text("p_brand", 10, 8, Part::brand),
                  text("p_type", 25, 20.6, Part::type),
                  integer("p_size", Part::size),
                  text("p_container", 10, 7.6, Part::container),
                  money("p_retailprice", Part::retailPriceInCents),
                  text("p_comment", 23, 13.5, Part::comment))),
          new TpchTable<PartSupplier>(
              "partsupp",
              List.of("ps_partkey", "ps_suppkey"),
              200_000,
              4,
              (scale, part, parts) -> new PartSupplierGenerator(scale, part, parts),
              List.of(
                  key("ps_partkey", PartSupplier::partKey),
                  key("ps_suppkey", PartSupplier::supplierKey),
                  integer("ps_availqty", PartSupplier::availableQuantity),
                  money("ps_supplycost", PartSupplier::supplyCostInCents),
                  text("ps_comment", 199, 124, PartSupplier::comment))),
          new TpchTable<Region>(
              "region",
              List.of("r_regionkey"),
              TpchTable.FIXED,
              5,
              (_, _, _) -> new RegionGenerator(),
              List.of(
                  key("r_regionkey", Region::regionKey),
                  text("r_name", 25, 7, Region::name),
                  text("r_comment", 152, 66, Region::comment))),
          new TpchTable<Supplier>(
              "supplier",
              List.of("s_suppkey"),
              10_000,
              1,
              (scale, part, parts) -> new SupplierGenerator(scale, part, parts),
              List.of(
                  key("s_suppkey", Supplier::supplierKey),
                  text("s_name", 25, 18, Supplier::name),
                  text("s_address", 40, 25, Supplier::address),
                  key("s_nationkey", Supplier::nationKey),
                  text("s_phone", 15, 15, Supplier::phone),
                  money("s_acctbal", Supplier::accountBalanceInCents),
                  text("s_comment", 101, 63, Supplier::comment))));

  private TpchTables() {}

  /// All of them, by name.
  static List<TpchTable<?>> all() {
    return ALL;
  }

  private static <E> TpchTable.Field<E> key(String name, ToLongFunction<E> value) {
    return longs(name, new Type.Int(64), 6, value);
  }

  private static <E> TpchTable.Field<E> integer(String name, ToIntFunction<E> value) {
    return longs(name, new Type.Int(32), 2, value::applyAsInt);
  }

  /// From hundredths.
  private static <E> TpchTable.Field<E> money(String name, ToLongFunction<E> cents) {
    return longs(name, MONEY, 7, cents);
  }

  /// From days since 1970.
  private static <E> TpchTable.Field<E> date(String name, ToIntFunction<E> days) {
    return longs(name, new Type.Date(), 10, row -> days.applyAsInt(row) - Temporals.EPOCH_DAYS);
  }

  private static <E> TpchTable.Field<E> longs(
      String name, Type type, double bytesMean, ToLongFunction<E> value) {
    return new TpchTable.Field<>(
        new Column(name, type, false, null),
        bytesMean,
        (E from, Vector into, int row) ->
            ((LongVector) into).values[row] = value.applyAsLong(from));
  }

  private static <E> TpchTable.Field<E> text(
      String name, int lengthMax, double bytesMean, Function<E, String> value) {
    return new TpchTable.Field<>(
        new Column(name, new Type.Text(lengthMax), false, null),
        bytesMean,
        (E from, Vector into, int row) -> {
          byte[] bytes = value.apply(from).getBytes(StandardCharsets.UTF_8);
          ((BytesVector) into).append(row, bytes, 0, bytes.length);
        });
  }
}
