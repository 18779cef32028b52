// What the tools of the bridge answer, as far as the page shows it.

export interface BridgedTool {
  readonly tool: string;
  readonly state: 'listed' | 'waiting' | 'broken' | 'impossible' | 'excluded';
  readonly reason?: string;
}

export interface BridgedWorkflow {
  readonly instance: string;
  readonly id: string;
  readonly name: string;
  readonly chosen?: string;
  readonly run?: string;
  readonly could_run?: string;
  readonly run_reason?: string;
  readonly tools?: readonly BridgedTool[];
  readonly more_tools?: number;
  readonly could?: number;
}

export interface BridgedInstance {
  readonly instance: string;
  readonly applied: boolean;
  readonly problem?: string;
  readonly listed: number;
  readonly broken: number;
  readonly impossible: number;
  readonly generated: { readonly count: number };
  readonly others?: number;
}

export interface Status {
  readonly instances: readonly BridgedInstance[];
  readonly workflows: readonly BridgedWorkflow[];
  readonly file?: { readonly state: string; readonly file: string; readonly reason?: string };
  readonly cursor?: string;
}

export interface PlannedWorkflow {
  readonly instance: string;
  readonly id: string;
  readonly name: string;
  readonly chosen: string;
  readonly expose: readonly string[];
  readonly more?: number;
  readonly run?: string;
  readonly leave_out: readonly { readonly tool: string; readonly reason: string }[];
  readonly generate: boolean;
}

export interface Plan {
  readonly workflows: readonly PlannedWorkflow[];
  readonly more?: number;
  readonly remove: readonly { readonly id: string; readonly name: string }[];
  readonly writes: readonly string[];
  readonly not_chosen: number;
  readonly applied: boolean;
}

export interface Applied {
  readonly tools: readonly string[];
  readonly more?: number;
  readonly broken: readonly { readonly tool: string; readonly reason: string }[];
}
