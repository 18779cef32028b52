import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Catalogue, NodeSummary, Origin } from '../catalogue.ts';
import type { CredentialType, NodeDescription } from '../description.ts';
import { ESSENTIALS, LAYOUT } from './layout.ts';

/** Counted as JSON; the objects in memory take a few times that. */
const CACHE_BYTES = 8 * 1024 * 1024;

interface Known {
  readonly summary: NodeSummary;
  /** Raw JSON from the file: `[[id, [version, …]], …]`. Parsed on first use. */
  readonly places: string;
}

/** Opens a catalogue file. Reads the index now, and each description on first use. */
export function openCatalogue(file: string): Catalogue {
  const database = opened(file);
  const { value } = database.prepare("SELECT value FROM meta WHERE key = 'origin'").get() as { value: string };
  const origin = JSON.parse(value) as Origin;
  const known = new Map<string, Known>();
  for (const row of database.prepare('SELECT name, summary, descriptions FROM nodes ORDER BY id').iterate()) {
    const { name, summary, descriptions } = row as { name: string; summary: string; descriptions: string };
    known.set(name, { summary: JSON.parse(summary) as NodeSummary, places: descriptions });
  }
  const summaries = [...known.values()].map(({ summary }) => summary);

  const body = database.prepare('SELECT body FROM descriptions WHERE id = ?');
  const descriptions = boundedCache<number, NodeDescription>(CACHE_BYTES);
  const placesOf = new Map<string, readonly [number, readonly number[]][]>();
  const credentialBody = database.prepare('SELECT body FROM credentials WHERE name = ?');
  const credentials = boundedCache<string, CredentialType>(CACHE_BYTES / 8);
  const essentials = essentialsIn(database);
  let credentialTypes: { name: string; displayName: string }[] | undefined;

  return {
    origin,
    nodes: () => summaries,
    node: (name) => known.get(name)?.summary,
    description(name, version) {
      const node = known.get(name);
      if (!node) return undefined;
      let places = placesOf.get(name);
      if (!places) placesOf.set(name, (places = JSON.parse(node.places) as [number, number[]][]));
      const wanted = version ?? node.summary.latest;
      const place = places.findLast(([, versions]) => versions.includes(wanted));
      return place && descriptions.get(place[0], () => unpacked(body.get(place[0])));
    },
    ...(essentials && { essentials }),
    credentialTypes: () =>
      (credentialTypes ??= database
        .prepare('SELECT name, title AS displayName FROM credentials ORDER BY name')
        .all() as { name: string; displayName: string }[]),
    credentialType: (name) => credentials.get(name, () => unpacked(credentialBody.get(name))),
    database,
    close() {
      if (database.isOpen) database.close();
    },
  };
}

/** Ignores details that another release prepared: its texts may differ. Details are then computed on request. */
function essentialsIn(database: DatabaseSync): Catalogue['essentials'] {
  const made = database.prepare("SELECT value FROM meta WHERE key = 'essentials'").get();
  if (made?.value !== String(ESSENTIALS)) return undefined;
  const body = database.prepare('SELECT body FROM essentials WHERE key = ?');
  return (key) => body.get(key)?.body as string | undefined;
}

function opened(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    // Fails with "no such file", which is clearer than SQLite's message.
    statSync(file);
    // Catalogues are replaced, never written to. Without locks, which SQLite takes for every query, a query is much cheaper.
    const place = pathToFileURL(file);
    place.searchParams.set('immutable', '1');
    database = new DatabaseSync(place, { readOnly: true });
    const { user_version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    if (user_version !== LAYOUT) throw new Error(`its layout is ${user_version}, not ${LAYOUT}`);
    return database;
  } catch (error) {
    database?.close();
    throw new AppError(
      'unavailable',
      `The node catalogue ${file} cannot be read (${messageOf(error)}). \`sluice nodes sync\` rebuilds it.`,
      { cause: error },
    );
  }
}

/** Unpacks the value of a row. No validation: it was checked when it was written. */
function unpacked(row: unknown): { value: never; bytes: number } | undefined {
  if (row === undefined) return undefined;
  const text = inflateRawSync((row as { body: Uint8Array }).body);
  return { value: JSON.parse(text.toString('utf8')) as never, bytes: text.length };
}
