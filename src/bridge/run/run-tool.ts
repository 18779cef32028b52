import type { ArgumentCheck } from '../../kernel/argument-check.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { Sought } from '../../n8n/executions/sought.ts';
import type { ToolCall } from '../../n8n/running/way.ts';

/** A workflow as a tool. */
export interface RunTool {
  /** Its listed name. */
  readonly name: string;
  /** Stays the same if the workflow is renamed. */
  readonly key: string;
  readonly instance: string;
  readonly workflow: { readonly id: string; readonly name: string };
  readonly call: ToolCall;
  readonly check: ArgumentCheck;
  /** Id of the runner that calls it. */
  readonly runner?: string;
}

/** A run in progress. */
export interface Begun {
  readonly tool: RunTool;
  readonly client: N8nClient;
  readonly sought: Sought;
  readonly timeoutMs: number;
  /** Set once it is known. */
  execution?: string;
}
