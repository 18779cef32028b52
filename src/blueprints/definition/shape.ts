import type { Json } from '../../kernel/source.ts';

/** A blueprint as it is run: read, checked for its shape, with every default filled in. */
export interface Definition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schemas by name. An input without a default is required; `secret: true` seals and masks it. */
  readonly inputs: Readonly<Record<string, Json>>;
  /** Sources that must have tools, for example `n8n` or `postgres`. */
  readonly needs: readonly string[];
  /** Sources that it uses if they have tools. */
  readonly wants: readonly string[];
  readonly steps: readonly Step[];
  /** Templates, filled in when the run has succeeded. */
  readonly outputs: Json;
  readonly onFailure: 'undo' | 'keep';
  /** A cron expression. */
  readonly schedule?: string;
}

export interface Step {
  readonly id: string;
  readonly work: Work;
  /** A template that must give true; otherwise the step is skipped. */
  readonly when?: string;
  /** A template that gives a list, or a list of templates. The work is done once for each item. */
  readonly forEach?: string | readonly unknown[];
  /** The name of the item in expressions. */
  readonly as: string;
  /** How many items are worked on at once. */
  readonly parallel: number;
  readonly retry?: { readonly times: number; readonly backoffMs: number };
  readonly timeoutMs?: number;
  readonly undo?: Action;
  /** Whether a call whose end is unknown is repeated with its key. Absent: what the tool says. */
  readonly idempotent?: boolean;
  /** A person has to approve it first. */
  readonly confirm?: 'human';
}

/** Work that reaches outside. All texts in it are templates. */
export type Action =
  | { readonly kind: 'tool'; readonly tool: string; readonly arguments: Json }
  | { readonly kind: 'workflow'; readonly workflow: string; readonly instance?: string; readonly input: Json }
  | {
      readonly kind: 'webhook';
      /** A URL, or a path below /webhook/ of an n8n. */
      readonly webhook: string;
      readonly instance?: string;
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
      readonly headers: Readonly<Record<string, string>>;
      readonly body?: unknown;
    };

export type Work =
  | Action
  | { readonly kind: 'approval'; readonly question: string }
  | { readonly kind: 'wait'; readonly ms: number }
  /** `where` is a template over `event` that must give true. */
  | { readonly kind: 'event'; readonly event: string; readonly where?: string }
  | { readonly kind: 'blueprint'; readonly blueprint: string; readonly inputs: Json };

export const MOST_STEPS = 100;
export const MOST_INPUTS = 200;
export const MOST_ITEMS = 300;
/** How many blueprints may call one another, the outermost included. */
export const MOST_DEPTH = 8;

/** A blueprint that another one calls. */
export interface Nested {
  readonly definition: Definition;
  readonly origin: Origin;
}

/** Where a definition comes from. Only those of the operator's own files may call addresses inside the network. */
export type Origin = 'file' | 'store' | 'vault' | 'shipped';
