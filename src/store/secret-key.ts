import { hkdfSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Env } from '../kernel/env.ts';
import { fileTrouble } from '../kernel/file-errors.ts';

export type KeyVariable = 'SLUICE_SECRET_KEY' | 'SLUICE_SECRET_KEY_FILE';

/** The key that the environment gives, or what is wrong with it. */
export type GivenKey =
  | { readonly variable: KeyVariable; readonly text: string }
  | { readonly variable: KeyVariable; readonly problem: string; readonly fix: string };

const SHORTEST = 32;
const CREATE = 'Create one with `openssl rand -hex 32`.';

/** Reads SLUICE_SECRET_KEY or the file that SLUICE_SECRET_KEY_FILE names; undefined if neither is set. */
export function givenKey({ SLUICE_SECRET_KEY: text, SLUICE_SECRET_KEY_FILE: file }: Env): GivenKey | undefined {
  if (text && file)
    return {
      variable: 'SLUICE_SECRET_KEY_FILE',
      problem: 'is set together with SLUICE_SECRET_KEY',
      fix: 'Set only one of them.',
    };
  if (text) return checked('SLUICE_SECRET_KEY', text, CREATE);
  if (!file) return undefined;
  const variable = 'SLUICE_SECRET_KEY_FILE';
  try {
    return checked(variable, readFileSync(file, 'utf8'), `Write a longer key into ${file}. ${CREATE}`);
  } catch (error) {
    const fix = 'Name a file with the key that this user may read.';
    return { variable, problem: `names ${file}, which ${fileTrouble(error)}`, fix };
  }
}

// Files and secrets of Kubernetes often end with a line break that nobody meant.
function checked(variable: KeyVariable, given: string, fix: string): GivenKey {
  const text = given.trim();
  return text.length < SHORTEST
    ? { variable, problem: `has fewer than ${SHORTEST} characters`, fix }
    : { variable, text };
}

/**
 * The 32 bytes that encrypt. 64 hexadecimal digits are the key itself, so that the content of one machine's sluice.key can
 * be SLUICE_SECRET_KEY on another; from any other text a key is derived.
 */
export function keyOf(text: string): Buffer {
  if (/^[\da-f]{64}$/i.test(text)) return Buffer.from(text, 'hex');
  return Buffer.from(hkdfSync('sha256', text, '', 'sluice secret key', 32));
}
