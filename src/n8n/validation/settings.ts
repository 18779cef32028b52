import { z } from 'zod';

/** What to do with errors in a change: `strict` refuses it, `warn` saves it and reports them, `off` does not check. */
export const checkModes = ['strict', 'warn', 'off'] as const;
export type CheckMode = (typeof checkModes)[number];

/** How strict the validator is when something is saved, and which rules apply. */
export const validationSection = z.strictObject({
  onSave: z.enum(checkModes).default('strict'),
  /** Severity by rule id or group. */
  rules: z.record(z.string(), z.enum(['off', 'error', 'warning', 'info'])).default({}),
});

export type ValidationSettings = z.output<typeof validationSection>;

export const usualSettings: ValidationSettings = { onSave: 'strict', rules: {} };
