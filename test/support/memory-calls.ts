/** Calls of the memory tools by a client. */
import { expect } from 'vitest';
import { createKey } from '../../src/auth/keys.ts';
import type { KeyGrant } from '../../src/store/store.ts';
import {
  type AnyClient,
  callTool,
  type CallResult,
  type Json,
  type TestGateway,
  textOf,
} from '../integration/harness.ts';

export interface Remembered extends Json {
  readonly id: string;
  readonly recorded_at: string;
}

export interface FoundMemory extends Remembered {
  readonly text: string;
  readonly namespace: string;
  readonly truncated?: boolean;
}

/** What the tool answered. Fails if it refused. */
export async function done<T = Json>(client: AnyClient, tool: string, args: Json = {}): Promise<T> {
  const result = await callTool(client, `memory_${tool}`, args);
  if (result.isError === true) expect.unreachable(`memory_${tool} refused: ${textOf(result)}`);
  return result.structuredContent as T;
}

export const remember = (client: AnyClient, text: string, more: Json = {}) =>
  done<Remembered>(client, 'store', { text, ...more });

/** The texts that a search finds. */
export async function recalled(client: AnyClient, query: string, more: Json = {}): Promise<string[]> {
  const { results } = await done<{ results: FoundMemory[] }>(client, 'search', { query, ...more });
  return results.map(({ text }) => text);
}

export async function listed(client: AnyClient, more: Json = {}): Promise<string[]> {
  const { memories } = await done<{ memories: FoundMemory[] }>(client, 'list_memories', more);
  return memories.map(({ text }) => text);
}

/** Why the tool refused. Fails if it did not. */
export async function refused(client: AnyClient, tool: string, args: Json = {}): Promise<Refusal> {
  return refusalIn(await callTool(client, `memory_${tool}`, args));
}

export interface Refusal {
  readonly text: string;
  readonly code?: string;
  readonly confirm?: string;
}

function refusalIn(result: CallResult): Refusal {
  expect(result.isError).toBe(true);
  return { text: textOf(result), ...((result._meta as Json | undefined)?.['sluice/error'] as object) };
}

/** Calls a tool that deletes, and confirms it with the token of the first answer. */
export async function confirmed<T = Json>(client: AnyClient, tool: string, args: Json): Promise<T> {
  const { confirm, text } = await refused(client, tool, args);
  expect(text).toContain('Nothing was done yet');
  return done<T>(client, tool, { ...args, confirm });
}

/** The header of a new key. */
export async function keyOf(
  gateway: TestGateway,
  name: string,
  scopes: readonly string[] = ['tools:read', 'tools:execute'],
): Promise<{ readonly id: string; readonly headers: { readonly authorization: string } }> {
  const grant: KeyGrant = { name, scopes: [...scopes], createdAt: new Date().toISOString(), createdBy: 'test' };
  const { id, key } = await createKey(gateway.runtime.store.keys, grant);
  return { id, headers: { authorization: `Bearer ${key}` } };
}
