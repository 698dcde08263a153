package millrace.connectors.couchdb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import millrace.connectors.json.DocumentPath;
import millrace.connectors.json.Json;
import millrace.data.Column;
import millrace.data.Native;
import millrace.data.Schema;
import millrace.data.Type;
import millrace.fault.Fault;

/// What a database has beside its documents: whether it is partitioned, and its security object.
///
/// It crosses to a target of CouchDB as the declaration of the documents' column.
///
/// @param security an object, empty if everybody may do everything
public record DatabaseSettings(boolean partitioned, JsonNode security) {

  /// The name under which columns carry CouchDB's declarations.
  public static final String SYSTEM = "couchdb";

  /// Those of a new database.
  public static final DatabaseSettings NONE =
      new DatabaseSettings(false, Json.MAPPER.createObjectNode());

  /// The column that stands for whole documents, and tells a target of CouchDB of all this.
  public Column column() {
    ObjectNode all = Json.MAPPER.createObjectNode();
    all.put("partitioned", partitioned);
    all.set("security", security);
    return new Column(
        DocumentPath.DOCUMENT, new Type.Json(), false, new Native(SYSTEM, "database " + all));
  }

  /// What the columns of another CouchDB tell; none if they come from elsewhere.
  public static DatabaseSettings of(Schema schema) {
    for (Column column : schema.columns()) {
      String declared = column.declaredIn(SYSTEM);
      if (declared != null) {
        try {
          JsonNode all = Json.MAPPER.readTree(declared.substring("database ".length()));
          return new DatabaseSettings(all.path("partitioned").asBoolean(), all.path("security"));
        } catch (JsonProcessingException e) {
          throw new Fault.Bug("settings that we wrote can't be read", e);
        }
      }
    }
    return NONE;
  }

  /// The security object as JSON.
  public byte[] securityJson() {
    try {
      return Json.MAPPER.writeValueAsBytes(security);
    } catch (JsonProcessingException e) {
      throw new Fault.Bug("JSON can't be written", e);
    }
  }
}
