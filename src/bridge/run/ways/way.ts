import type { Json } from '../../../kernel/source.ts';

/** One HTTP request to n8n. */
export interface WayRequest {
  readonly method: string;
  /** Such as `/webhook/orders`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form is sent as multipart, anything else as JSON. */
  readonly body?: unknown;
}

/**
 * Where the result is: in the answer itself; in lines of an answer that comes bit by bit; with the execution, because
 * n8n answers before it has run or says nothing of it; or in the answer of the workflow that we generated to call it.
 */
export type Answering = 'answer' | 'stream' | 'execution' | 'runner';

/** How a workflow is run with the arguments of a tool. */
export interface Way {
  readonly schema: Json;
  readonly answering: Answering;
  request(args: Json): WayRequest;
}

/** Why a workflow cannot be a tool, and what would make it one. */
export interface Unfit {
  readonly reason: string;
}

/** What the schema of a trigger says; arguments that are not in it are passed on under their own names. */
export function objectSchema(properties: Json, required: readonly string[], open: boolean): Json {
  return {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: open,
  };
}
