import { z } from 'zod';

/** How strict the validator is: what its findings do to a change, and which of its rules count. */
export const validationSection = z.strictObject({
  onSave: z.enum(['strict', 'warn', 'off']).default('strict'),
  /** By id of a rule, or by group. */
  rules: z.record(z.string(), z.enum(['off', 'error', 'warning', 'info'])).default({}),
});
