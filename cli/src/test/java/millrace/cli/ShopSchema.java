package millrace.cli;

/// A schema of eleven tables for tests of definitions, and what catalogs say of it.
final class ShopSchema {

  /// A shop for records, in the words of MariaDB and MySQL.
  static final String[] SHOP = {
    "CREATE TABLE maker (maker_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120) NOT NULL,"
        + " UNIQUE KEY by_name (name)) AUTO_INCREMENT = 400",
    "CREATE TABLE kind (kind_id smallint AUTO_INCREMENT PRIMARY KEY COMMENT 'jazz, rock',"
        + " name varchar(120) DEFAULT 'it''s \\\\ new')",
    "CREATE TABLE medium (medium_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120),"
        + " state enum('new','old') NOT NULL DEFAULT 'new')",
    "CREATE TABLE record (record_id bigint AUTO_INCREMENT PRIMARY KEY, title varchar(160) NOT NULL,"
        + " maker_id int NOT NULL, `Year Made` smallint DEFAULT -1, KEY by_title (title, maker_id),"
        + " CONSTRAINT record_maker FOREIGN KEY (maker_id) REFERENCES maker (maker_id)"
        + " ON DELETE CASCADE ON UPDATE CASCADE)",
    "CREATE TABLE track (track_id int AUTO_INCREMENT PRIMARY KEY, name varchar(200) NOT NULL,"
        + " record_id bigint, medium_id int NOT NULL, kind_id smallint, price decimal(10,2) NOT"
        + " NULL DEFAULT 0.99, CONSTRAINT track_price CHECK (price >= 0 AND price < 100), KEY"
        + " track_record (record_id), CONSTRAINT track_of_record FOREIGN KEY (record_id) REFERENCES"
        + " record (record_id) ON DELETE SET NULL ON UPDATE NO ACTION, CONSTRAINT track_medium"
        + " FOREIGN KEY (medium_id) REFERENCES medium (medium_id), CONSTRAINT track_kind FOREIGN"
        + " KEY (kind_id) REFERENCES kind (kind_id))",
    "CREATE TABLE clerk (clerk_id int AUTO_INCREMENT PRIMARY KEY, name varchar(40) NOT NULL,"
        + " boss int, since date DEFAULT '2001-02-03', active bit(1) NOT NULL DEFAULT b'1',"
        + " CONSTRAINT clerk_boss FOREIGN KEY (boss) REFERENCES clerk (clerk_id))",
    "CREATE TABLE client (client_id int AUTO_INCREMENT PRIMARY KEY, mail varchar(60) NOT NULL,"
        + " clerk_id int, country varchar(2) DEFAULT 'CH', UNIQUE KEY client_mail (mail),"
        + " CONSTRAINT client_clerk FOREIGN KEY (clerk_id) REFERENCES clerk (clerk_id)"
        + " ON DELETE SET NULL)",
    "CREATE TABLE bill (bill_id int AUTO_INCREMENT PRIMARY KEY, client_id int NOT NULL,"
        + " made datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6), total decimal(10,2),"
        + " KEY bill_made (client_id, made), CONSTRAINT bill_client FOREIGN KEY (client_id)"
        + " REFERENCES client (client_id))",
    "CREATE TABLE line (line_id int AUTO_INCREMENT PRIMARY KEY, bill_id int NOT NULL,"
        + " track_id int NOT NULL, quantity int NOT NULL DEFAULT 1, UNIQUE KEY line_once (bill_id,"
        + " track_id), CONSTRAINT line_bill FOREIGN KEY (bill_id) REFERENCES bill (bill_id)"
        + " ON DELETE CASCADE, CONSTRAINT line_track FOREIGN KEY (track_id) REFERENCES track"
        + " (track_id))",
    "CREATE TABLE playlist (playlist_id int AUTO_INCREMENT PRIMARY KEY, name varchar(120))",
    "CREATE TABLE played (playlist_id int NOT NULL, track_id int NOT NULL, PRIMARY KEY"
        + " (playlist_id, track_id), CONSTRAINT played_list FOREIGN KEY (playlist_id) REFERENCES"
        + " playlist (playlist_id), CONSTRAINT played_track FOREIGN KEY (track_id) REFERENCES track"
        + " (track_id))",
    "INSERT INTO maker VALUES (1, 'A'), (7, 'B')",
    "INSERT INTO kind VALUES (1, 'jazz')",
    "INSERT INTO medium VALUES (1, 'vinyl', 'old')",
    "INSERT INTO record VALUES (1, 'One', 1, 1999), (2, 'Two', 7, NULL)",
    "INSERT INTO track VALUES (1, 'a', 1, 1, 1, 0.99), (2, 'b', NULL, 1, NULL, 99.5)",
    "INSERT INTO clerk VALUES (1, 'Ann', NULL, NULL, b'1'), (2, 'Bob', 1, '2020-01-01', b'0')",
    "INSERT INTO client VALUES (1, 'x@y', 2, 'DE')",
    "INSERT INTO bill VALUES (1, 1, '2024-01-01 00:00:00', 1.98)",
    "INSERT INTO line VALUES (1, 1, 1, 1), (2, 1, 2, 1)",
    "INSERT INTO playlist VALUES (1, 'all')",
    "INSERT INTO played VALUES (1, 1), (1, 2)",
  };

  static final String OF_MYSQL =
      """
      SELECT concat_ws(' ', 'index', table_name, index_name, non_unique,
          group_concat(column_name ORDER BY seq_in_index)) AS what
        FROM information_schema.statistics WHERE table_schema = database()
        GROUP BY table_name, index_name, non_unique
      UNION ALL SELECT concat_ws(' ', 'foreign key', k.table_name, k.constraint_name,
          k.column_name, k.referenced_table_name, k.referenced_column_name, r.delete_rule,
          r.update_rule)
        FROM information_schema.key_column_usage k
        JOIN information_schema.referential_constraints r
          ON r.constraint_schema = k.table_schema AND r.constraint_name = k.constraint_name
        WHERE k.table_schema = database() AND k.referenced_table_name IS NOT NULL
      UNION ALL SELECT concat_ws(' ', 'column', table_name, column_name, is_nullable, extra,
          column_default) FROM information_schema.columns WHERE table_schema = database()
      UNION ALL SELECT concat_ws(' ', 'next', table_name, auto_increment)
        FROM information_schema.tables WHERE table_schema = database()
      UNION ALL SELECT concat_ws(' ', 'comment', table_name, column_name, column_comment)
        FROM information_schema.columns WHERE table_schema = database() AND column_comment <> ''
      ORDER BY 1
      """;

  static final String OF_POSTGRES =
      """
      SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname,
          pg_get_constraintdef(oid)) AS what
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
      UNION ALL SELECT regexp_replace(pg_get_indexdef(indexrelid), 'public[.]', '', 'g')
        FROM pg_index JOIN pg_class c ON c.oid = indrelid
          AND relnamespace = 'public'::regnamespace
      UNION ALL SELECT concat_ws(' ', 'default', adrelid::regclass, attname,
          pg_get_expr(adbin, adrelid))
        FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
      UNION ALL SELECT concat_ws(' ', 'next', schemaname || '.' || sequencename,
          coalesce(last_value + 1, start_value)) FROM pg_sequences
      ORDER BY 1
      """;

  static final String LOSE =
      """
      DO $$ DECLARE each record; BEGIN
        FOR each IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace AND contype IN ('f', 'c') LOOP
          EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', each.t, each.conname);
        END LOOP;
        FOR each IN SELECT attrelid::regclass AS t, attname FROM pg_attribute
          WHERE attidentity <> '' LOOP
          EXECUTE format('ALTER TABLE %s ALTER %I DROP IDENTITY', each.t, each.attname);
        END LOOP;
        DROP INDEX by_title;
      END $$
      """;

  private ShopSchema() {}
}
