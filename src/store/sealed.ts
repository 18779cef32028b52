import { randomBytes } from 'node:crypto';
import type { Seal } from '../kernel/seal.ts';
import { jsonText } from './json-text.ts';

const aboutServer = (name: string) => `server ${name}`;
const aboutSecret = (key: string) => `the secret ${key}`;

/** Headers and variables may contain secrets, so configurations of servers are encrypted. */
export function sealConfig(seal: Seal, name: string, config: unknown): string {
  return seal.seal(jsonText(`The configuration of ${name}`, config), aboutServer(name));
}

export function openConfig(seal: Seal, name: string, sealed: string): unknown {
  return JSON.parse(seal.open(sealed, aboutServer(name)));
}

/** A new secret of 32 bytes. */
export function newSecret(seal: Seal, key: string): string {
  return seal.seal(randomBytes(32).toString('hex'), aboutSecret(key));
}

export function openSecret(seal: Seal, key: string, sealed: string): Buffer {
  return Buffer.from(seal.open(sealed, aboutSecret(key)), 'hex');
}
