import { join } from 'node:path';
import { AppError } from '../../kernel/errors.ts';
import { checkedN8n, DEFAULT_INSTANCE } from '../../nodes/which-n8n.ts';

/** One installation for each version, shared by every home of this user. */
export function installDirectory(cache: string, version: string): string {
  return join(cache, 'n8n', checkedN8n(version));
}

/** The files of one local n8n. */
export interface InstancePlaces {
  readonly name: string;
  readonly folder: string;
  /** Encryption key, owner, API key and ports. Only this user can read it. */
  readonly record: string;
  /** Held by the process that runs it, as long as that process lives. */
  readonly lock: string;
  /** The last state that this process wrote. */
  readonly state: string;
  readonly log: string;
  /** N8N_USER_FOLDER. */
  readonly data: string;
}

export function instancePlaces(home: string, name = DEFAULT_INSTANCE): InstancePlaces {
  if (!/^[a-z0-9][a-z0-9_-]{0,40}$/i.test(name)) {
    throw new AppError('invalid_input', `An n8n cannot be called ${name}: use letters, digits, - and _.`);
  }
  const folder = join(home, 'n8n', name);
  return {
    name,
    folder,
    record: join(home, 'n8n', `${name}.json`),
    lock: join(folder, 'running.lock'),
    state: join(folder, 'state.json'),
    log: join(folder, 'n8n.log'),
    data: join(folder, 'data'),
  };
}
