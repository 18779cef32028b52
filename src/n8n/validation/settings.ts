import type { RuleSwitches } from '../../validation/validate.ts';

/** What errors do to a change: `strict` stops it, `warn` lets it pass and tells them, `off` does not look. */
export const checkModes = ['strict', 'warn', 'off'] as const;
export type CheckMode = (typeof checkModes)[number];

/** How the validator is set up here. */
export interface ValidationSettings {
  readonly onSave: CheckMode;
  /** By id of a rule, or by group. */
  readonly rules: RuleSwitches;
}

export const usualSettings: ValidationSettings = { onSave: 'strict', rules: {} };
