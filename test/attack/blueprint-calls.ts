import { jsonOf, type Reply } from './exchange.ts';
import { call } from './attack.ts';
import type { Scene, Who } from './scene.ts';

type Json = Record<string, unknown>;

/** The data of a tool's answer; throws what the tool says if it fails. */
export async function asked(scene: Scene, who: Who, name: string, args: Json): Promise<Json> {
  const result = await scene.call(who, 'tools/call', { name, arguments: args });
  if (result.isError === true) throw new Error(`${name} as ${who}: ${JSON.stringify(result.content).slice(0, 500)}`);
  return (result.structuredContent ?? {}) as Json;
}

/** The same, confirmed with the token of the first answer, if it asks for that. */
export async function confirmed(scene: Scene, who: Who, name: string, args: Json): Promise<Json> {
  const token = confirmIn(await scene.call(who, 'tools/call', { name, arguments: args }));
  return token === undefined ? {} : asked(scene, who, name, { ...args, confirm: token });
}

export function confirmIn(result: Json | undefined): string | undefined {
  const meta = result?._meta as { 'sluice/error'?: { confirm?: string } } | undefined;
  return meta?.['sluice/error']?.confirm;
}

export const resultOf = (reply: Reply): Json | undefined => jsonOf(reply)?.result as Json | undefined;

export const callBody = (name: string, args: object) => ({ body: call(name, args), patience: 60_000 });

/** A definition in YAML; a step is what stands in its braces. */
export const definition = (name: string, steps: readonly string[], more = ''): string =>
  `name: ${name}\n${more}steps:\n${steps.map((step) => `  - { ${step} }\n`).join('')}`;

/** A word for names of blueprints. */
export const named = (tag: string): string => `a-${tag.toLowerCase()}`;
