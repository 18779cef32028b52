import { z } from 'zod';

/** What errors do to a change: `strict` stops it, `warn` lets it pass and tells them, `off` does not look. */
export const checkModes = ['strict', 'warn', 'off'] as const;
export type CheckMode = (typeof checkModes)[number];

/** How strict the validator is: what its findings do to a change, and which of its rules count. */
export const validationSection = z.strictObject({
  onSave: z.enum(checkModes).default('strict'),
  /** By id of a rule, or by group. */
  rules: z.record(z.string(), z.enum(['off', 'error', 'warning', 'info'])).default({}),
});

export type ValidationSettings = z.output<typeof validationSection>;

export const usualSettings: ValidationSettings = { onSave: 'strict', rules: {} };
