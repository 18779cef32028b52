/** What you are about to do with the workflow. With only a manual trigger you can run it, but not publish it. */
export const purposes = ['save', 'run', 'publish'] as const;
export type Purpose = (typeof purposes)[number];

export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export interface Finding {
  /** The stable id of the rule. */
  readonly rule: string;
  readonly severity: Severity;
  /** The name of the node, if the finding is about one. */
  readonly node?: string;
  /** A JSON Pointer into the workflow: `/nodes/3/parameters/url`. */
  readonly path: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
  readonly fix?: Fix;
}

/** An automatic fix: JSON Patch operations on the workflow. */
export type Fix = SafeFix | LikelyFix;

interface SomeFix {
  readonly description: string;
  readonly patch: readonly PatchOperation[];
}

/** n8n behaves the same before and after the fix. test/validation/safe-fixes.ts proves it for every safe fix. */
export interface SafeFix extends SomeFix {
  readonly safe: true;
}

/** Probably what was meant. It changes what n8n does, so it is applied only on request. */
export interface LikelyFix extends SomeFix {
  readonly safe: false;
  /** What n8n does differently. */
  readonly changes: string;
}

export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };
