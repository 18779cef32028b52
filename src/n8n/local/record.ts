import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { readJson, writeJson } from './json-file.ts';
import type { InstancePlaces } from './places.ts';

const recordSchema = z.object({
  encryptionKey: z.string().min(1),
  email: z.string(),
  password: z.string(),
  apiKey: z.string().optional(),
  port: z.number().int().optional(),
  brokerPort: z.number().int().optional(),
});

/** What must survive a restart of a local n8n. Without the encryption key its credentials cannot be read again. */
export type InstanceRecord = z.output<typeof recordSchema>;

export async function readRecord({ record }: InstancePlaces): Promise<InstanceRecord | undefined> {
  const content = await readJson(record);
  if (content === undefined) return undefined;
  const parsed = recordSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new AppError(
    'internal',
    `${record} is damaged: ${parsed.error.issues[0]?.path.join('.')} ${parsed.error.issues[0]?.message}. Restore it from a backup. Removing it means a new owner login and API key.`,
  );
}

/** The record. The first start creates it. */
export async function openRecord(places: InstancePlaces): Promise<InstanceRecord> {
  const known = await readRecord(places);
  if (known) return known;
  const fresh = {
    // n8n keeps a copy of the key with its data. If there is one, no other key works.
    encryptionKey: (await keyOfData(places.data)) ?? randomBytes(24).toString('base64url'),
    email: 'owner@sluice.local',
    // n8n requires a digit and a capital letter.
    password: `${randomBytes(18).toString('base64url')}A1`,
  };
  await writeRecord(places, fresh);
  return fresh;
}

export function writeRecord({ record }: InstancePlaces, content: InstanceRecord): Promise<void> {
  return writeJson(record, content);
}

async function keyOfData(data: string): Promise<string | undefined> {
  const config = (await readJson(join(data, '.n8n', 'config'))) as { encryptionKey?: unknown } | undefined;
  return typeof config?.encryptionKey === 'string' ? config.encryptionKey : undefined;
}
