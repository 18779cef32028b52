import { randomBytes } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import { placeOf } from './address.ts';
import type { Database, Session } from './connection.ts';

/** What the database says about itself. */
export interface Marks {
  /** A known text, encrypted with the key of the store. */
  readonly key?: string;
  /** The copy of an embedded store that was made into it. */
  readonly copy?: CopyMark;
}

/** Left by `sluice store migrate`. */
export interface CopyMark {
  /** The machine and the file that is copied. */
  readonly source: string;
  readonly startedAt: string;
  /** Missing while it is not complete. */
  readonly finishedAt?: string;
  /** Of each table: how many were copied. */
  readonly rows?: Readonly<Record<string, number>>;
}

export async function readMarks(session: Session): Promise<Marks> {
  const rows = await session.rows<{ name: string; value: string }>('SELECT name, value FROM marks');
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const key = values.get('key');
  const copy = values.get('copy');
  return { ...(key !== undefined && { key }), ...(copy !== undefined && { copy: JSON.parse(copy) as CopyMark }) };
}

export async function writeMark(session: Session, mark: Marks): Promise<void> {
  for (const [name, value] of Object.entries(mark) as [string, unknown][])
    await session.change(
      'INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      [name, typeof value === 'string' ? value : JSON.stringify(value)],
    );
}

/** The key with which replicas sign what they send each other: see shared/signing.ts. The first process makes it. */
export async function peerKey(session: Session): Promise<Buffer> {
  const offer = 'INSERT INTO marks (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
  await session.change(offer, ['peers', randomBytes(32).toString('hex')]);
  const [mark] = await session.rows<{ value: string }>("SELECT value FROM marks WHERE name = 'peers'");
  return Buffer.from(mark?.value ?? '', 'hex');
}

/** Half a copy is not a store: what is written into it now would collide with the rest. */
export function refuseHalfCopied({ address }: Database, { copy }: Marks): void {
  if (!copy || copy.finishedAt !== undefined) return;
  throw new AppError(
    'conflict',
    `The database ${placeOf(address)} holds an unfinished copy of ${copy.source}, begun ${copy.startedAt}. ` +
      'Run `sluice store migrate` there again: it goes on where it stopped. Or drop the schema sluice to start afresh.',
  );
}
