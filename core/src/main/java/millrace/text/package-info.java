/// What options, parameters and files of users spell: amounts, times, lists of names, YAML.
@NullMarked
package millrace.text;

import org.jspecify.annotations.NullMarked;
