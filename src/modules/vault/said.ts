import { z } from 'zod';
import type { HttpError } from '../http.ts';
import { shortened } from '../shown.ts';

const refusal = z.object({ errors: z.array(z.string()) });

const MOST = 400;

/** What Vault says about a request that it refuses, in one line; empty if it says nothing, or is not Vault. */
export function saidIn({ body }: Pick<HttpError, 'body'>): string {
  try {
    const { errors } = refusal.parse(JSON.parse(body));
    // Several errors come as a list in one text: "2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n".
    const lines = errors.flatMap((error) => error.split('\n')).map((line) => line.replace(/^\s*\*?\s*/, '').trim());
    const told = lines.filter((line) => line !== '' && !/^\d+ errors? occurred:$/.test(line));
    return shortened([...new Set(told)].join('; '), MOST);
  } catch {
    return '';
  }
}
