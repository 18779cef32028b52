import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { AppError } from '../kernel/errors.ts';
import { fileTrouble } from '../kernel/file-errors.ts';

const LENGTH = 32;

/**
 * The key that seals the secrets in a store, in a file of its own beside it: a copy of the database alone opens
 * nothing. Of two processes that make it at once, one wins.
 */
export function masterKey(file: string): Buffer {
  const known = read(file);
  if (known) return known;
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(LENGTH).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link, because it is there whole or not at all, and never takes the place of another's.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return read(file) as Buffer;
}

function read(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const what = `The key of the store, ${file}, ${fileTrouble(error)}.`;
    throw new AppError('unavailable', `${what} Restore it from where you keep it.`, { cause: error });
  }
  if (/^[\da-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new AppError(
    'invalid_input',
    `${file} is not the key that Sluice wrote there. Restore it from where you keep it: what is sealed in the store cannot be read without it.`,
  );
}
