import { AppError } from './errors.ts';

/** Throws if one of the fields contains a secret. */
export type RefuseSecrets = (fields: Readonly<Record<string, unknown>>) => void;

/**
 * Keeps secrets out of what is stored for long and shown to others. The error names the field, and never the value.
 * `keeper` is what stores it, such as `Memory`; `holds` says whether a text contains a value that a tool has revealed.
 */
export const refuseSecrets =
  (keeper: string, holds: (text: string) => boolean): RefuseSecrets =>
  (fields) => {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined || !holds(typeof value === 'string' ? value : JSON.stringify(value))) continue;
      throw new AppError(
        'invalid_input',
        `${field} contains a secret that a tool revealed. ${keeper} keeps no secrets, and nothing was stored. Leave it out, or write where it is instead, such as its path in Vault.`,
      );
    }
  };
