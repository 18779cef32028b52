import { AppError } from '../../kernel/errors.ts';
import type { Finding } from '../definition/finding.ts';
import type { Definition } from '../definition/shape.ts';
import type { Evaluator } from '../expressions/evaluator.ts';

/** Defaults that do not match the pattern of their input. A pattern may take for ever, so a thread tries it. */
export async function patternFindings(
  { inputs }: Definition,
  evaluator: () => Promise<Pick<Evaluator, 'checkInputs'>>,
): Promise<readonly Finding[]> {
  const tried = Object.entries(inputs).filter(
    ([, schema]) => Object.hasOwn(schema, 'default') && JSON.stringify(schema).includes('"pattern'),
  );
  if (tried.length === 0) return [];
  try {
    await (await evaluator()).checkInputs(Object.fromEntries(tried), {});
    return [];
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    const message = error.message.replace(/^The inputs do not fit: /, '').replace(/\.$/, '');
    const fix = 'Correct the default or the schema.';
    return [{ severity: 'error', path: 'inputs', message: `have a default that does not fit: ${message}`, fix }];
  }
}
