/** What the routes of blueprints answer, as far as the page reads it. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly line?: number;
  readonly path: string;
  readonly message: string;
  readonly fix?: string;
}

export interface Listed {
  readonly name: string;
  readonly kind: 'blueprint' | 'recipe';
  readonly origin: string;
  readonly file?: string;
  readonly saved_by?: string;
  readonly description?: string;
  readonly steps?: number;
  readonly schedule?: string;
  readonly schedules?: number;
  readonly errors: number;
  readonly warnings: number;
  readonly problem?: string;
  readonly last?: { readonly run: string; readonly state: string; readonly created_at: string };
}

export interface Listing {
  readonly definitions: readonly Listed[];
  readonly more?: number;
  readonly problems?: readonly string[];
}

export interface Outline {
  readonly step: string;
  readonly kind: string;
  readonly does: string;
  readonly when?: string;
  readonly for_each?: string;
  readonly undo?: string;
  readonly confirm?: 'person';
}

export type Schema = Readonly<Record<string, unknown>>;

export interface Input {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  readonly secret: boolean;
}

interface Service {
  readonly source: string;
  readonly there: boolean;
}

export interface Whole {
  readonly name: string;
  readonly kind: 'blueprint' | 'recipe';
  readonly origin: string;
  readonly file?: string;
  readonly saved_by?: string;
  readonly saved_at?: string;
  readonly hides?: string;
  readonly description?: string;
  readonly text: string;
  readonly findings: readonly Finding[];
  readonly more_findings?: number;
  readonly steps?: readonly Outline[];
  readonly inputs?: readonly Input[];
  readonly needs?: readonly Service[];
  readonly wants?: readonly Service[];
  readonly schedule?: string;
  readonly on_failure?: 'undo' | 'keep';
}

export interface PlannedStep {
  readonly step: string;
  readonly kind: string;
  readonly does: unknown;
  readonly when?: string;
  readonly skipped?: true;
  readonly for_each?: unknown;
  readonly items?: number;
  readonly effect?: string;
  readonly confirm?: 'deploy' | 'person';
  readonly undo?: unknown;
}

export interface Plan {
  readonly steps: readonly PlannedStep[];
  readonly more_steps?: number;
  readonly on_failure: 'undo' | 'keep';
  readonly confirmations: readonly string[];
  readonly approvals: readonly string[];
}

export interface RunHead {
  readonly run: string;
  readonly name: string;
  readonly state: string;
  readonly deployed_by: string;
  readonly created_at: string;
  readonly ended_at?: string;
  readonly error?: string;
  readonly waits_for?: string;
  readonly parent?: string;
  readonly schedule?: string;
}

export interface Schedule {
  readonly schedule: string;
  readonly name: string;
  readonly cron: string;
  readonly deployed_by: string;
  readonly next_at?: string;
  readonly last_run?: string;
  readonly problem?: string;
}

export interface Bar {
  readonly item?: number;
  readonly phase: 'do' | 'undo';
  readonly state: string;
  readonly started_at: string;
  readonly ended_at?: string;
  readonly attempts: number;
  readonly error?: string;
  readonly note?: string;
}

export interface RunStep extends Outline {
  readonly bars: readonly Bar[];
  readonly more_bars?: number;
  readonly items?: Readonly<Record<string, number>>;
  readonly runs?: readonly { readonly run: string; readonly state: string; readonly item?: number }[];
}

export interface Can {
  readonly allowed: boolean;
  readonly why?: string;
}

export interface Timeline extends RunHead {
  readonly now: string;
  readonly kind: 'blueprint' | 'recipe';
  readonly origin: string;
  readonly trace: string;
  readonly progress: { readonly done: number; readonly total: number };
  readonly waits?: {
    readonly for: string;
    readonly step: string;
    readonly question?: string;
    readonly ask?: string;
    readonly arguments?: unknown;
    readonly reason?: string;
    readonly until?: string;
    readonly runs?: readonly string[];
  };
  readonly acts_as?: string;
  readonly acts_as_name?: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly on_failure: 'undo' | 'keep';
  readonly steps: readonly RunStep[];
  readonly can: {
    readonly approve?: Can;
    readonly resume?: Can & { readonly unknown: readonly string[] };
    readonly cancel?: Can & { readonly undo: boolean };
    readonly undo?: Can & { readonly steps: readonly string[]; readonly unsure: readonly string[] };
  };
}
