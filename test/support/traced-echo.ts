import { randomBytes } from 'node:crypto';
import { type AnyClient, type CallResult, textOf } from '../integration/harness.ts';

/** A call whose answer and events can be recognized. */
export interface TracedEcho {
  readonly text: string;
  readonly trace: string;
}

export const newEcho = (): TracedEcho => ({
  text: randomBytes(8).toString('hex'),
  trace: randomBytes(16).toString('hex'),
});

/** Throws unless the answer is right. */
export async function callEcho(client: AnyClient, { text, trace }: TracedEcho): Promise<CallResult> {
  const params = {
    name: 'ref__echo',
    arguments: { text },
    _meta: { traceparent: `00-${trace}-${trace.slice(0, 16)}-01` },
  };
  const result = await (client as { callTool(given: object): Promise<CallResult> }).callTool(params);
  if (result.isError) throw new Error(textOf(result));
  if (textOf(result) !== text) throw new Error(`wrong answer: ${textOf(result)}`);
  return result;
}
