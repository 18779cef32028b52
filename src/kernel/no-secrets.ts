import { AppError } from './errors.ts';

/** Throws if one of the fields contains a secret. */
export type RefuseSecrets = (fields: Readonly<Record<string, unknown>>) => void;

/**
 * Keeps secrets out of what is stored for long and shown to others. A secret is what `redact` would change: the error names
 * the field, and never the value. `keeper` is what stores it, such as `Memory`.
 */
export const refuseSecrets =
  (keeper: string, redact: (text: string) => string): RefuseSecrets =>
  (fields) => {
    for (const [field, value] of Object.entries(fields)) {
      if (value === undefined) continue;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (redact(text) === text) continue;
      throw new AppError(
        'invalid_input',
        `${field} contains a secret: a value that a tool revealed, or one of the configuration. ${keeper} keeps no secrets, and nothing was stored. Leave it out, or write where it is instead, such as its path in Vault.`,
      );
    }
  };
