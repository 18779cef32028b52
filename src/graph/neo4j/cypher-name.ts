import { AppError } from '../../kernel/errors.ts';
import { quoted } from '../../kernel/some-of.ts';

/** A label or relationship type in a statement: Neo4j takes no parameters there. */
export function cypherName(name: string): string {
  // Neo4j reads \u0060 as a backtick even within backticks.
  if (/\\u|\0/i.test(name))
    throw new AppError(
      'invalid_input',
      `${quoted(name)} cannot be a type in Neo4j. Leave out the backslash and control characters.`,
    );
  return `\`${name.replaceAll('`', '``')}\``;
}
