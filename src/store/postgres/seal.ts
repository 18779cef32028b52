import { join } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { createSeal, type Seal } from '../../kernel/seal.ts';
import { existingKey, masterKey } from '../master-key.ts';
import { givenKey, type KeyVariable, keyOf } from '../secret-key.ts';
import type { StorePlace } from '../settings.ts';
import { placeOf, type PostgresAddress } from './address.ts';
import type { Database } from './connection.ts';
import { type Marks, readMarks, refuseHalfCopied, writeMark } from './marks.ts';

/** Encrypts what replicas share, with the key that all of them have. */
export interface StoreSeal extends Seal {
  readonly from: KeyOrigin;
  /** Why this process can neither encrypt nor open; undefined if it has the key. */
  readonly locked: string | undefined;
}

export type KeyOrigin = KeyVariable | 'sluice.key';
type Home = Pick<StorePlace, 'home' | 'env'>;

const KNOWN = 'Sluice';
const ABOUT = 'the key of the store';
/** Two processes that start on a new database must not choose two keys. See LOCK in migrations.ts. */
const LOCK = 'SELECT pg_advisory_xact_lock(1399612261, 3)';

/**
 * The seal of a store in PostgreSQL. The first process on a new database decides which key it is. A wrong key in the
 * environment ends the start; without one, a process whose home has another key or none starts with a locked seal.
 */
export async function openSeal(database: Database, home: Home, { copying = false } = {}): Promise<StoreSeal> {
  const marks = await readMarks(database);
  if (!copying) refuseHalfCopied(database, marks);
  if (marks.key !== undefined) return sealFor(database.address, home, marks.key);
  return await database.transaction(async (session) => {
    await session.rows(LOCK);
    const { key: decided } = await readMarks(session);
    if (decided !== undefined) return sealFor(database.address, home, decided);
    const { from, key = masterKey(fileIn(home)) } = keyIn(home);
    const seal = createSeal(key);
    await writeMark(session, { key: seal.seal(KNOWN, ABOUT) });
    return { ...seal, from, locked: undefined };
  });
}

/** Where the key of this process comes from, and whether it opens the store; decides and writes nothing. */
export function lookAtKey(
  home: Home,
  { key: mark }: Marks,
): { from: KeyOrigin; state: 'right' | 'wrong' | 'missing' | 'unreadable' | 'first' } {
  const { from, key, problem } = keyIn(home);
  if (key) return { from, state: mark === undefined ? 'first' : isKeyOf(mark, key) ? 'right' : 'wrong' };
  return { from, state: problem !== undefined ? 'unreadable' : mark === undefined ? 'first' : 'missing' };
}

function sealFor(address: PostgresAddress, home: Home, mark: string): StoreSeal {
  const { from, key, problem } = keyIn(home);
  if (key && isKeyOf(mark, key)) return { ...createSeal(key), from, locked: undefined };
  if (from !== 'sluice.key')
    throw new AppError(
      'invalid_input',
      `${from} is not the key that encrypts the store, PostgreSQL at ${placeOf(address)}. ` +
        'Set it to the key that the other replicas use, or to the content of sluice.key of the home that used this database first.',
    );
  const file = fileIn(home);
  const why = problem ?? (key ? `${file} is not its key` : `${file} does not exist`);
  const locked =
    `This process cannot open what is encrypted in the store, PostgreSQL at ${placeOf(address)}: ${why.replace(/\.$/, '')}. ` +
    'Set SLUICE_SECRET_KEY or SLUICE_SECRET_KEY_FILE to the key that the other replicas use, and restart.';
  return { from, locked, seal: () => refuse(locked), open: () => refuse(locked) };
}

export function refuse(locked: string): never {
  throw new AppError('unavailable', locked);
}

function isKeyOf(mark: string, key: Buffer): boolean {
  try {
    return createSeal(key).open(mark, ABOUT) === KNOWN;
  } catch {
    return false;
  }
}

const fileIn = ({ home }: Home): string => join(home, 'sluice.key');

/** A wrong variable is an error; a file in the home that is no key is only a key that is missing. */
function keyIn(home: Home): { from: KeyOrigin; key?: Buffer; problem?: string } {
  const given = givenKey(home.env);
  if (given && 'problem' in given)
    throw new AppError('invalid_input', `${given.variable} ${given.problem}. ${given.fix}`);
  if (given) return { from: given.variable, key: keyOf(given.text) };
  const from = 'sluice.key';
  try {
    const key = existingKey(fileIn(home));
    return key ? { from, key } : { from };
  } catch (error) {
    return { from, problem: messageOf(error) };
  }
}
