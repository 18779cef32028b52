/** What the workflow is to be good for. A lone manual trigger is fine to run, and not to publish. */
export const purposes = ['save', 'run', 'publish'] as const;
export type Purpose = (typeof purposes)[number];

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  /** The stable id of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** The node's name, where it is about one. */
  readonly node?: string;
  /** A JSON Pointer into the workflow: `/nodes/3/parameters/url`. */
  readonly path: string;
  /** What is wrong, and how to put it right. */
  readonly message: string;
  readonly fix?: Fix;
}

/** What a machine can do about it: JSON Patch operations on the workflow. */
export type Fix = SafeFix | LikelyFix;

interface SomeFix {
  readonly description: string;
  readonly patch: readonly PatchOperation[];
}

/** n8n does the same with the workflow before and after: test/validation/safe-fixes.ts shows it for every one. */
export interface SafeFix extends SomeFix {
  readonly safe: true;
}

/** Probably what was meant. n8n does something else then, so somebody has to ask for it. */
export interface LikelyFix extends SomeFix {
  readonly safe: false;
  /** What n8n does differently. */
  readonly changes: string;
}

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };
