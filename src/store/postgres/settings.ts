import type { Seal } from '../../kernel/seal.ts';
import { jsonText } from '../json-text.ts';
import { newSecret, openSecret } from '../sealed.ts';
import type { Settings } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresSettings(database: Database, seal: Seal): Settings {
  async function valueIn(table: 'settings' | 'secrets', key: string): Promise<string | undefined> {
    const [row] = await database.rows<{ value: string }>(`SELECT value FROM ${table} WHERE key = $1`, [key]);
    return row?.value;
  }
  return {
    async get(key) {
      const value = await valueIn('settings', key);
      return value === undefined ? undefined : (JSON.parse(value) as unknown);
    },
    async put(key, value) {
      await database.change(
        'INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
        [key, jsonText(`The setting ${key}`, value)],
      );
    },
    async secret(key) {
      const known = await valueIn('secrets', key);
      if (known !== undefined) return openSecret(seal, key, known);
      // The first value wins, whichever replica wrote it.
      await database.change('INSERT INTO secrets (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING', [
        key,
        newSecret(seal, key),
      ]);
      return openSecret(seal, key, (await valueIn('secrets', key)) as string);
    },
  };
}
