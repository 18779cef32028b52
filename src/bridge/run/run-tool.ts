import type { ArgumentCheck } from '../../kernel/argument-check.ts';
import type { N8nClient } from '../../n8n/client/client.ts';
import type { Sought } from '../../n8n/executions/sought.ts';
import type { ToolCall } from '../../n8n/running/way.ts';

/** A workflow as a tool. */
export interface RunTool {
  /** As it is listed. */
  readonly name: string;
  /** The same whatever the workflow is called. */
  readonly key: string;
  readonly instance: string;
  readonly workflow: { readonly id: string; readonly name: string };
  readonly call: ToolCall;
  readonly check: ArgumentCheck;
  /** Id of the workflow that we generated to call it. */
  readonly runner?: string;
}

/** A run that is under way. */
export interface Begun {
  readonly tool: RunTool;
  readonly client: N8nClient;
  readonly sought: Sought;
  readonly timeoutMs: number;
  /** Once n8n has said or shown which it is. */
  execution?: string;
}
