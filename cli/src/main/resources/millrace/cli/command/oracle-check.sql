-- The statements that Millrace sends to an Oracle server, with values in the place of binds.
-- Run it in a worksheet of a database on which you may make tables. It makes tables whose names
-- begin with MILLRACE_, and drops them. V$ views, DBA_EXTENTS and AS OF SCN need rights: without
-- them ORA-00942, ORA-01031 or ORA-41900 is as it should be. BOOLEAN and VECTOR need 23ai.
-- Every other error is news to us: please report it with the statement and your release.
CREATE TABLE millrace_hashed (id NUMBER(9), v VARCHAR2(10), c CLOB) PARTITION BY HASH (id) (PARTITION p1, PARTITION p2, PARTITION p3, PARTITION p4);
INSERT INTO millrace_hashed VALUES (1, 'x', 'y');
CREATE TABLE millrace_iot (id NUMBER(9) PRIMARY KEY, v VARCHAR2(10)) ORGANIZATION INDEX;
INSERT INTO millrace_iot VALUES (1, 'x');
CREATE TABLE millrace_parted (id NUMBER(9)) PARTITION BY RANGE (id) (PARTITION only VALUES LESS THAN (MAXVALUE));
CREATE INDEX parts ON millrace_parted (id) LOCAL;
CREATE TABLE millrace_keyed (id NUMBER(9) PRIMARY KEY, v VARCHAR2(10));
CREATE TABLE millrace_longer (id NUMBER(9) PRIMARY KEY, v CLOB);
INSERT INTO millrace_longer VALUES (2, 'x');
CREATE VIEW millrace_seen AS SELECT * FROM millrace_hashed;
CREATE TABLE millrace_vectors (id NUMBER(9), v VECTOR(2, FLOAT32));
INSERT INTO millrace_vectors VALUES (1, '[1, 2]');
CREATE TABLE millrace_fam_parent (id NUMBER(9) GENERATED ALWAYS AS IDENTITY (INCREMENT BY 5) CONSTRAINT fam_key PRIMARY KEY, name VARCHAR2(9) DEFAULT 'x' NOT NULL, price NUMBER(9,2), twice NUMBER GENERATED ALWAYS AS (price * 2) VIRTUAL, CONSTRAINT fam_unique UNIQUE (name, price), CHECK (price > 0), CONSTRAINT fam_off CHECK (price < 9) DISABLE);
INSERT INTO millrace_fam_parent (price) VALUES (1);
CREATE INDEX fam_index ON millrace_fam_parent (UPPER(name), price DESC);
COMMENT ON TABLE millrace_fam_parent IS 'it''s';
COMMENT ON COLUMN millrace_fam_parent.price IS 'in full';
CREATE TABLE millrace_fam_kid (id NUMBER(9) PRIMARY KEY, parent NUMBER(9) REFERENCES millrace_fam_parent ON DELETE CASCADE) ORGANIZATION INDEX;
CREATE SEQUENCE millrace_numbers;
CREATE VIEW millrace_fam_seen AS SELECT id FROM millrace_fam_kid;
COMMENT ON TABLE millrace_fam_seen IS 'who''s seen';
COMMENT ON COLUMN millrace_fam_seen.id IS 'whose';
CREATE SYNONYM millrace_kin FOR millrace_fam_kid;
CREATE PACKAGE millrace_code AS PROCEDURE q; END;
/
CREATE PACKAGE BODY millrace_code AS PROCEDURE q IS BEGIN NULL; END; END;
/
CREATE TRIGGER millrace_touched BEFORE INSERT ON millrace_fam_kid BEGIN NULL; END;
/
ALTER TRIGGER millrace_touched DISABLE;
ALTER SESSION SET TIME_ZONE = '+00:00' NLS_LANGUAGE = 'AMERICAN' NLS_TERRITORY = 'AMERICA' NLS_NUMERIC_CHARACTERS = '.,' NLS_DATE_FORMAT = 'YYYY-MM-DD HH24:MI:SS' NLS_TIMESTAMP_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF' NLS_TIMESTAMP_TZ_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FFTZH:TZM' NLS_SORT = 'BINARY' NLS_COMP = 'BINARY' NLS_LENGTH_SEMANTICS = 'BYTE' RECYCLEBIN = OFF;
SELECT NLS_CHARSET_ID(value), SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA'), SYS_CONTEXT('USERENV', 'SESSION_USER') FROM nls_database_parameters WHERE parameter = 'NLS_CHARACTERSET';
DECLARE v VARCHAR2(99); c VARCHAR2(99); BEGIN DBMS_UTILITY.DB_VERSION(v, c); END;
/
SELECT object_type FROM all_objects WHERE owner = USER AND object_name = 'MILLRACE_METERS' AND object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW');
SELECT table_owner, table_name FROM all_synonyms WHERE owner IN (USER , 'PUBLIC') AND synonym_name = 'MILLRACE_METERS' AND db_link IS NULL ORDER BY CASE owner WHEN 'PUBLIC' THEN 1 ELSE 0 END;
CREATE TABLE "MILLRACE_LOCK" ("NAME" VARCHAR2(100 CHAR) NOT NULL PRIMARY KEY);
INSERT INTO "MILLRACE_LOCK" ("NAME") VALUES ('d17a3e67613f015b00d697f9dd23e31e' );
COMMIT;
SELECT "NAME" FROM "MILLRACE_LOCK" WHERE "NAME" = 'd17a3e67613f015b00d697f9dd23e31e' FOR UPDATE WAIT 20;
SELECT n.name, s.value, 1000000 * v.sid + v.serial# FROM v$sesstat s JOIN v$statname n ON n.statistic# = s.statistic# JOIN v$session v ON v.sid = s.sid WHERE n.name IN ('SQL*Net roundtrips to/from client', 'bytes sent via SQL*Net to client', 'bytes received via SQL*Net from client', 'execute count', 'user calls', 'user commits', 'user rollbacks', 'parse count (total)', 'parse count (hard)', 'redo size', 'redo entries', 'redo synch writes', 'undo change vector size', 'db block changes', 'db block gets', 'db block gets from cache', 'consistent gets', 'session logical reads', 'physical reads', 'physical reads direct', 'physical writes direct', 'physical writes direct (lob)', 'physical write total bytes', 'redo size for direct writes', 'table scan rows gotten', 'lob reads', 'lob writes', 'enqueue waits', 'CPU used by this session', 'DB time') AND ((v.sid = 103 AND v.serial# = 9 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (v.sid = 102 AND v.serial# = 8 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1));
SELECT name, gets, 0 FROM v$latch WHERE name IN ('cache buffers chains', 'checkpoint queue latch', 'redo allocation', 'shared pool');
SELECT name, value, 0 FROM v$sysstat WHERE name IN ('background checkpoints started', 'background checkpoints completed', 'DBWR checkpoints', 'DBWR undo block writes', 'redo log space requests');
SELECT 'log switches', SUM(sequence#), 0 FROM v$thread;
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
INSERT INTO "MILLRACE_JOURNAL" ("RUN", "SPLIT", "FROM_POSITION", "JOB", "TARGET", "DETAILS") VALUES ('20261130-121834-ymsdp' , -1, 0, 'a3d2701ef9a87ef3e0b54f35f59551a8' , '"MILLRACE_METERS"' , '{}' );
DELETE FROM "MILLRACE_LOCK" WHERE "NAME" = 'da526c17f7eaa3370d5673a83dead3fb';
COMMIT;
SELECT n.name, s.value, 1000000 * v.sid + v.serial# FROM v$sesstat s JOIN v$statname n ON n.statistic# = s.statistic# JOIN v$session v ON v.sid = s.sid WHERE n.name IN ('SQL*Net roundtrips to/from client', 'bytes sent via SQL*Net to client', 'bytes received via SQL*Net from client', 'execute count', 'user calls', 'user commits', 'user rollbacks', 'parse count (total)', 'parse count (hard)', 'redo size', 'redo entries', 'redo synch writes', 'undo change vector size', 'db block changes', 'db block gets', 'db block gets from cache', 'consistent gets', 'session logical reads', 'physical reads', 'physical reads direct', 'physical writes direct', 'physical writes direct (lob)', 'physical write total bytes', 'redo size for direct writes', 'table scan rows gotten', 'lob reads', 'lob writes', 'enqueue waits', 'CPU used by this session', 'DB time') AND ((v.sid = 105 AND v.serial# = 11 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1));
CREATE TABLE "MILLRACE_METERS_millrace_1" (
  "BUILDING_ID" NUMBER(10) NOT NULL,
  "FLOOR_ID" NUMBER(10) NOT NULL,
  "DEVICE_ID" NUMBER(10) NOT NULL,
  "TIME_STAMP" TIMESTAMP(6) NOT NULL,
  "DEVICE_LOAD" NUMBER(19) NOT NULL,
  "DEVICE_TYPE" NUMBER(10) NOT NULL,
  PRIMARY KEY ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP")
);
SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username, b.program, CASE WHEN s.blocking_instance <> SYS_CONTEXT('USERENV', 'INSTANCE') THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND s.blocking_instance = SYS_CONTEXT('USERENV', 'INSTANCE') WHERE ((s.sid = 102 AND s.serial# = 8 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 103 AND s.serial# = 9 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 106 AND s.serial# = 12 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1)) AND (s.status = 'ACTIVE' OR s.taddr IS NOT NULL);
INSERT INTO "MILLRACE_METERS_millrace_1" ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE") VALUES (0 , 0 , 0 , TIMESTAMP '2019-04-01 23:55:00.000000000' , 1.5E+3 , 1 );
UPDATE "MILLRACE_JOURNAL" SET "DETAILS" = '{}' WHERE "RUN" = '20261130-121834-ymsdp' AND "SPLIT" = 0 AND "FROM_POSITION" = 0;
INSERT INTO "MILLRACE_JOURNAL" ("RUN", "SPLIT", "FROM_POSITION", "JOB", "TARGET", "DETAILS") SELECT "RUN", 0, 0, "JOB", "TARGET", '{}' FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121834-ymsdp' AND "SPLIT" = -1 AND "FROM_POSITION" = 0;
COMMIT;
LOCK TABLE "MILLRACE_JOURNAL" IN EXCLUSIVE MODE;
SELECT "DETAILS" FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121834-ymsdp' AND "SPLIT" = -1;
SELECT "NAME" FROM "MILLRACE_LOCK" WHERE "NAME" = 'd17a3e67613f015b00d697f9dd23e31e' FOR UPDATE NOWAIT;
UPDATE "MILLRACE_JOURNAL" SET "DETAILS" = '{}' WHERE "RUN" = '20261130-121834-ymsdp' AND "SPLIT" = -1;
ALTER TABLE "MILLRACE_METERS_millrace_1" RENAME TO "MILLRACE_METERS";
DELETE FROM "MILLRACE_JOURNAL" WHERE "TARGET" = '"MILLRACE_METERS"' AND "RUN" <> '20261130-121834-ymsdp';
COMMIT;
DELETE FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121834-ymsdp';
SELECT 1 FROM "MILLRACE_JOURNAL" WHERE ROWNUM = 1;
DROP TABLE "MILLRACE_JOURNAL";
COMMIT;
SELECT c.column_name, c.data_type, c.data_length, c.data_precision, c.data_scale, c.char_length, c.char_used, c.nullable, c.default_length, c.virtual_column, c.identity_column, c.default_on_null, i.generation_type, c.hidden_column FROM all_tab_cols c LEFT JOIN all_tab_identity_cols i ON i.owner = c.owner AND i.table_name = c.table_name AND i.column_name = c.column_name WHERE c.owner = USER AND c.table_name = 'MILLRACE_METERS' AND (c.hidden_column = 'NO' OR c.user_generated = 'YES') ORDER BY c.column_id;
SELECT c.constraint_name, c.constraint_type, s.column_name, c.search_condition_vc, r.table_name FROM all_constraints c LEFT JOIN all_cons_columns s ON s.owner = c.owner AND s.constraint_name = c.constraint_name LEFT JOIN all_constraints r ON r.owner = c.r_owner AND r.constraint_name = c.r_constraint_name WHERE c.owner = USER AND c.table_name = 'MILLRACE_METERS' ORDER BY c.constraint_name, s.position;
SELECT i.index_name, i.uniqueness, c.column_name FROM all_indexes i JOIN all_ind_columns c ON c.index_owner = i.owner AND c.index_name = i.index_name WHERE i.table_owner = USER AND i.table_name = 'MILLRACE_METERS' AND i.index_type <> 'LOB' AND NOT EXISTS (SELECT 1 FROM all_constraints k WHERE k.owner = i.table_owner AND k.table_name = i.table_name AND k.index_name = i.index_name) ORDER BY i.index_name, c.column_position;
SELECT trigger_name, trigger_type, triggering_event FROM all_triggers WHERE table_owner = USER AND table_name = 'MILLRACE_METERS' AND status = 'ENABLED' ORDER BY 1;
SELECT 'comment' FROM all_tab_comments WHERE owner = USER AND table_name = 'MILLRACE_METERS' AND comments IS NOT NULL UNION ALL SELECT 'comment of ' || column_name FROM all_col_comments WHERE owner = USER AND table_name = 'MILLRACE_METERS' AND comments IS NOT NULL UNION ALL SELECT 'grant of ' || privilege || ' to ' || grantee FROM all_tab_privs WHERE table_schema = USER AND table_name = 'MILLRACE_METERS';
SELECT 'security policy ' || policy_name FROM all_policies WHERE object_owner = USER AND object_name = 'MILLRACE_METERS' UNION ALL SELECT 'encryption of ' || column_name FROM all_encrypted_columns WHERE owner = USER AND table_name = 'MILLRACE_METERS' UNION ALL SELECT 'materialized view log ' || log_table FROM all_mview_logs WHERE log_owner = USER AND master = 'MILLRACE_METERS' UNION ALL SELECT 'supplemental log group ' || log_group_name FROM all_log_groups WHERE owner = USER AND table_name = 'MILLRACE_METERS' UNION ALL SELECT 'flashback archive ' || flashback_archive_name FROM user_flashback_archive_tables WHERE owner_name = USER AND table_name = 'MILLRACE_METERS';
SELECT DISTINCT d.table_name FROM all_constraints d JOIN all_constraints k ON k.owner = d.r_owner AND k.constraint_name = d.r_constraint_name WHERE k.owner = USER AND k.table_name = 'MILLRACE_METERS' AND d.constraint_type = 'R' AND d.status = 'ENABLED' AND (d.owner <> k.owner OR d.table_name <> k.table_name);
SELECT num_rows, partitioned, temporary, iot_type, cluster_name, (SELECT count(*) FROM all_external_tables x WHERE x.owner = t.owner AND x.table_name = t.table_name) FROM all_tables t WHERE owner = USER AND table_name = 'MILLRACE_METERS';
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
CREATE TABLE "MILLRACE_METERS_millrace_2" AS SELECT "BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE", CAST(NULL AS NUMBER(19)) AS "millrace_order", CAST(NULL AS NUMBER(19)) AS "millrace_row", CAST(NULL AS NUMBER(19)) AS "millrace_line" FROM "MILLRACE_METERS" WHERE 1 = 0;
DELETE FROM "MILLRACE_METERS_millrace_2" WHERE EXISTS (SELECT 1 FROM "MILLRACE_METERS_millrace_2" later WHERE later."BUILDING_ID" = "MILLRACE_METERS_millrace_2"."BUILDING_ID" AND later."FLOOR_ID" = "MILLRACE_METERS_millrace_2"."FLOOR_ID" AND later."DEVICE_ID" = "MILLRACE_METERS_millrace_2"."DEVICE_ID" AND later."TIME_STAMP" = "MILLRACE_METERS_millrace_2"."TIME_STAMP" AND later."millrace_order" > "MILLRACE_METERS_millrace_2"."millrace_order");
SELECT count(*) FROM "MILLRACE_METERS_millrace_2";
SELECT count(*), sum(CASE WHEN changed > 0 THEN 1 ELSE 0 END), sum(changed) FROM (SELECT sum(CASE WHEN CASE WHEN DECODE(old."DEVICE_LOAD", fresh."DEVICE_LOAD", 1, 0) = 1 AND DECODE(old."DEVICE_TYPE", fresh."DEVICE_TYPE", 1, 0) = 1 THEN 0 ELSE 1 END = 1 THEN 1 ELSE 0 END) AS changed FROM "MILLRACE_METERS_millrace_2" fresh JOIN "MILLRACE_METERS" old ON old."BUILDING_ID" = fresh."BUILDING_ID" AND old."FLOOR_ID" = fresh."FLOOR_ID" AND old."DEVICE_ID" = fresh."DEVICE_ID" AND old."TIME_STAMP" = fresh."TIME_STAMP" GROUP BY fresh."millrace_order") millrace_keys;
COMMIT;
DROP TABLE "MILLRACE_METERS_millrace_2";
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
CREATE TABLE "MILLRACE_METERS_millrace_3" AS SELECT "BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE" FROM "MILLRACE_METERS" WHERE 1 = 0;
SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username, b.program, CASE WHEN s.blocking_instance <> SYS_CONTEXT('USERENV', 'INSTANCE') THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND s.blocking_instance = SYS_CONTEXT('USERENV', 'INSTANCE') WHERE ((s.sid = 116 AND s.serial# = 22 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 115 AND s.serial# = 21 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1)) AND (s.status = 'ACTIVE' OR s.taddr IS NOT NULL);
DELETE FROM "MILLRACE_METERS";
INSERT INTO "MILLRACE_METERS" ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE") SELECT "BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE" FROM "MILLRACE_METERS_millrace_3";
COMMIT;
DROP TABLE "MILLRACE_METERS_millrace_3";
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
INSERT INTO "MILLRACE_KEYED" ("ID", "V") VALUES (1 , 'a' );
COMMIT;
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
CREATE TABLE "MILLRACE_KEYED_millrace_4" AS SELECT "ID", "V", CAST(NULL AS NUMBER(19)) AS "millrace_order", CAST(NULL AS NUMBER(19)) AS "millrace_row", CAST(NULL AS NUMBER(19)) AS "millrace_line" FROM "MILLRACE_KEYED" WHERE 1 = 0;
INSERT INTO "MILLRACE_KEYED_millrace_4" ("ID", "V", "millrace_order", "millrace_row", "millrace_line") VALUES (2 , 'c' , 1 , 1 , 2 );
COMMIT;
DELETE FROM "MILLRACE_KEYED_millrace_4" WHERE EXISTS (SELECT 1 FROM "MILLRACE_KEYED_millrace_4" later WHERE later."ID" = "MILLRACE_KEYED_millrace_4"."ID" AND later."millrace_order" > "MILLRACE_KEYED_millrace_4"."millrace_order");
SELECT count(*) FROM "MILLRACE_KEYED_millrace_4";
SELECT count(*), sum(CASE WHEN changed > 0 THEN 1 ELSE 0 END), sum(changed) FROM (SELECT sum(CASE WHEN CASE WHEN DECODE(old."V", fresh."V", 1, 0) = 1 THEN 0 ELSE 1 END = 1 THEN 1 ELSE 0 END) AS changed FROM "MILLRACE_KEYED_millrace_4" fresh JOIN "MILLRACE_KEYED" old ON old."ID" = fresh."ID" GROUP BY fresh."millrace_order") millrace_keys;
SAVEPOINT millrace_merge;
MERGE INTO "MILLRACE_KEYED" old USING (SELECT fresh.* FROM "MILLRACE_KEYED_millrace_4" fresh WHERE EXISTS (SELECT 1 FROM "MILLRACE_KEYED" old WHERE old."ID" = fresh."ID" AND CASE WHEN DECODE(old."V", fresh."V", 1, 0) = 1 THEN 0 ELSE 1 END = 1)) fresh ON (old."ID" = fresh."ID") WHEN MATCHED THEN UPDATE SET old."V" = fresh."V";
INSERT INTO "MILLRACE_KEYED" ("ID", "V") SELECT fresh."ID", fresh."V" FROM "MILLRACE_KEYED_millrace_4" fresh WHERE NOT EXISTS (SELECT 1 FROM "MILLRACE_KEYED" old WHERE old."ID" = fresh."ID");
COMMIT;
DROP TABLE "MILLRACE_KEYED_millrace_4";
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
SAVEPOINT millrace_batch;
SAVEPOINT millrace_batch;
ROLLBACK TO SAVEPOINT millrace_batch;
INSERT INTO "MILLRACE_LONGER" ("ID", "V") VALUES (3 , 'd' );
COMMIT;
DROP TABLE "MILLRACE_JOURNAL";
SELECT subpartitioning_type FROM all_part_tables WHERE owner = USER AND table_name = 'MILLRACE_PARTED';
SELECT 1 FROM (SELECT owner, table_name, logging, tablespace_name FROM all_tables UNION ALL SELECT table_owner, table_name, logging, tablespace_name FROM all_tab_partitions UNION ALL SELECT table_owner, table_name, logging, tablespace_name FROM all_tab_subpartitions) t LEFT JOIN user_tablespaces s ON s.tablespace_name = t.tablespace_name WHERE t.owner = USER AND t.table_name = 'MILLRACE_PARTED' AND t.logging = 'NO' AND (s.force_logging IS NULL OR s.force_logging = 'NO') AND ROWNUM = 1;
SELECT index_name FROM all_indexes WHERE table_owner = USER AND table_name = 'MILLRACE_PARTED' AND partitioned = 'NO' AND index_type <> 'LOB' ORDER BY 1;
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
SELECT p.index_owner, p.index_name, i.uniqueness, p.partition_name FROM all_ind_partitions p
JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name
WHERE i.table_owner = USER AND i.table_name = 'MILLRACE_PARTED' AND p.status = 'UNUSABLE' AND EXISTS (SELECT 1 FROM all_ind_partitions o JOIN all_tab_partitions t ON t.partition_position = o.partition_position WHERE o.index_owner = p.index_owner AND o.index_name = p.index_name AND o.partition_name = p.partition_name AND t.table_owner = i.table_owner AND t.table_name = i.table_name AND t.partition_name = 'ONLY' )
ORDER BY 1, 2, 4;
SELECT p.index_owner, p.index_name, i.uniqueness, p.subpartition_name FROM all_ind_subpartitions p
JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name
WHERE i.table_owner = USER AND i.table_name = 'MILLRACE_PARTED' AND p.status = 'UNUSABLE' AND EXISTS (SELECT 1 FROM all_ind_partitions o JOIN all_tab_partitions t ON t.partition_position = o.partition_position WHERE o.index_owner = p.index_owner AND o.index_name = p.index_name AND o.partition_name = p.partition_name AND t.table_owner = i.table_owner AND t.table_name = i.table_name AND t.partition_name = 'ONLY' )
ORDER BY 1, 2, 4;
ALTER INDEX "PARTS" REBUILD PARTITION "ONLY";
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
CREATE TABLE "MILLRACE_METERS_millrace_5" (
  "O_ORDERKEY" NUMBER(19) NOT NULL,
  "O_CUSTKEY" NUMBER(19) NOT NULL,
  "O_ORDERSTATUS" VARCHAR2(1 CHAR) NOT NULL,
  "O_TOTALPRICE" NUMBER(12,2) NOT NULL,
  "O_ORDERDATE" DATE NOT NULL,
  "O_ORDERPRIORITY" VARCHAR2(15 CHAR) NOT NULL,
  "O_CLERK" VARCHAR2(15 CHAR) NOT NULL,
  "O_SHIPPRIORITY" NUMBER(10) NOT NULL,
  "O_COMMENT" VARCHAR2(79 CHAR) NOT NULL,
  PRIMARY KEY ("O_ORDERKEY")
);
SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username, b.program, CASE WHEN s.blocking_instance <> SYS_CONTEXT('USERENV', 'INSTANCE') THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND s.blocking_instance = SYS_CONTEXT('USERENV', 'INSTANCE') WHERE ((s.sid = 152 AND s.serial# = 58 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 153 AND s.serial# = 59 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 156 AND s.serial# = 62 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1)) AND s.blocking_session IS NOT NULL;
INSERT INTO "MILLRACE_METERS_millrace_5" ("O_ORDERKEY", "O_CUSTKEY", "O_ORDERSTATUS", "O_TOTALPRICE", "O_ORDERDATE", "O_ORDERPRIORITY", "O_CLERK", "O_SHIPPRIORITY", "O_COMMENT") VALUES (1 , 37 , 'O' , 131251.81 , TIMESTAMP '1996-01-02 00:00:00.000000000' , '5-LOW' , 'Clerk#000000951' , 0 , 'nstructions sleep furiously among ' );
COMMIT;
ALTER TABLE "MILLRACE_METERS" RENAME TO "MILLRACE_METERS_millrace_old";
ALTER TABLE "MILLRACE_METERS_millrace_5" RENAME TO "MILLRACE_METERS";
DROP TABLE "MILLRACE_METERS_millrace_old";
DROP TABLE "MILLRACE_JOURNAL";
BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK('MILLRACE_6' ); DBMS_PARALLEL_EXECUTE.DROP_TASK('MILLRACE_6' ); END;
/
SELECT DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER FROM DUAL;
SELECT 1 FROM "MILLRACE_HASHED" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED";
SELECT column_name FROM all_tab_columns WHERE owner = USER AND table_name = 'MILLRACE_HASHED' AND data_type IN ('CLOB', 'NCLOB', 'BLOB');
SELECT NVL(ROUND(AVG(NVL(DBMS_LOB.GETLENGTH("C"), 0))), 0) FROM "MILLRACE_HASHED" WHERE ROWNUM <= 200;
BEGIN DBMS_PARALLEL_EXECUTE.CREATE_TASK('MILLRACE_7' ); END;
/
BEGIN DBMS_PARALLEL_EXECUTE.CREATE_CHUNKS_BY_ROWID('MILLRACE_7' , USER , 'MILLRACE_HASHED' , FALSE, 512); END;
/
SELECT start_rowid FROM user_parallel_execute_chunks WHERE task_name = 'MILLRACE_7';
BEGIN DBMS_PARALLEL_EXECUTE.DROP_TASK('MILLRACE_7' ); END;
/
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID >= 'ACARFxAAEAAAACAAAA' AND ROWID < 'ADARFxAAEAAAACAAAA';
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID < 'ACARFxAAEAAAACAAAA';
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID >= 'AEARFxAAEAAAACAAAA';
SELECT partition_name FROM all_tab_partitions WHERE table_owner = USER AND table_name = 'MILLRACE_HASHED' ORDER BY num_rows DESC NULLS LAST, partition_name, partition_position;
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" PARTITION ("P1") AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" PARTITION ("P2") AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" PARTITION ("P3") AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT "ID", "V", "C", ROWID FROM "MILLRACE_HASHED" PARTITION ("P4") AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT 1 FROM "MILLRACE_IOT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "ID", "V", "ID" FROM "MILLRACE_IOT";
SELECT min("ID") FROM "MILLRACE_IOT";
SELECT max("ID") FROM "MILLRACE_IOT";
SELECT "ID" FROM "MILLRACE_IOT" WHERE "ID" >= 1 ORDER BY "ID" OFFSET 1000 ROWS FETCH NEXT 1 ROWS ONLY;
SELECT "ID" FROM "MILLRACE_IOT" ORDER BY "ID" OFFSET 466033 ROWS FETCH NEXT 1 ROWS ONLY;
SELECT "ID", "V", "ID" FROM "MILLRACE_IOT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT "ID", "V", "C" FROM "MILLRACE_SEEN";
SELECT NVL(ROUND(AVG(NVL(DBMS_LOB.GETLENGTH("C"), 0))), 0) FROM "MILLRACE_SEEN" WHERE ROWNUM <= 200;
SELECT 1 FROM "MILLRACE_VECTORS" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "ID", FROM_VECTOR("V" RETURNING CLOB), ROWID FROM "MILLRACE_VECTORS";
SELECT "ID", FROM_VECTOR("V" RETURNING CLOB), ROWID FROM "MILLRACE_VECTORS" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT 1 FROM "MILLRACE_SEEN" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "ID", "V", "C", MOD(NVL(ORA_HASH("ID", 4294967295, 0), 0) + NVL(ORA_HASH("V", 4294967295, 1), 0), 4294967296) FROM "MILLRACE_SEEN";
SELECT "ID", "V", "C", MOD(NVL(ORA_HASH("ID", 4294967295, 0), 0) + NVL(ORA_HASH("V", 4294967295, 1), 0), 4294967296) FROM "MILLRACE_SEEN" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE MOD(NVL(ORA_HASH("ID", 4294967295, 0), 0) + NVL(ORA_HASH("V", 4294967295, 1), 0), 4294967296) < 2147483648;
SELECT "ID", "V", "C", MOD(NVL(ORA_HASH("ID", 4294967295, 0), 0) + NVL(ORA_HASH("V", 4294967295, 1), 0), 4294967296) FROM "MILLRACE_SEEN" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE MOD(NVL(ORA_HASH("ID", 4294967295, 0), 0) + NVL(ORA_HASH("V", 4294967295, 1), 0), 4294967296) >= 2147483648;
SELECT "ID", "V", NVL(ORA_HASH("ID", 4294967295, 0), 0) FROM "MILLRACE_IOT";
SELECT "ID", "V", NVL(ORA_HASH("ID", 4294967295, 0), 0) FROM "MILLRACE_IOT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE NVL(ORA_HASH("ID", 4294967295, 0), 0) < 2147483648;
SELECT "ID", "V", NVL(ORA_HASH("ID", 4294967295, 0), 0) FROM "MILLRACE_IOT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE NVL(ORA_HASH("ID", 4294967295, 0), 0) >= 2147483648;
SELECT "ID", "V" FROM "MILLRACE_HASHED" WHERE (id > 0 and v = 'x' or v is null
);
COMMIT;
SELECT 1 FROM user_users u JOIN user_tablespaces s ON s.tablespace_name = u.default_tablespace WHERE u.username = USER AND s.logging = 'NOLOGGING' AND s.force_logging = 'NO';
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
CREATE TABLE "MILLRACE_LONG_millrace_17" (
  "TOKEN" VARCHAR2(20 CHAR) NOT NULL
);
SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username, b.program, CASE WHEN s.blocking_instance <> SYS_CONTEXT('USERENV', 'INSTANCE') THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND s.blocking_instance = SYS_CONTEXT('USERENV', 'INSTANCE') WHERE ((s.sid = 213 AND s.serial# = 119 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 214 AND s.serial# = 120 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 217 AND s.serial# = 123 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1) OR (s.sid = 218 AND s.serial# = 124 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1)) AND (s.status = 'ACTIVE' OR s.taddr IS NOT NULL);
LOCK TABLE "MILLRACE_LONG_millrace_17" IN EXCLUSIVE MODE;
SELECT count(*) FROM "MILLRACE_LONG_millrace_17";
SELECT "DETAILS" FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121856-zzwsg' AND "SPLIT" >= -1 ORDER BY "SPLIT", "FROM_POSITION";
ALTER TABLE "MILLRACE_LONG_millrace_17" RENAME TO "MILLRACE_LONG";
COMMIT;
DROP TABLE "MILLRACE_JOURNAL";
SELECT s.event, s.wait_class, s.state, s.status, s.blocking_session, b.username, b.program, CASE WHEN s.blocking_instance <> SYS_CONTEXT('USERENV', 'INSTANCE') THEN s.blocking_instance END AS far FROM v$session s LEFT JOIN v$session b ON b.sid = s.blocking_session AND s.blocking_instance = SYS_CONTEXT('USERENV', 'INSTANCE') WHERE ((s.sid = 220 AND s.serial# = 126 AND SYS_CONTEXT('USERENV', 'INSTANCE') = 1)) AND s.blocking_session IS NOT NULL;
SELECT 1 FROM "MILLRACE_LONG" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "TOKEN", ROWID FROM "MILLRACE_LONG";
SELECT "TOKEN", ROWID FROM "MILLRACE_LONG" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID >= 'AAARIGAAEAAAACIAAA' AND ROWID < 'AAARIGAAEAAAACQAAA';
SELECT "TOKEN", ROWID FROM "MILLRACE_LONG" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID < 'AAARIGAAEAAAACIAAA';
SELECT "TOKEN", ROWID FROM "MILLRACE_LONG" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID >= 'AAARIGAAEAAAAG4AAA';
SELECT 1 FROM dba_extents WHERE ROWNUM = 0;
SELECT DBMS_ROWID.ROWID_CREATE(1, o.data_object_id, e.relative_fno, e.block_id, 0), e.bytes FROM dba_extents e JOIN all_objects o ON o.owner = e.owner AND o.object_name = e.segment_name AND o.object_type = e.segment_type AND (o.subobject_name = e.partition_name OR e.partition_name IS NULL) WHERE e.owner = USER AND e.segment_name = 'MILLRACE_LONG' AND e.segment_type LIKE 'TABLE%' AND o.data_object_id IS NOT NULL;
SELECT o.object_name FROM all_objects o LEFT JOIN all_tables t ON t.owner = o.owner AND t.table_name = o.object_name WHERE o.owner = USER AND o.object_type IN ('TABLE', 'VIEW') AND o.secondary = 'N' AND (t.nested IS NULL OR t.nested = 'NO') AND (t.iot_type IS NULL OR t.iot_type = 'IOT') AND o.object_name NOT LIKE 'MLOG$%' ORDER BY 1;
SELECT SYS_CONTEXT('USERENV', 'CURRENT_SCHEMA') FROM dual;
SELECT object_type, object_name, status FROM all_objects WHERE owner = USER AND generated = 'N' AND secondary = 'N' AND object_type NOT IN ('INDEX', 'LOB') AND object_type NOT LIKE '%PARTITION' AND object_name NOT LIKE 'ISEQ$$%' ORDER BY object_type, object_name;
SELECT object_type, object_name, status FROM all_objects WHERE owner = 'OTHER' AND generated = 'N' AND secondary = 'N' AND object_type NOT IN ('INDEX', 'LOB') AND object_type NOT LIKE '%PARTITION' AND object_name NOT LIKE 'ISEQ$$%' ORDER BY object_type, object_name;
SELECT type, name, referenced_type, referenced_owner, referenced_name FROM all_dependencies WHERE owner = USER;
SELECT object_type FROM all_objects WHERE owner = 'OTHER' AND object_name = 'MILLRACE_FAM_KID' AND object_type IN ('TABLE', 'VIEW', 'MATERIALIZED VIEW');
SELECT table_owner, table_name FROM all_synonyms WHERE owner IN ('OTHER' , 'PUBLIC') AND synonym_name = 'MILLRACE_FAM_KID' AND db_link IS NULL ORDER BY CASE owner WHEN 'PUBLIC' THEN 1 ELSE 0 END;
SELECT c.column_name, c.virtual_column, c.default_on_null, i.generation_type, i.identity_options, m.comments, c.data_default FROM all_tab_cols c LEFT JOIN all_tab_identity_cols i ON i.owner = c.owner AND i.table_name = c.table_name AND i.column_name = c.column_name LEFT JOIN all_col_comments m ON m.owner = c.owner AND m.table_name = c.table_name AND m.column_name = c.column_name WHERE c.owner = USER AND c.table_name = 'MILLRACE_FAM_KID' AND c.hidden_column = 'NO' ORDER BY c.column_id;
SELECT constraint_name, column_name FROM all_cons_columns WHERE owner = USER AND table_name = 'MILLRACE_FAM_KID' ORDER BY constraint_name, position, column_name;
SELECT c.constraint_name, s.column_name FROM all_constraints c JOIN all_cons_columns s ON s.owner = c.r_owner AND s.constraint_name = c.r_constraint_name WHERE c.owner = USER AND c.table_name = 'MILLRACE_FAM_KID' ORDER BY c.constraint_name, s.position;
SELECT c.constraint_name, c.constraint_type, c.generated, c.status, c.validated, c.deferrable, c.deferred, c.delete_rule, c.index_name, r.owner, r.table_name, c.search_condition FROM all_constraints c LEFT JOIN all_constraints r ON r.owner = c.r_owner AND r.constraint_name = c.r_constraint_name WHERE c.owner = USER AND c.table_name = 'MILLRACE_FAM_KID' AND c.constraint_type IN ('P', 'U', 'R', 'C') ORDER BY c.constraint_name;
SELECT index_name, column_name, column_position, descend FROM all_ind_columns WHERE table_owner = USER AND table_name = 'MILLRACE_FAM_KID' ORDER BY index_name, column_position;
SELECT index_name, column_position, column_expression FROM all_ind_expressions WHERE table_owner = USER AND table_name = 'MILLRACE_FAM_KID';
SELECT index_name, index_type, uniqueness, visibility FROM all_indexes WHERE table_owner = USER AND table_name = 'MILLRACE_FAM_KID' AND index_type <> 'LOB' ORDER BY index_name;
SELECT column_name FROM all_part_key_columns WHERE owner = USER AND name = 'MILLRACE_FAM_KID' AND object_type = 'TABLE' ORDER BY column_position;
SELECT partitioning_type FROM all_part_tables WHERE owner = USER AND table_name = 'MILLRACE_FAM_KID';
SELECT iot_type FROM all_tables WHERE owner = USER AND table_name = 'MILLRACE_FAM_KID';
SELECT comments FROM all_tab_comments WHERE owner = USER AND table_name = 'MILLRACE_FAM_KID';
SELECT last_number, increment_by, min_value, max_value, CASE cache_size WHEN 0 THEN 'NOCACHE' ELSE 'CACHE ' || cache_size END || CASE cycle_flag WHEN 'Y' THEN ' CYCLE' END || CASE order_flag WHEN 'Y' THEN ' ORDER' END FROM all_sequences WHERE sequence_owner = USER AND sequence_name = 'MILLRACE_NUMBERS';
SELECT TRIM(base_object_type), table_owner, table_name, status FROM all_triggers WHERE owner = USER AND trigger_name = 'MILLRACE_TOUCHED';
SELECT table_owner, table_name, db_link FROM all_synonyms WHERE owner = USER AND synonym_name = 'MILLRACE_KIN';
SELECT text FROM all_source WHERE owner = USER AND name = 'MILLRACE_CODE' AND type = 'PACKAGE' ORDER BY line;
SELECT column_name FROM all_tab_columns WHERE owner = USER AND table_name = 'MILLRACE_FAM_SEEN' ORDER BY column_id;
SELECT text FROM all_views WHERE owner = USER AND view_name = 'MILLRACE_FAM_SEEN' AND view_type IS NULL;
SELECT comments FROM all_tab_comments WHERE owner = USER AND table_name = 'MILLRACE_FAM_SEEN' AND comments IS NOT NULL;
SELECT column_name, comments FROM all_col_comments WHERE owner = USER AND table_name = 'MILLRACE_FAM_SEEN' AND comments IS NOT NULL;
SELECT 'grant', 'to ' || grantee FROM all_tab_privs WHERE table_schema = USER UNION SELECT 'public synonym', synonym_name FROM all_synonyms WHERE owner = 'PUBLIC' AND table_owner = USER;
SELECT 1 FROM "MILLRACE_FAM_KID" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT 1 FROM "MILLRACE_FAM_PARENT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT c.column_name, c.data_type, c.data_length, c.data_precision, c.data_scale, c.char_length, c.char_used, c.nullable, c.default_length, c.virtual_column, c.identity_column, c.default_on_null, i.generation_type, c.hidden_column FROM all_tab_cols c LEFT JOIN all_tab_identity_cols i ON i.owner = c.owner AND i.table_name = c.table_name AND i.column_name = c.column_name WHERE c.owner = 'OTHER' AND c.table_name = 'MILLRACE_FAM_PARENT' AND (c.hidden_column = 'NO' OR c.user_generated = 'YES') ORDER BY c.column_id;
SELECT c.constraint_name, c.constraint_type, s.column_name, c.search_condition_vc, r.table_name FROM all_constraints c LEFT JOIN all_cons_columns s ON s.owner = c.owner AND s.constraint_name = c.constraint_name LEFT JOIN all_constraints r ON r.owner = c.r_owner AND r.constraint_name = c.r_constraint_name WHERE c.owner = 'OTHER' AND c.table_name = 'MILLRACE_FAM_PARENT' ORDER BY c.constraint_name, s.position;
SELECT i.index_name, i.uniqueness, c.column_name FROM all_indexes i JOIN all_ind_columns c ON c.index_owner = i.owner AND c.index_name = i.index_name WHERE i.table_owner = 'OTHER' AND i.table_name = 'MILLRACE_FAM_PARENT' AND i.index_type <> 'LOB' AND NOT EXISTS (SELECT 1 FROM all_constraints k WHERE k.owner = i.table_owner AND k.table_name = i.table_name AND k.index_name = i.index_name) ORDER BY i.index_name, c.column_position;
SELECT trigger_name, trigger_type, triggering_event FROM all_triggers WHERE table_owner = 'OTHER' AND table_name = 'MILLRACE_FAM_PARENT' AND status = 'ENABLED' ORDER BY 1;
SELECT 'comment' FROM all_tab_comments WHERE owner = 'OTHER' AND table_name = 'MILLRACE_FAM_KID' AND comments IS NOT NULL UNION ALL SELECT 'comment of ' || column_name FROM all_col_comments WHERE owner = 'OTHER' AND table_name = 'MILLRACE_FAM_KID' AND comments IS NOT NULL UNION ALL SELECT 'grant of ' || privilege || ' to ' || grantee FROM all_tab_privs WHERE table_schema = 'OTHER' AND table_name = 'MILLRACE_FAM_KID';
SELECT 'security policy ' || policy_name FROM all_policies WHERE object_owner = 'OTHER' AND object_name = 'MILLRACE_FAM_KID' UNION ALL SELECT 'encryption of ' || column_name FROM all_encrypted_columns WHERE owner = 'OTHER' AND table_name = 'MILLRACE_FAM_KID' UNION ALL SELECT 'materialized view log ' || log_table FROM all_mview_logs WHERE log_owner = 'OTHER' AND master = 'MILLRACE_FAM_KID' UNION ALL SELECT 'supplemental log group ' || log_group_name FROM all_log_groups WHERE owner = 'OTHER' AND table_name = 'MILLRACE_FAM_KID' UNION ALL SELECT 'flashback archive ' || flashback_archive_name FROM user_flashback_archive_tables WHERE owner_name = 'OTHER' AND table_name = 'MILLRACE_FAM_KID';
SELECT DISTINCT d.table_name FROM all_constraints d JOIN all_constraints k ON k.owner = d.r_owner AND k.constraint_name = d.r_constraint_name WHERE k.owner = 'OTHER' AND k.table_name = 'MILLRACE_FAM_KID' AND d.constraint_type = 'R' AND d.status = 'ENABLED' AND (d.owner <> k.owner OR d.table_name <> k.table_name);
SELECT num_rows, partitioned, temporary, iot_type, cluster_name, (SELECT count(*) FROM all_external_tables x WHERE x.owner = t.owner AND x.table_name = t.table_name) FROM all_tables t WHERE owner = 'OTHER' AND table_name = 'MILLRACE_FAM_KID';
SELECT "ID", "NAME", "PRICE", "TWICE", ROWID FROM "MILLRACE_FAM_PARENT";
SELECT min("ID") FROM "MILLRACE_FAM_KID";
SELECT max("ID") FROM "MILLRACE_FAM_KID";
SELECT "ID" FROM "MILLRACE_FAM_KID" ORDER BY "ID" OFFSET 1048576 ROWS FETCH NEXT 1 ROWS ONLY;
SELECT "ID", "PARENT", "ID" FROM "MILLRACE_FAM_KID" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
SELECT "ID", "NAME", "PRICE", "TWICE", ROWID FROM "MILLRACE_FAM_PARENT" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
/* no rows */ SELECT 'Line ' || line || ': ' || text FROM all_errors WHERE owner = 'OTHER' AND name = 'MILLRACE_CODE' AND type = 'PACKAGE' AND attribute = 'ERROR' ORDER BY sequence;
SELECT trigger_name FROM all_triggers WHERE table_owner = USER AND table_name = 'MILLRACE_FAM_KID' ORDER BY trigger_name;
SELECT object_type, object_name FROM all_objects WHERE owner = USER AND object_type IN ('VIEW', 'MATERIALIZED VIEW', 'SEQUENCE', 'PROCEDURE', 'FUNCTION', 'PACKAGE', 'SYNONYM', 'TYPE') AND object_name NOT LIKE 'ISEQ$$%' ORDER BY object_type, object_name;
COMMIT;
SELECT "ID", "V" FROM (SELECT id, v FROM millrace_hashed
) millrace_query;
SELECT "BANNER" FROM (SELECT banner FROM v$version WHERE ROWNUM = 1
) millrace_query;
SELECT "VALUE" FROM (SELECT value FROM nls_database_parameters WHERE parameter = 'NLS_CHARACTERSET'
) millrace_query;
SELECT "VALUE" FROM (SELECT value FROM v$parameter WHERE name = 'cluster_database'
) millrace_query;
SELECT "FORCE_LOGGING" FROM (SELECT force_logging FROM v$database
) millrace_query;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM user_tables WHERE table_name = 'MILLRACE_LOCK'
) millrace_query;
CREATE TABLE millrace_first_25 (id NUMBER(9));
DROP TABLE "MILLRACE_FIRST_25" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_wanted_26 (id NUMBER(9), n50 NUMBER(5) DEFAULT 42, n51 NUMBER(5) DEFAULT -99999, n52 NUMBER(5), n180 NUMBER(18) DEFAULT 1, n181 NUMBER(18) DEFAULT 999999999999999999, n182 NUMBER(18), n380 NUMBER(38) DEFAULT 0, n381 NUMBER(38) DEFAULT -99999999999999999999999999999999999999, n382 NUMBER(38), n920 NUMBER(9,2) DEFAULT 748766.98, n921 NUMBER(9,2) DEFAULT -9999999.99, n922 NUMBER(9,2), n0 NUMBER DEFAULT 0.0000000001, n1 NUMBER DEFAULT 12345678901234567890.5, n2 NUMBER, bf0 BINARY_FLOAT DEFAULT 1.5, bf1 BINARY_FLOAT DEFAULT -0.25, bf2 BINARY_FLOAT, bd0 BINARY_DOUBLE DEFAULT 1.5, bd1 BINARY_DOUBLE DEFAULT -1234567.0625, bd2 BINARY_DOUBLE, v0 VARCHAR2(20 CHAR) DEFAULT 'abc', v1 VARCHAR2(20 CHAR) DEFAULT UNISTR('\00e4\00f6\00fc\20ac\00df'), v2 VARCHAR2(20 CHAR), vb0 VARCHAR2(10 BYTE) DEFAULT '0123456789', vb1 VARCHAR2(10 BYTE) DEFAULT 'x', vb2 VARCHAR2(10 BYTE), nv0 NVARCHAR2(20) DEFAULT 'abc', nv1 NVARCHAR2(20) DEFAULT UNISTR('\00e4\00f6\00fc\20ac\00df'), nv2 NVARCHAR2(20), c0 CHAR(8) DEFAULT 'k7037', c1 CHAR(8) DEFAULT '12345678', c2 CHAR(8), d0 DATE DEFAULT TIMESTAMP '2024-02-29 23:59:58', d1 DATE DEFAULT TIMESTAMP '0001-01-01 00:00:00', d2 DATE, ts0 TIMESTAMP(6) DEFAULT TIMESTAMP '2024-02-29 23:59:58.123456', ts1 TIMESTAMP(6) DEFAULT TIMESTAMP '9999-12-31 23:59:59.999999', ts2 TIMESTAMP(6), tz0 TIMESTAMP(6) WITH TIME ZONE DEFAULT TIMESTAMP '2024-02-29 23:59:58.123456 +00:00', tz1 TIMESTAMP(6) WITH TIME ZONE DEFAULT TIMESTAMP '1970-01-01 00:00:00 +00:00', tz2 TIMESTAMP(6) WITH TIME ZONE, tl0 TIMESTAMP(6) WITH LOCAL TIME ZONE DEFAULT TIMESTAMP '2024-02-29 23:59:58.123456 +00:00', tl1 TIMESTAMP(6) WITH LOCAL TIME ZONE DEFAULT TIMESTAMP '1970-01-01 00:00:00 +00:00', tl2 TIMESTAMP(6) WITH LOCAL TIME ZONE, ym0 INTERVAL YEAR(2) TO MONTH DEFAULT INTERVAL '1-6' YEAR(2) TO MONTH, ym1 INTERVAL YEAR(2) TO MONTH DEFAULT INTERVAL '-20-11' YEAR(2) TO MONTH, ym2 INTERVAL YEAR(2) TO MONTH, ds0 INTERVAL DAY(2) TO SECOND(6) DEFAULT INTERVAL '1 2:3:4.5' DAY(2) TO SECOND(6), ds1 INTERVAL DAY(2) TO SECOND(6) DEFAULT INTERVAL '-10 23:59:59.999999' DAY(2) TO SECOND(6), ds2 INTERVAL DAY(2) TO SECOND(6), r0 RAW(16) DEFAULT HEXTORAW('00FF10'), r1 RAW(16) DEFAULT HEXTORAW('61'), r2 RAW(16), cl0 CLOB DEFAULT TO_CLOB('a text'), cl1 CLOB DEFAULT TO_CLOB(UNISTR('\00e4\00f6\00fc\20ac\00df')), cl2 CLOB, bl0 BLOB DEFAULT TO_BLOB(HEXTORAW('00FF10')), bl1 BLOB DEFAULT TO_BLOB(HEXTORAW('61')), bl2 BLOB, b0 BOOLEAN DEFAULT TRUE, b1 BOOLEAN DEFAULT FALSE, b2 BOOLEAN, ve0 VECTOR(3, FLOAT32) DEFAULT '[1, -0.5, 1234.5]', ve1 VECTOR(3, FLOAT32) DEFAULT '[0.1, 1e-7, 3]', ve2 VECTOR(3, FLOAT32));
INSERT INTO "MILLRACE_WANTED_26" ("ID") VALUES (0 );
COMMIT;
SELECT "N50", "N51", "N52", "N180", "N181", "N182", "N380", "N381", "N382", "N920", "N921", "N922", "N0", "N1", "N2", "BF0", "BF1", "BF2", "BD0", "BD1", "BD2", "V0", "V1", "V2", "VB0", "VB1", "VB2", "NV0", "NV1", "NV2", "C0", "C1", "C2", "D0", "D1", "D2", "TS0", "TS1", "TS2", "TZ0", "TZ1", "TZ2", "TL0", "TL1", "TL2", "YM0", "YM1", "YM2", "DS0", "DS1", "DS2", "R0", "R1", "R2", "CL0", "CL1", "CL2", "BL0", "BL1", "BL2", "B0", "B1", "B2", "VE0", "VE1", "VE2" FROM (SELECT DUMP(n50, 1016) AS n50, DUMP(n51, 1016) AS n51, DUMP(n52, 1016) AS n52, DUMP(n180, 1016) AS n180, DUMP(n181, 1016) AS n181, DUMP(n182, 1016) AS n182, DUMP(n380, 1016) AS n380, DUMP(n381, 1016) AS n381, DUMP(n382, 1016) AS n382, DUMP(n920, 1016) AS n920, DUMP(n921, 1016) AS n921, DUMP(n922, 1016) AS n922, DUMP(n0, 1016) AS n0, DUMP(n1, 1016) AS n1, DUMP(n2, 1016) AS n2, DUMP(bf0, 1016) AS bf0, DUMP(bf1, 1016) AS bf1, DUMP(bf2, 1016) AS bf2, DUMP(bd0, 1016) AS bd0, DUMP(bd1, 1016) AS bd1, DUMP(bd2, 1016) AS bd2, DUMP(v0, 1016) AS v0, DUMP(v1, 1016) AS v1, DUMP(v2, 1016) AS v2, DUMP(vb0, 1016) AS vb0, DUMP(vb1, 1016) AS vb1, DUMP(vb2, 1016) AS vb2, DUMP(nv0, 1016) AS nv0, DUMP(nv1, 1016) AS nv1, DUMP(nv2, 1016) AS nv2, DUMP(c0, 1016) AS c0, DUMP(c1, 1016) AS c1, DUMP(c2, 1016) AS c2, DUMP(d0, 1016) AS d0, DUMP(d1, 1016) AS d1, DUMP(d2, 1016) AS d2, DUMP(ts0, 1016) AS ts0, DUMP(ts1, 1016) AS ts1, DUMP(ts2, 1016) AS ts2, DUMP(tz0, 1016) AS tz0, DUMP(tz1, 1016) AS tz1, DUMP(tz2, 1016) AS tz2, DUMP(tl0, 1016) AS tl0, DUMP(tl1, 1016) AS tl1, DUMP(tl2, 1016) AS tl2, DUMP(ym0, 1016) AS ym0, DUMP(ym1, 1016) AS ym1, DUMP(ym2, 1016) AS ym2, DUMP(ds0, 1016) AS ds0, DUMP(ds1, 1016) AS ds1, DUMP(ds2, 1016) AS ds2, DUMP(r0, 1016) AS r0, DUMP(r1, 1016) AS r1, DUMP(r2, 1016) AS r2, DBMS_LOB.GETLENGTH(cl0) || ' ' || DBMS_LOB.SUBSTR(cl0, 200, 1) AS cl0, DBMS_LOB.GETLENGTH(cl1) || ' ' || DBMS_LOB.SUBSTR(cl1, 200, 1) AS cl1, DBMS_LOB.GETLENGTH(cl2) || ' ' || DBMS_LOB.SUBSTR(cl2, 200, 1) AS cl2, DBMS_LOB.GETLENGTH(bl0) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(bl0, 200, 1)) AS bl0, DBMS_LOB.GETLENGTH(bl1) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(bl1, 200, 1)) AS bl1, DBMS_LOB.GETLENGTH(bl2) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(bl2, 200, 1)) AS bl2, DUMP(b0, 1016) AS b0, DUMP(b1, 1016) AS b1, DUMP(b2, 1016) AS b2, FROM_VECTOR(ve0) AS ve0, FROM_VECTOR(ve1) AS ve1, FROM_VECTOR(ve2) AS ve2 FROM millrace_wanted_26
) millrace_query;
DROP TABLE "MILLRACE_WANTED_26" CASCADE CONSTRAINTS PURGE;
CREATE TABLE "MILLRACE_WAY_27_millrace_28" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
INSERT INTO "MILLRACE_WAY_27_millrace_28" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") VALUES ('3ROZjHl' , TIMESTAMP '2808-04-01 11:11:35.000000000' , 651475462601 , 'y2bbjz' , 2500072.34 , TIMESTAMP '3833-02-24 08:59:22.000000000' , 'PlFQT0Cg' , 'gGuxh2KuTbZTAC' , 8873613072393826 , 'Hp8pLDxl9nj' );
COMMIT;
ALTER TABLE "MILLRACE_WAY_27_millrace_28" RENAME TO "MILLRACE_WAY_27";
SELECT 1 FROM "MILLRACE_WAY_27" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK", ROWID FROM "MILLRACE_WAY_27";
SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK", ROWID FROM "MILLRACE_WAY_27" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
DROP TABLE "MILLRACE_WAY_27" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_32 (id NUMBER(9), n5 NUMBER(5), n18 NUMBER(18), n38 NUMBER(38), n92 NUMBER(9,2), n NUMBER, bf BINARY_FLOAT, bd BINARY_DOUBLE, v VARCHAR2(20 CHAR), vb VARCHAR2(10 BYTE), nv NVARCHAR2(20), c CHAR(8), d DATE, ts TIMESTAMP(6), tz TIMESTAMP(6) WITH TIME ZONE, tl TIMESTAMP(6) WITH LOCAL TIME ZONE, ym INTERVAL YEAR(2) TO MONTH, ds INTERVAL DAY(2) TO SECOND(6), r RAW(16), cl CLOB, bl BLOB, b BOOLEAN, ve VECTOR(3, FLOAT32));
INSERT INTO "MILLRACE_TYPES_32" ("ID", "N5", "N18", "N38", "N92", "N", "BF", "BD", "V", "VB", "NV", "C", "D", "TS", "TZ", "TL", "YM", "DS", "R", "CL", "BL", "B", "VE") VALUES (0 , 42 , 1 , 0 , 748766.98 , 1E-10 , 1.5 , 1.5 , 'abc' , '0123456789' , 'abc' , 'k7037' , TIMESTAMP '2024-02-29 23:59:58.000000000' , TIMESTAMP '2024-02-29 23:59:58.123456000' , TIMESTAMP '2024-02-29 23:59:58.123456000 +00:00' , TIMESTAMP '2024-02-29 23:59:58.123456000 +00:00' , NUMTOYMINTERVAL(18, 'MONTH') , NUMTODSINTERVAL(93784, 'SECOND') , HEXTORAW('00ff10') , 'a text' , HEXTORAW('00ff10') , true , HEXTORAW('db00001202000000030000000000000000bf80000040ffffffc49a5000') );
COMMIT;
SELECT "N5", "N18", "N38", "N92", "N", "BF", "BD", "V", "VB", "NV", "C", "D", "TS", "TZ", "TL", "YM", "DS", "R", "CL", "BL", "B", "VE" FROM (SELECT DUMP(n5, 1016) AS n5, DUMP(n18, 1016) AS n18, DUMP(n38, 1016) AS n38, DUMP(n92, 1016) AS n92, DUMP(n, 1016) AS n, DUMP(bf, 1016) AS bf, DUMP(bd, 1016) AS bd, DUMP(v, 1016) AS v, DUMP(vb, 1016) AS vb, DUMP(nv, 1016) AS nv, DUMP(c, 1016) AS c, DUMP(d, 1016) AS d, DUMP(ts, 1016) AS ts, DUMP(tz, 1016) AS tz, DUMP(tl, 1016) AS tl, DUMP(ym, 1016) AS ym, DUMP(ds, 1016) AS ds, DUMP(r, 1016) AS r, DBMS_LOB.GETLENGTH(cl) || ' ' || DBMS_LOB.SUBSTR(cl, 200, 1) AS cl, DBMS_LOB.GETLENGTH(bl) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(bl, 200, 1)) AS bl, DUMP(b, 1016) AS b, FROM_VECTOR(ve) AS ve FROM millrace_types_32 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_32" CASCADE CONSTRAINTS PURGE;
CREATE TABLE "MILLRACE_WAY_33_millrace_34" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
INSERT /*+ APPEND_VALUES */ INTO "MILLRACE_WAY_33_millrace_34" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") VALUES ('3ROZjHl' , TIMESTAMP '2808-04-01 11:11:35.000000000' , 651475462601 , 'y2bbjz' , 2500072.34 , TIMESTAMP '3833-02-24 08:59:22.000000000' , 'PlFQT0Cg' , 'gGuxh2KuTbZTAC' , 8873613072393826 , 'Hp8pLDxl9nj' );
COMMIT;
ALTER TABLE "MILLRACE_WAY_33_millrace_34" RENAME TO "MILLRACE_WAY_33";
DROP TABLE "MILLRACE_WAY_33" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_38 (id NUMBER(9), n5 NUMBER(5), n18 NUMBER(18), n38 NUMBER(38), n92 NUMBER(9,2), n NUMBER, bf BINARY_FLOAT, bd BINARY_DOUBLE, v VARCHAR2(20 CHAR), vb VARCHAR2(10 BYTE), nv NVARCHAR2(20), c CHAR(8), d DATE, ts TIMESTAMP(6), tz TIMESTAMP(6) WITH TIME ZONE, tl TIMESTAMP(6) WITH LOCAL TIME ZONE, ym INTERVAL YEAR(2) TO MONTH, ds INTERVAL DAY(2) TO SECOND(6), r RAW(16), cl CLOB, bl BLOB, b BOOLEAN, ve VECTOR(3, FLOAT32));
SELECT owner, index_name, uniqueness FROM all_indexes WHERE table_owner = USER AND table_name = 'MILLRACE_TYPES_38' AND status = 'UNUSABLE' ORDER BY 1, 2;
SELECT p.index_owner, p.index_name, i.uniqueness, p.partition_name FROM all_ind_partitions p
JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name
WHERE i.table_owner = USER AND i.table_name = 'MILLRACE_TYPES_38' AND p.status = 'UNUSABLE'
ORDER BY 1, 2, 4;
SELECT p.index_owner, p.index_name, i.uniqueness, p.subpartition_name FROM all_ind_subpartitions p
JOIN all_indexes i ON i.owner = p.index_owner AND i.index_name = p.index_name
WHERE i.table_owner = USER AND i.table_name = 'MILLRACE_TYPES_38' AND p.status = 'UNUSABLE'
ORDER BY 1, 2, 4;
INSERT /*+ APPEND_VALUES */ INTO "MILLRACE_TYPES_38" ("ID", "N5", "N18", "N38", "N92", "N", "BF", "BD", "V", "VB", "NV", "C", "D", "TS", "TZ", "TL", "YM", "DS", "R", "CL", "BL", "B", "VE") VALUES (0 , 42 , 1 , 0 , 748766.98 , 1E-10 , 1.5 , 1.5 , 'abc' , '0123456789' , 'abc' , 'k7037' , TIMESTAMP '2024-02-29 23:59:58.000000000' , TIMESTAMP '2024-02-29 23:59:58.123456000' , TIMESTAMP '2024-02-29 23:59:58.123456000 +00:00' , TIMESTAMP '2024-02-29 23:59:58.123456000 +00:00' , NUMTOYMINTERVAL(18, 'MONTH') , NUMTODSINTERVAL(93784, 'SECOND') , HEXTORAW('00ff10') , 'a text' , HEXTORAW('00ff10') , true , HEXTORAW('db00001202000000030000000000000000bf80000040ffffffc49a5000') );
COMMIT;
DROP TABLE "MILLRACE_TYPES_38" CASCADE CONSTRAINTS PURGE;
CREATE TABLE "MILLRACE_WAY_39_millrace_40" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
ALTER TABLE "MILLRACE_WAY_39_millrace_40" RENAME TO "MILLRACE_WAY_39";
DROP TABLE "MILLRACE_WAY_39" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_44 (id NUMBER(9), n5 NUMBER(5), n18 NUMBER(18), n38 NUMBER(38), n92 NUMBER(9,2), n NUMBER, bf BINARY_FLOAT, bd BINARY_DOUBLE, v VARCHAR2(20 CHAR), vb VARCHAR2(10 BYTE), nv NVARCHAR2(20), c CHAR(8), d DATE, ts TIMESTAMP(6), tz TIMESTAMP(6) WITH TIME ZONE, tl TIMESTAMP(6) WITH LOCAL TIME ZONE, ym INTERVAL YEAR(2) TO MONTH, ds INTERVAL DAY(2) TO SECOND(6), r RAW(16), cl CLOB, bl BLOB, b BOOLEAN, ve VECTOR(3, FLOAT32));
DROP TABLE "MILLRACE_TYPES_44" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_45 (id NUMBER(9), n5 NUMBER(5));
SELECT "N5" FROM (SELECT DUMP(n5, 1016) AS n5 FROM millrace_types_45 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_45" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_46 (id NUMBER(9), n18 NUMBER(18));
SELECT "N18" FROM (SELECT DUMP(n18, 1016) AS n18 FROM millrace_types_46 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_46" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_47 (id NUMBER(9), n38 NUMBER(38));
SELECT "N38" FROM (SELECT DUMP(n38, 1016) AS n38 FROM millrace_types_47 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_47" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_48 (id NUMBER(9), n92 NUMBER(9,2));
SELECT "N92" FROM (SELECT DUMP(n92, 1016) AS n92 FROM millrace_types_48 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_48" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_49 (id NUMBER(9), n NUMBER);
SELECT "N" FROM (SELECT DUMP(n, 1016) AS n FROM millrace_types_49 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_49" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_50 (id NUMBER(9), bf BINARY_FLOAT);
SELECT "BF" FROM (SELECT DUMP(bf, 1016) AS bf FROM millrace_types_50 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_50" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_51 (id NUMBER(9), bd BINARY_DOUBLE);
SELECT "BD" FROM (SELECT DUMP(bd, 1016) AS bd FROM millrace_types_51 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_51" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_52 (id NUMBER(9), v VARCHAR2(20 CHAR));
SELECT "V" FROM (SELECT DUMP(v, 1016) AS v FROM millrace_types_52 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_52" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_53 (id NUMBER(9), vb VARCHAR2(10 BYTE));
SELECT "VB" FROM (SELECT DUMP(vb, 1016) AS vb FROM millrace_types_53 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_53" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_54 (id NUMBER(9), nv NVARCHAR2(20));
SELECT "NV" FROM (SELECT DUMP(nv, 1016) AS nv FROM millrace_types_54 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_54" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_55 (id NUMBER(9), c CHAR(8));
SELECT "C" FROM (SELECT DUMP(c, 1016) AS c FROM millrace_types_55 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_55" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_56 (id NUMBER(9), d DATE);
SELECT "D" FROM (SELECT DUMP(d, 1016) AS d FROM millrace_types_56 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_56" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_57 (id NUMBER(9), ts TIMESTAMP(6));
SELECT "TS" FROM (SELECT DUMP(ts, 1016) AS ts FROM millrace_types_57 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_57" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_58 (id NUMBER(9), tz TIMESTAMP(6) WITH TIME ZONE);
SELECT "TZ" FROM (SELECT DUMP(tz, 1016) AS tz FROM millrace_types_58 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_58" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_59 (id NUMBER(9), tl TIMESTAMP(6) WITH LOCAL TIME ZONE);
DROP TABLE "MILLRACE_TYPES_59" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_60 (id NUMBER(9), ym INTERVAL YEAR(2) TO MONTH);
SELECT "YM" FROM (SELECT DUMP(ym, 1016) AS ym FROM millrace_types_60 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_60" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_61 (id NUMBER(9), ds INTERVAL DAY(2) TO SECOND(6));
SELECT "DS" FROM (SELECT DUMP(ds, 1016) AS ds FROM millrace_types_61 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_61" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_62 (id NUMBER(9), r RAW(16));
SELECT "R" FROM (SELECT DUMP(r, 1016) AS r FROM millrace_types_62 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_62" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_63 (id NUMBER(9), cl CLOB);
SELECT "CL" FROM (SELECT DBMS_LOB.GETLENGTH(cl) || ' ' || DBMS_LOB.SUBSTR(cl, 200, 1) AS cl FROM millrace_types_63 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_63" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_64 (id NUMBER(9), bl BLOB);
SELECT "BL" FROM (SELECT DBMS_LOB.GETLENGTH(bl) || ' ' || RAWTOHEX(DBMS_LOB.SUBSTR(bl, 200, 1)) AS bl FROM millrace_types_64 ORDER BY id
) millrace_query;
DROP TABLE "MILLRACE_TYPES_64" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_65 (id NUMBER(9), b BOOLEAN);
DROP TABLE "MILLRACE_TYPES_65" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_66 (id NUMBER(9), ve VECTOR(3, FLOAT32));
DROP TABLE "MILLRACE_TYPES_66" CASCADE CONSTRAINTS PURGE;
CREATE TABLE "MILLRACE_WAY_67_millrace_68" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
ALTER TABLE "MILLRACE_WAY_67_millrace_68" RENAME TO "MILLRACE_WAY_67";
DROP TABLE "MILLRACE_WAY_67" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_types_72 (id NUMBER(9), n5 NUMBER(5), n18 NUMBER(18), n38 NUMBER(38), n92 NUMBER(9,2), n NUMBER, bf BINARY_FLOAT, bd BINARY_DOUBLE, v VARCHAR2(20 CHAR), vb VARCHAR2(10 BYTE), nv NVARCHAR2(20), c CHAR(8), d DATE, ts TIMESTAMP(6), tz TIMESTAMP(6) WITH TIME ZONE, tl TIMESTAMP(6) WITH LOCAL TIME ZONE, ym INTERVAL YEAR(2) TO MONTH, ds INTERVAL DAY(2) TO SECOND(6), r RAW(16), cl CLOB, bl BLOB, b BOOLEAN, ve VECTOR(3, FLOAT32));
DROP TABLE "MILLRACE_TYPES_72" CASCADE CONSTRAINTS PURGE;
CREATE TABLE "MILLRACE_MODES_73_millrace_74" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
INSERT INTO "MILLRACE_MODES_73_millrace_74" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") VALUES ('3ROZjHl' , TIMESTAMP '2808-04-01 11:11:35.000000000' , 651475462601 , 'y2bbjz' , 2500072.34 , TIMESTAMP '3833-02-24 08:59:22.000000000' , 'PlFQT0Cg' , 'gGuxh2KuTbZTAC' , 8873613072393826 , 'Hp8pLDxl9nj' );
COMMIT;
ALTER TABLE "MILLRACE_MODES_73_millrace_74" RENAME TO "MILLRACE_MODES_73";
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_modes_73
) millrace_query;
INSERT INTO "MILLRACE_MODES_73" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") VALUES ('3ROZjHl' , TIMESTAMP '2808-04-01 11:11:35.000000000' , 651475462601 , 'y2bbjz' , 2500072.34 , TIMESTAMP '3833-02-24 08:59:22.000000000' , 'PlFQT0Cg' , 'gGuxh2KuTbZTAC' , 8873613072393826 , 'Hp8pLDxl9nj' );
COMMIT;
CREATE TABLE "MILLRACE_MODES_73_millrace_75" AS SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK" FROM "MILLRACE_MODES_73" WHERE 1 = 0;
INSERT INTO "MILLRACE_MODES_73" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK" FROM "MILLRACE_MODES_73_millrace_75";
COMMIT;
DROP TABLE "MILLRACE_MODES_73_millrace_75";
TRUNCATE TABLE "MILLRACE_MODES_73";
CREATE TABLE "MILLRACE_MODES_73_millrace_76" AS SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK" FROM "MILLRACE_MODES_73" WHERE 1 = 0;
DELETE FROM "MILLRACE_MODES_73";
COMMIT;
DROP TABLE "MILLRACE_MODES_73_millrace_76";
CREATE TABLE "MILLRACE_MODES_73_millrace_77" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
ALTER TABLE "MILLRACE_MODES_73" RENAME TO "MILLRACE_MODES_73_millrace_old";
ALTER TABLE "MILLRACE_MODES_73_millrace_77" RENAME TO "MILLRACE_MODES_73";
DROP TABLE "MILLRACE_MODES_73_millrace_old";
CREATE TABLE "MILLRACE_MERGE_78_millrace_79" (
  "BUILDING_ID" NUMBER(10) NOT NULL,
  "FLOOR_ID" NUMBER(10) NOT NULL,
  "DEVICE_ID" NUMBER(10) NOT NULL,
  "TIME_STAMP" TIMESTAMP(6) NOT NULL,
  "DEVICE_LOAD" NUMBER(19) NOT NULL,
  "DEVICE_TYPE" NUMBER(10) NOT NULL,
  PRIMARY KEY ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP")
);
INSERT INTO "MILLRACE_MERGE_78_millrace_79" ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE") VALUES (0 , 0 , 0 , TIMESTAMP '2019-04-01 23:55:00.000000000' , 1.5E+3 , 1 );
COMMIT;
ALTER TABLE "MILLRACE_MERGE_78_millrace_79" RENAME TO "MILLRACE_MERGE_78";
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_merge_78
) millrace_query;
CREATE TABLE "MILLRACE_MERGE_78_millrace_80" AS SELECT "BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE", CAST(NULL AS NUMBER(19)) AS "millrace_order", CAST(NULL AS NUMBER(19)) AS "millrace_row", CAST(NULL AS NUMBER(19)) AS "millrace_line" FROM "MILLRACE_MERGE_78" WHERE 1 = 0;
INSERT INTO "MILLRACE_MERGE_78_millrace_80" ("BUILDING_ID", "FLOOR_ID", "DEVICE_ID", "TIME_STAMP", "DEVICE_LOAD", "DEVICE_TYPE", "millrace_order", "millrace_row", "millrace_line") VALUES (0 , 0 , 0 , TIMESTAMP '2019-04-01 23:55:00.000000000' , 1.5E+3 , 1 , 1 , 1 , 0 );
COMMIT;
DELETE FROM "MILLRACE_MERGE_78_millrace_80" WHERE EXISTS (SELECT 1 FROM "MILLRACE_MERGE_78_millrace_80" later WHERE later."BUILDING_ID" = "MILLRACE_MERGE_78_millrace_80"."BUILDING_ID" AND later."FLOOR_ID" = "MILLRACE_MERGE_78_millrace_80"."FLOOR_ID" AND later."DEVICE_ID" = "MILLRACE_MERGE_78_millrace_80"."DEVICE_ID" AND later."TIME_STAMP" = "MILLRACE_MERGE_78_millrace_80"."TIME_STAMP" AND later."millrace_order" > "MILLRACE_MERGE_78_millrace_80"."millrace_order");
SELECT count(*) FROM "MILLRACE_MERGE_78_millrace_80";
SELECT count(*), sum(CASE WHEN changed > 0 THEN 1 ELSE 0 END), sum(changed) FROM (SELECT sum(CASE WHEN CASE WHEN DECODE(old."DEVICE_LOAD", fresh."DEVICE_LOAD", 1, 0) = 1 AND DECODE(old."DEVICE_TYPE", fresh."DEVICE_TYPE", 1, 0) = 1 THEN 0 ELSE 1 END = 1 THEN 1 ELSE 0 END) AS changed FROM "MILLRACE_MERGE_78_millrace_80" fresh JOIN "MILLRACE_MERGE_78" old ON old."BUILDING_ID" = fresh."BUILDING_ID" AND old."FLOOR_ID" = fresh."FLOOR_ID" AND old."DEVICE_ID" = fresh."DEVICE_ID" AND old."TIME_STAMP" = fresh."TIME_STAMP" GROUP BY fresh."millrace_order") millrace_keys;
COMMIT;
DROP TABLE "MILLRACE_MERGE_78_millrace_80";
CREATE TABLE "MILLRACE_UNLOAD_81_millrace_82" (
  "NAME" VARCHAR2(12 CHAR) NOT NULL,
  "OPENED_AT" TIMESTAMP(6) NOT NULL,
  "ACCOUNT" NUMBER(19) NOT NULL,
  "CODE" VARCHAR2(12 CHAR) NOT NULL,
  "AMOUNT" NUMBER(9,2) NOT NULL,
  "CLOSED_AT" TIMESTAMP(6) NOT NULL,
  "BRANCH" VARCHAR2(8 CHAR) NOT NULL,
  "PLACE" VARCHAR2(14 CHAR) NOT NULL,
  "REFERENCE" NUMBER(19) NOT NULL,
  "REMARK" VARCHAR2(25 CHAR) NOT NULL
);
INSERT INTO "MILLRACE_UNLOAD_81_millrace_82" ("NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK") VALUES ('3ROZjHl' , TIMESTAMP '2808-04-01 11:11:35.000000000' , 651475462601 , 'y2bbjz' , 2500072.34 , TIMESTAMP '3833-02-24 08:59:22.000000000' , 'PlFQT0Cg' , 'gGuxh2KuTbZTAC' , 8873613072393826 , 'Hp8pLDxl9nj' );
COMMIT;
ALTER TABLE "MILLRACE_UNLOAD_81_millrace_82" RENAME TO "MILLRACE_UNLOAD_81";
SELECT 1 FROM "MILLRACE_UNLOAD_81" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK", ROWID FROM "MILLRACE_UNLOAD_81";
SELECT "NAME", "OPENED_AT", "ACCOUNT", "CODE", "AMOUNT", "CLOSED_AT", "BRANCH", "PLACE", "REFERENCE", "REMARK", ROWID FROM "MILLRACE_UNLOAD_81" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
DROP TABLE "MILLRACE_UNLOAD_81" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_resume_88 (token VARCHAR2(20));
CREATE TABLE "MILLRACE_JOURNAL" ("RUN" VARCHAR2(100 CHAR) NOT NULL, "SPLIT" NUMBER(10) NOT NULL, "FROM_POSITION" NUMBER(19) NOT NULL, "JOB" VARCHAR2(500 CHAR) NOT NULL, "TARGET" VARCHAR2(500 CHAR) NOT NULL, "DETAILS" CLOB NOT NULL, PRIMARY KEY ("RUN", "SPLIT", "FROM_POSITION"));
INSERT INTO "MILLRACE_RESUME_88" ("TOKEN") VALUES ('token0' );
COMMIT;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_resume_88
) millrace_query;
SELECT "RUN" FROM "MILLRACE_JOURNAL" WHERE "TARGET" = '"MILLRACE_RESUME_88"' AND "JOB" = '1dcda6874848f882b2ca00c6eae813f4' AND "SPLIT" = -1 ORDER BY 1;
SELECT "DETAILS" FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121927-zylkv' AND "SPLIT" < -1 AND "SPLIT" > -1000000000;
SELECT 1 FROM "MILLRACE_RESUME_88" WHERE ROWNUM = 1;
SELECT DISTINCT "JOB" FROM "MILLRACE_JOURNAL" WHERE "TARGET" = '"MILLRACE_RESUME_88"';
DELETE FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121927-zylkv' AND "SPLIT" < -1000000000;
DELETE FROM "MILLRACE_JOURNAL" WHERE "RUN" = '20261130-121927-zylkv' AND "SPLIT" < -1 AND "SPLIT" > -1000000000;
COMMIT;
SELECT 1 FROM "MILLRACE_RESUME_88" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "TOKEN", ROWID FROM "MILLRACE_RESUME_88";
SELECT "TOKEN", ROWID FROM "MILLRACE_RESUME_88" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
DROP TABLE "MILLRACE_JOURNAL";
CREATE TABLE millrace_twice_92 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
INSERT INTO "MILLRACE_TWICE_92" ("ID", "V") VALUES (51 , 't51' );
COMMIT;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_twice_92
) millrace_query;
DROP TABLE "MILLRACE_TWICE_92" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_twice_93 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20)) PARTITION BY HASH (id) PARTITIONS 4;
DROP TABLE "MILLRACE_TWICE_93" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_values_94 (id NUMBER(9), v VARCHAR2(4000));
INSERT /*+ APPEND_VALUES */ INTO "MILLRACE_VALUES_94" ("ID", "V") VALUES (1 , 't1' );
COMMIT;
SELECT 1 FROM "MILLRACE_VALUES_94" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWNUM = 1;
SELECT "ID", "V", ROWID FROM "MILLRACE_VALUES_94";
SELECT "ID", "V", ROWID FROM "MILLRACE_VALUES_94" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
DROP TABLE "MILLRACE_VALUES_94" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_values_98 (id NUMBER(9), v CLOB);
CREATE TABLE millrace_values_99 (id NUMBER(9), v LONG);
INSERT INTO "MILLRACE_VALUES_99" ("ID", "V") VALUES (1 , 't1' );
COMMIT;
DROP TABLE "MILLRACE_VALUES_99" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_values_103 (id NUMBER(9), "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV" VARCHAR2(20));
INSERT INTO "MILLRACE_VALUES_103" ("ID", "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV") VALUES (1 , 't1' );
COMMIT;
SELECT "ID", "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV", ROWID FROM "MILLRACE_VALUES_103";
SELECT "ID", "VVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVVV", ROWID FROM "MILLRACE_VALUES_103" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER;
DROP TABLE "MILLRACE_VALUES_103" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_values_107 (id NUMBER(9), v VARCHAR2(20)) NOLOGGING;
SELECT force_logging FROM v$database;
DROP TABLE "MILLRACE_VALUES_107" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_values_111 (id NUMBER(9), v VARCHAR2(20)) PARTITION BY RANGE (id) (PARTITION low VALUES LESS THAN (50), PARTITION high VALUES LESS THAN (MAXVALUE));
SELECT "ID", "V", ROWID FROM "MILLRACE_VALUES_111" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID < 'ACARK/AAEAAAACAAAA';
SELECT "ID", "V", ROWID FROM "MILLRACE_VALUES_111" AS OF SCN DBMS_FLASHBACK.GET_SYSTEM_CHANGE_NUMBER WHERE ROWID >= 'ACARK/AAEAAAACAAAA';
DROP TABLE "MILLRACE_VALUES_111" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_trigger_115 (id NUMBER(9) NOT NULL, v VARCHAR2(20));
CREATE TRIGGER millrace_trigger_115_t BEFORE INSERT ON millrace_trigger_115 FOR EACH ROW WHEN (NEW.id IS NULL) BEGIN :NEW.id := 7; END;
/
INSERT INTO "MILLRACE_TRIGGER_115" ("V") VALUES ('t1' );
COMMIT;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_trigger_115 WHERE id = 7
) millrace_query;
DROP TABLE "MILLRACE_TRIGGER_115" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_nulls_116 (id NUMBER(9) DEFAULT ON NULL 7, v VARCHAR2(20));
INSERT INTO "MILLRACE_NULLS_116" ("ID", "V") VALUES (NULL , 't1' );
COMMIT;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_nulls_116 WHERE id = 7
) millrace_query;
DROP TABLE "MILLRACE_NULLS_116" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_always_117 (id NUMBER(9) GENERATED ALWAYS AS IDENTITY, v VARCHAR2(20));
INSERT INTO "MILLRACE_ALWAYS_117" ("V") VALUES ('t1' );
COMMIT;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_always_117
) millrace_query;
DROP TABLE "MILLRACE_ALWAYS_117" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_parent_118 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
INSERT INTO "MILLRACE_PARENT_118" ("ID", "V") VALUES (1 , 't1' );
COMMIT;
CREATE TABLE millrace_child_119 (id NUMBER(9) REFERENCES millrace_parent_118, v VARCHAR2(20));
SELECT constraint_name, validated, search_condition_vc FROM all_constraints WHERE owner = USER AND table_name = 'MILLRACE_CHILD_119' AND constraint_type IN ('R', 'C') AND status = 'ENABLED' ORDER BY 1;
SELECT owner, trigger_name FROM all_triggers WHERE table_owner = USER AND table_name = 'MILLRACE_CHILD_119' AND status = 'ENABLED' AND triggering_event LIKE '%INSERT%' ORDER BY 1, 2;
ALTER TABLE "MILLRACE_CHILD_119" DISABLE CONSTRAINT "SYS_120";
INSERT /*+ APPEND_VALUES */ INTO "MILLRACE_CHILD_119" ("ID", "V") VALUES (1 , 't1' );
COMMIT;
ALTER TABLE "MILLRACE_CHILD_119" ENABLE CONSTRAINT "SYS_120";
SELECT "S" FROM (SELECT MIN(status) AS s FROM user_constraints WHERE constraint_type = 'R' AND table_name = 'MILLRACE_CHILD_119'
) millrace_query;
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_child_119
) millrace_query;
DROP TABLE "MILLRACE_CHILD_119" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_PARENT_118" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_lanes_121 (id NUMBER(9), v VARCHAR2(20));
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_lanes_121
) millrace_query;
DROP TABLE "MILLRACE_LANES_121" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_twice_122 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
CREATE TABLE millrace_indexes_123 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
SELECT "N" FROM (SELECT COUNT(*) AS n FROM millrace_indexes_123 WHERE id > 0
) millrace_query;
DROP TABLE "MILLRACE_INDEXES_123" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_twice_124 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
CREATE TABLE millrace_indexes_125 (id NUMBER(9) PRIMARY KEY, v VARCHAR2(20));
ALTER INDEX "SYS_126" REBUILD;
DROP TABLE "MILLRACE_INDEXES_125" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_batches_127 (token VARCHAR2(20));
INSERT INTO "MILLRACE_BATCHES_127" ("TOKEN") VALUES ('3ROZjHl0A6eVmz3oYj5Z' );
COMMIT;
DROP TABLE "MILLRACE_BATCHES_127" CASCADE CONSTRAINTS PURGE;
CREATE TABLE millrace_batches_128 (token VARCHAR2(20));
DROP TABLE "MILLRACE_BATCHES_128" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_TWICE_124" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_TWICE_122" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_VALUES_98" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_RESUME_88" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_MERGE_78" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_MODES_73" CASCADE CONSTRAINTS PURGE;
DROP TABLE "MILLRACE_HASHED" PURGE;
DROP TABLE "MILLRACE_IOT" PURGE;
DROP TABLE "MILLRACE_PARTED" PURGE;
DROP TABLE "MILLRACE_KEYED" PURGE;
DROP TABLE "MILLRACE_LONGER" PURGE;
DROP VIEW "MILLRACE_SEEN";
DROP TABLE "MILLRACE_VECTORS" PURGE;
DROP TABLE "MILLRACE_FAM_PARENT" PURGE;
DROP TABLE "MILLRACE_FAM_KID" PURGE;
DROP SEQUENCE "MILLRACE_NUMBERS";
DROP VIEW "MILLRACE_FAM_SEEN";
DROP SYNONYM "MILLRACE_KIN";
DROP PACKAGE "MILLRACE_CODE";
DROP TABLE "MILLRACE_LOCK" PURGE;
DROP TABLE "MILLRACE_METERS" PURGE;
DROP TABLE "MILLRACE_LONG" PURGE;
