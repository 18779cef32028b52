import { basename } from 'node:path';
import type { Json } from '../../kernel/source.ts';

/** A server of another client that can be imported. */
export interface Candidate {
  name: string;
  entry: Json;
  /** The clients that have it. */
  clients: string[];
}

/** Merges the servers of several clients. Equal servers become one; different ones with the same name get two names. */
export function mergeCandidates(found: readonly { client: string; servers: Record<string, unknown> }[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const { client, servers } of found) {
    for (const [given, entry] of Object.entries(servers)) {
      const sameName = candidates.filter(({ name }) => name === given || name.startsWith(`${given}-`));
      const same = sameName.find((known) => JSON.stringify(known.entry) === JSON.stringify(entry));
      if (same) {
        same.clients.push(client);
        continue;
      }
      let name = given;
      for (let number = 2; candidates.some((known) => known.name === name); number++) name = `${given}-${number}`;
      candidates.push({ name, entry: entry as Json, clients: [client] });
    }
  }
  return candidates;
}

/** A server in one line without secrets: its program and package, or its address. */
export function describeEntry({ command, args, url, serverUrl, httpUrl }: Json): string {
  const address = [url, serverUrl, httpUrl].find((value) => typeof value === 'string');
  if (typeof address === 'string') return URL.canParse(address) ? plainAddress(new URL(address)) : 'a URL';
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : [];
  // Show the package or script only: later arguments may be secrets.
  const subject = words.find((word) => /^(?:@[\w.-]+\/)?[\w./-]+(?:@[\w.-]+)?$/.test(word) && !word.startsWith('-'));
  return [basename(String(command)), subject ?? ''].join(' ').trim();
}

const plainAddress = ({ origin, pathname }: URL) => `${origin}${pathname}`;
