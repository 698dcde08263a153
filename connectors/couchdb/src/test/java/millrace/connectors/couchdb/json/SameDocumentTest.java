package millrace.connectors.couchdb.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import millrace.connectors.couchdb.json.SameDocument.Attachments;
import millrace.connectors.json.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Documents are the same if a server would keep the one as the other, and differ if anything that
/// a reader could see differs. Which of the two was sent makes no difference.
final class SameDocumentTest {

  private static JsonNode json(String text) throws IOException {
    return Json.MAPPER.readTree(text.replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'a':1}                   | {'a':1}                   | true",
        "{'a':1,'b':2}             | {'b':2,'a':1}             | true",
        "{'a':1}                   | {'a':1,'_rev':'1-x'}      | true",
        "{'a':1,'_rev':'2-y'}      | {'a':1,'_rev':'1-x'}      | true",
        "{'a':1.0}                 | {'a':1}                   | true",
        "{'a':1e2}                 | {'a':100}                 | true",
        "{'a':0.1}                 | {'a':0.10}                | true",
        "{'a':9007199254740992.0}  | {'a':9007199254740992}    | true",
        "{}                        | {}                        | true",
        "{'a':1}                   | {'a':2}                   | false",
        "{'a':1}                   | {'b':1}                   | false",
        "{'a':1}                   | {'a':1,'b':2}             | false",
        "{'a':1}                   | {}                        | false",
        "{'a':null}                | {}                        | false",
        "{'a':null}                | {'b':null}                | false",
        "{'a':null}                | {'a':0}                   | false",
        "{'a':''}                  | {'a':null}                | false",
        "{'a':1}                   | {'a':'1'}                 | false",
        "{'a':1}                   | {'a':true}                | false",
        "{'a':1}                   | {'a':1.5}                 | false",
        "{'a':9007199254740992.0}  | {'a':9007199254740993}    | false",
        "{'a':9007199254740993}    | {'a':9007199254740992}    | false",
        "{'a':[1,2]}               | {'a':[2,1]}               | false",
        "{'a':[1,2]}               | {'a':[1]}                 | false",
        "{'a':[1,2]}               | {'a':[1,3]}               | false",
        "{'a':{'b':[{'c':1}]}}     | {'a':{'b':[{'c':1.0}]}}   | true",
        "{'a':{'b':[{'c':1}]}}     | {'a':{'b':[{'c':2}]}}     | false",
        "{'a':{'b':1}}             | {'a':{'b':1,'c':1}}       | false",
        "{'a':{'_rev':'1-x'}}      | {'a':{'_rev':'2-x'}}      | false",
        "{'a':{'_rev':'1-x'}}      | {'a':{}}                  | false",
        "{'_id':'a'}               | {'_id':'b'}               | false",
        "{'_deleted':true}         | {}                        | false",
        "{'a':'x'}                 | {'a':'X'}                 | false",
        "{'a':{}}                  | {'a':[]}                  | false"
      })
  void membersAreTheSameIfAReaderWouldSeeNoDifference(String one, String other, boolean same)
      throws IOException {
    assertThat(SameDocument.members(json(one), json(other))).isEqualTo(same);
    assertThat(SameDocument.members(json(other), json(one))).isEqualTo(same);
  }

  /// What is sent has the bytes or a stub; what is there a stub, or the bytes when they are
  /// fetched.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                             |                                              | SAME",
        "'a':{'data':'aGk='}          |                                              | DIFFERENT",
        "                             | 'a':{'length':2,'digest':'md5-x'}            | DIFFERENT",
        "'a':{'data':'aGk='}          | 'b':{'data':'aGk='}                          | DIFFERENT",
        "'a':{'data':'aGk='}          | 'a':{'data':'aGk='}                          | SAME",
        "'a':{'data':'aGk='}          | 'a':{'data':'aGo='}                          | DIFFERENT",
        "'a':{'data':'aGk='}          | 'a':{'length':2,'digest':'md5-x'}            | UNKNOWN",
        "'a':{'data':'aGk='}          | 'a':{'length':3,'digest':'md5-x'}            | DIFFERENT",
        "'a':{'digest':'md5-x'}       | 'a':{'length':2,'digest':'md5-x'}            | SAME",
        "'a':{'digest':'md5-x'}       | 'a':{'length':2,'digest':'md5-y'}            | DIFFERENT",
        "'a':{'length':1,'digest':'x'}| 'a':{'length':2,'digest':'x'}                | DIFFERENT",
        "'a':{'stub':true}            | 'a':{'length':2,'digest':'md5-x'}            | DIFFERENT",
        "'a':{'content_type':'t','data':'aGk='}| 'a':{'content_type':'u','data':'aGk='}| DIFFERENT",
        "'a':{'data':'aGk='},'b':{'data':'aGk='}| 'a':{'length':2,'digest':'x'},'b':{'data':'aGo='}"
            + "                       | DIFFERENT",
        "'a':{'data':'aGk='},'b':{'data':'aGk='}"
            + "| 'a':{'length':2,'digest':'x'},'b':{'data':'aGk='}                       | UNKNOWN",
        "'a':{'data':'aGk='}          | 'a':{'length':2,'digest':'md5-SfaKXIST7CwL9ImCHCH8Ow=='} |"
            + " SAME"
      })
  void attachmentsAreTheSameIfTheirBytesAre(
      @Nullable String sent, @Nullable String there, Attachments expected) throws IOException {
    assertThat(SameDocument.attachments(attached(sent), attached(there))).isEqualTo(expected);
  }

  private static JsonNode attached(@Nullable String attachments) throws IOException {
    return json(attachments == null ? "{}" : "{'_attachments':{" + attachments + "}}");
  }
}
