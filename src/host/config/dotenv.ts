import { chmod, readFile, writeFile } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { AppError } from '../../kernel/errors.ts';
import { ConfigError } from './problems.ts';

/** The variables of a `.env`; empty if there is no such file. */
export async function readDotenv(path: string): Promise<Record<string, string>> {
  return parseEnv(await readText(path)) as Record<string, string>;
}

/** Adds variables to a `.env` and makes it readable by its owner only. Existing lines stay. */
export async function addToDotenv(path: string, variables: Readonly<Record<string, string>>): Promise<void> {
  const text = await readText(path);
  const known = parseEnv(text);
  const lines = Object.entries(variables)
    .filter(([name, value]) => known[name] !== value)
    .map(([name, value]) => `${dotenvLine(name, value)}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  try {
    await writeFile(path, `${text}${gap}${lines.join('')}`, { mode: 0o600 });
    await chmod(path, 0o600);
  } catch (error) {
    throw new AppError('invalid_input', `Cannot write ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

/** A line that reads back as this value, with whatever quotes that takes. */
export function dotenvLine(name: string, value: string): string {
  for (const quote of ['', '"', "'", '`']) {
    const line = `${name}=${quote}${value}${quote}`;
    const back = parseEnv(`${line}\nAND_THEN=1`);
    if (back[name] === value && back.AND_THEN === '1') return line;
  }
  throw new AppError('invalid_input', `The value of ${name} contains every kind of quote, so a .env cannot hold it.`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Python projects often have a virtual environment in a directory named .env.
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return '';
    if (code === undefined) throw error;
    const problem = { path: '.env', message: `cannot be read (${code})`, fix: 'Make it readable for this user.' };
    throw new ConfigError([problem], path);
  }
}
