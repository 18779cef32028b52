import { type AnyClient, callTool, type Json, textOf } from '../../integration/harness.ts';

/** The cost of what an assistant does: calls, and the bytes that go through its context. */
export interface Cost {
  readonly calls: number;
  /** How many of these were refused. */
  readonly errors: number;
  /** Arguments and answers as the assistant reads them: only text, because the structured data says the same. */
  readonly bytes: number;
}

export interface Answer<T = Json> {
  readonly text: string;
  readonly data: T;
}

/** Uses the tools as clients see them by default, and counts. A failed call throws the text of the error. */
export function assistantOf(client: AnyClient) {
  let cost: Cost = { calls: 0, errors: 0, bytes: 0 };

  async function use<T = Json>(tool: string, args: Json = {}): Promise<Answer<T>> {
    const result = await callTool(client, tool, args, { timeout: 120_000 });
    const text = textOf(result);
    cost = {
      calls: cost.calls + 1,
      errors: cost.errors + (result.isError ? 1 : 0),
      bytes: cost.bytes + Buffer.byteLength(JSON.stringify(args)) + Buffer.byteLength(text),
    };
    if (result.isError) throw new Error(text);
    return { text, data: result.structuredContent as T };
  }

  const inner =
    (wrapper: string) =>
    async <T = Json>(tool: string, params: Json = {}): Promise<T> =>
      (await use<T>(wrapper, { tool, params })).data;

  return {
    use,
    read: inner('n8n_read'),
    call: inner('n8n_call'),
    /** The text that a call is refused with. */
    async refused(tool: string, args: Json): Promise<string> {
      const { text } = await use(tool, args).catch((error: Error) => ({ text: `refused: ${error.message}` }));
      return text.startsWith('refused: ') ? text.slice(9) : `it was not refused: ${text.slice(0, 200)}`;
    },
    cost: () => cost,
  };
}

export type Assistant = ReturnType<typeof assistantOf>;
