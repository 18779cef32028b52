import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readDocument } from '../../../host/config/document.ts';
import { readDotenv } from '../../../host/config/dotenv.ts';
import { interpolate } from '../../../host/config/interpolate.ts';
import type { Loaded } from '../../../host/config/loaded.ts';
import type { Env } from '../../../kernel/env.ts';

/** A variable that a client asks its user for, because it is only in the environment of a shell. */
export interface AskedVariable {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What is in the field; without one the user must fill it. */
  readonly preset?: string;
  readonly secret?: boolean;
}

/** Every program has these, or gets its own. */
const everywhere = new Set(['HOME', 'PATH', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TMPDIR', 'PWD', 'SLUICE_HOME']);

const n8nUrls = ['N8N_URL', 'N8N_HOST', 'N8N_INTERNAL_URL'];

/**
 * What this configuration takes from the shell, and would miss when a desktop program starts Sluice. A `.env` beside the
 * configuration is read there, too; one in the working directory alone is not.
 */
export async function askedVariables({ file, env }: Pick<Loaded, 'file' | 'env'>): Promise<AskedVariable[]> {
  const beside = file === undefined ? {} : await readDotenv(join(dirname(file), '.env'));
  const wanted = new Set([...n8nUrls, 'N8N_API_KEY', ...(file === undefined ? [] : await namesIn(file))]);
  return [...wanted]
    .filter((name) => env[name] && !Object.hasOwn(beside, name) && !everywhere.has(name))
    .map((name) => (n8nUrls.includes(name) ? address(name, env) : secret(name, file)));
}

async function namesIn(file: string): Promise<Set<string>> {
  const names = new Set<string>();
  const { value } = await readDocument(await readFile(file, 'utf8'), file.endsWith('.json') ? 'json' : 'yaml');
  interpolate(value, (name) => {
    names.add(name);
    return '';
  });
  return names;
}

function address(name: string, env: Env): AskedVariable {
  const given = env[name] as string;
  return {
    name,
    title: 'Address of your n8n',
    description: `The variable ${name} of the shell that made this bundle.`,
    // An address can hold a password or a token.
    ...(/[@?]/.test(given) ? { secret: true } : { preset: given }),
  };
}

const secret = (name: string, file: string | undefined): AskedVariable => ({
  name,
  title: name,
  description:
    file === undefined ? `The variable ${name} of the shell that made this bundle.` : `What ${file} calls \${${name}}.`,
  secret: true,
});
