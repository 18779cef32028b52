import { z } from 'zod';
import { bare, readableSchema } from '../../kernel/argument-check.ts';
import { messageOf } from '../../kernel/errors.ts';
import { withDefaults } from '../expressions/check-inputs.ts';
import { inputProblems, naming, values } from '../expressions/input-schema.ts';
import type { Path } from './finding.ts';
import type { Report } from './report.ts';
import type { Definition } from './shape.ts';

/** The inputs are JSON Schemas that can be checked, and their defaults fit them. */
export function checkInputSchemas({ inputs }: Definition, report: Report): void {
  for (const [name, schema] of Object.entries(inputs)) {
    for (const path of unclearSecrets(schema, ['inputs', name]))
      report.error(path, 'must be true or false', 'Write secret: true.');
    if (typeof schema.required === 'boolean') {
      report.error(['inputs', name, 'required'], 'is not a list', 'Remove it: an input without a default is required.');
      continue;
    }
    try {
      // Of null no pattern is tried, which could take for ever.
      inputProblems(schema, null);
    } catch (error) {
      report.error(
        ['inputs', name],
        `is not a JSON Schema that can be used: ${messageOf(error).slice(0, 200).replace(/\.$/, '')}`,
        'Write it as { type: string }.',
      );
      continue;
    }
    if (!Object.hasOwn(schema, 'default')) continue;
    const type = z.fromJSONSchema(readableSchema(schema) as Record<string, unknown>);
    const problem = type.safeParse(bare(withDefaults(schema, schema.default))).error?.issues[0];
    if (problem)
      report.error(
        ['inputs', name, 'default'],
        `does not fit the schema of its input: ${problem.message}`,
        'Correct the default or the schema.',
      );
  }
}

/** Where `secret` in the schema of an input is neither true nor false. Names of properties do not count. */
function unclearSecrets(schema: unknown, path: Path, names = false): Path[] {
  if (Array.isArray(schema)) return schema.flatMap((one, index) => unclearSecrets(one, [...path, index]));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([word, inner]) => {
    if (!names && word === 'secret') return typeof inner === 'boolean' ? [] : [[...path, word]];
    return !names && values.has(word) ? [] : unclearSecrets(inner, [...path, word], !names && naming.has(word));
  });
}
