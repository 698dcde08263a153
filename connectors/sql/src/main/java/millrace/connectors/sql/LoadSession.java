package millrace.connectors.sql;

import java.util.concurrent.atomic.AtomicReference;
import millrace.fault.Fault;
import millrace.spi.PhaseTimer;
import millrace.spi.write.MergeCounts;
import millrace.spi.write.Mode;
import millrace.spi.write.WriteContext;
import millrace.spi.write.Writer;
import org.jspecify.annotations.Nullable;

/// A load under way: one transaction of one connection.
final class LoadSession {

  private final LoadPlan plan;
  private final SqlSession session;
  private final SqlJournal journal;
  private final Names names;
  private @Nullable MergeCounts merged;

  LoadSession(LoadPlan plan, SqlSession session, SqlJournal journal) {
    this.plan = plan;
    this.session = session;
    this.journal = journal;
    names = plan.dialect().names();
  }

  /// Makes ready what writers fill.
  void begin() {
    boolean undoesTables = plan.dialect().capabilities().transactionalDdl();
    if (plan.way() == LoadPlan.Way.MERGE) {
      plan.createMerge().forEach(session::execute);
    }
    if (!undoesTables) {
      // Whatever makes tables would commit the rows.
      journal.make();
      if (plan.way() == LoadPlan.Way.SWAP) {
        drop(plan.staging());
        session.execute(plan.create(plan.staging()));
      } else if (plan.makes()) {
        session.execute(plan.create(plan.table()));
      }
    }
    session.begin(plan.dialect().capabilities().begin());
    if (undoesTables && plan.makes()) {
      if (plan.mode() == Mode.REPLACE && plan.found() != null) {
        session.execute("DROP TABLE " + plan.table().sql(names));
      }
      session.execute(plan.create(plan.table()));
    } else if (plan.mode() == Mode.TRUNCATE) {
      session.update("DELETE FROM " + plan.table().sql(names));
    }
  }

  private void drop(TableName table) {
    session.execute("DROP TABLE IF EXISTS " + table.sql(names));
  }

  Writer writer(WriteContext context) {
    return new SqlWriter(plan, session, context);
  }

  /// Makes the rows appear, with the mark of the run.
  void complete(PhaseTimer steps) {
    switch (plan.way()) {
      case MERGE -> {
        AtomicReference<@Nullable MergeCounts> counts = new AtomicReference<>();
        steps.time("merge rows", 1, () -> counts.set(new Merge(plan).run(session)));
        merged = counts.get();
      }
      case DIRECT -> {
        if (plan.makes() && plan.found() != null) {
          plan.found().rest().forEach(session::execute);
        }
      }
      case SWAP -> {
        session.commit();
        steps.time("swap tables", 1, this::swap);
        session.begin(plan.dialect().capabilities().begin());
      }
    }
    if (plan.dialect().capabilities().transactionalDdl()) {
      journal.make();
    }
    journal.complete(plan.mode());
    session.commit();
    if (plan.way() == LoadPlan.Way.MERGE) {
      drop(plan.filled());
    }
  }

  /// Puts the staging table in the place of the old one, which stays if that fails.
  private void swap() {
    TableInfo replaced = plan.found();
    if (replaced != null) {
      drop(plan.old());
      rename(plan.table(), plan.old());
    }
    try {
      rename(plan.staging(), plan.table());
    } catch (Fault e) {
      if (replaced != null) {
        rename(plan.old(), plan.table());
      }
      throw e;
    }
    if (replaced != null) {
      drop(plan.old());
      replaced.rest().forEach(session::execute);
    }
  }

  private void rename(TableName from, TableName to) {
    session.execute("ALTER TABLE " + from.sql(names) + " RENAME TO " + names.quoted(to.name()));
  }

  @Nullable MergeCounts merged() {
    return merged;
  }

  /// Undoes everything.
  void abandon() {
    session.rollback();
    if (session.isCancelled()) {
      return;
    }
    if (plan.way() == LoadPlan.Way.SWAP) {
      drop(plan.staging());
    } else if (plan.makes() && !plan.dialect().capabilities().transactionalDdl()) {
      drop(plan.table());
    }
  }
}
