import { AppError } from '../../src/kernel/errors.ts';
import { callTool, connectV2, type Place } from '../integration/harness.ts';

type Json = Record<string, unknown>;

export interface BlueprintCalls extends AsyncDisposable {
  /** A tool of a blueprint source; throws what the tool says if it fails. */
  call<T extends object = Json>(tool: string, args?: Json): Promise<T>;
  /** The same, confirmed with the token of the first answer. */
  confirmed<T extends object = Json>(tool: string, args?: Json): Promise<T>;
}

/** Calls tools as a client that cannot ask its user. */
export async function blueprintCalls(gateway: Place, headers: Record<string, string> = {}): Promise<BlueprintCalls> {
  const client = await connectV2(gateway, { headers, capabilities: {} });
  const ask = async (tool: string, args: Json) => (await callTool(client, tool, args)) as Json;
  const dataOf = (result: Json): Json => {
    if (result.isError === true) throw new AppError('invalid_input', (result.content as [{ text: string }])[0].text);
    return (result.structuredContent ?? {}) as Json;
  };
  return {
    call: async (tool, args = {}) => dataOf(await ask(tool, args)) as never,
    async confirmed(tool, args = {}) {
      const first = await ask(tool, args);
      const token = ((first._meta as Json | undefined)?.['sluice/error'] as Json | undefined)?.confirm;
      return dataOf(token === undefined ? first : await ask(tool, { ...args, confirm: token })) as never;
    },
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}
