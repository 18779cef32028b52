// What the tools for n8n answer, as far as the pages show it.

export interface Overview {
  readonly n8n: { readonly url: string; readonly version?: string };
  readonly look_at: readonly {
    readonly why: string;
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
  readonly workflows?: {
    readonly total: number;
    readonly live: number;
    readonly not_live: number;
    readonly unpublished_changes: number;
    readonly failing?: number;
    readonly archived: number;
  };
  readonly executions?: {
    readonly since: string;
    readonly succeeded: number;
    readonly failed: number;
    readonly canceled: number;
    readonly running: number;
    readonly waiting: number;
  };
  readonly credentials?: {
    readonly total: number;
    readonly unused?: number;
    readonly missing?: readonly { readonly name: string; readonly type: string; readonly live: number }[];
  };
  readonly notes?: readonly string[];
}

export interface FailureGroup {
  readonly workflow: string;
  readonly name?: string;
  readonly node?: string;
  readonly type?: string;
  readonly cause: string;
  readonly http_status?: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
  readonly example: string;
}

export interface Failures {
  readonly since: string;
  readonly failed: number;
  readonly groups: readonly FailureGroup[];
  readonly more?: number;
  readonly note?: string;
}

export interface ListedWorkflow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly archived?: boolean;
  readonly draft?: boolean;
  readonly nodes: number;
  readonly tags?: readonly string[];
  readonly updated?: string;
}

export interface ListedExecution {
  readonly id: string;
  readonly workflow: string;
  readonly name?: string;
  readonly status: string;
  readonly mode?: string;
  readonly started?: string;
  readonly ms?: number;
  readonly wait_till?: string;
  readonly retry_of?: string;
  readonly retried_by?: string;
}

export interface Executions {
  readonly executions: readonly ListedExecution[];
  readonly cursor?: string;
}

export interface Execution {
  readonly id: string;
  readonly status: string;
  readonly error?: {
    readonly node?: string;
    readonly message: string;
    readonly description?: string;
    readonly http_status?: string;
    readonly details?: readonly string[];
    readonly item?: number;
    readonly line?: number;
    readonly input?: unknown;
    readonly from?: string;
  };
  readonly node?: {
    readonly total: number;
    readonly output?: string;
    readonly items: readonly unknown[];
    readonly cut?: boolean;
  };
}

export interface Finding {
  readonly rule: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly node?: string;
  readonly path: string;
  readonly message: string;
}

export interface Judgement {
  readonly counts: { readonly error: number; readonly warning: number; readonly info: number };
  readonly findings: readonly Finding[];
  readonly notes?: readonly string[];
}

export interface Version {
  readonly version: string;
  readonly saved?: string;
  readonly by?: string;
  readonly label?: string;
  readonly is?: 'draft' | 'live' | 'draft and live';
}

export interface Backup {
  readonly id: string;
  readonly workflow: string;
  readonly name: string;
  readonly taken: string;
  readonly reason: string;
  readonly why: string;
  readonly active?: boolean;
  readonly nodes: number;
  readonly bytes: number;
  readonly where?: readonly string[];
}
