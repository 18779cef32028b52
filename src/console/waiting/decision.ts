import { z } from 'zod';
import type { Decision } from '../../host/waiting.ts';
import { AppError } from '../../kernel/errors.ts';
import { inputWords } from '../../kernel/input-words.ts';
import { readObject } from '../../wire/json-body.ts';

const decision = z.strictObject({ approve: z.boolean(), note: z.string().trim().max(2000).optional() });

/** What the body of a request decides. */
export async function decisionIn(request: Request): Promise<Decision> {
  const { success, data, error } = decision.safeParse(await readObject(request), { error: inputWords });
  if (!success) {
    const problems = error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ');
    throw new AppError('invalid_input', `Send {"approve": true or false, "note": "…"}: ${problems}`);
  }
  const { approve, note } = data;
  return { approve, ...(note !== undefined && note !== '' && { note }) };
}
