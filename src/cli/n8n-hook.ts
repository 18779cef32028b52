import { resolve } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import { exit, UsageError } from './frame.ts';
import type { Terminal } from '../host/terminal.ts';

export interface HookMade {
  /** Where it posts. */
  readonly url: string;
  readonly text: string;
  /** Where it is written unless told. */
  readonly place: string;
  /** For nobody but its owner to read: the secret is in it. */
  write(file: string, text: string): Promise<void>;
}

export interface HookWish {
  readonly instance: string;
  /** The gateway as n8n reaches it. */
  readonly url?: string;
  readonly file?: string;
}

/** `sluice n8n hook`: the file that lets an n8n tell us of changes, and what to do with it. */
export async function writeHook(
  make: (wish: HookWish) => Promise<HookMade>,
  values: Record<string, string | boolean | undefined>,
  instance: string,
  terminal: Terminal,
): Promise<number> {
  const { url, out, config } = values;
  if (typeof url === 'string' && !/^https?:\/\//.test(url)) {
    throw new UsageError(
      `--url is the address of the gateway as n8n reaches it, such as http://sluice:3500, not ${url}`,
    );
  }
  const made = await make({
    instance,
    ...(typeof url === 'string' && { url }),
    ...(typeof config === 'string' && { file: config }),
  });
  if (out === '-') {
    terminal.print(made.text.trimEnd());
    return exit.done;
  }
  const file = resolve(typeof out === 'string' ? out : made.place);
  try {
    await made.write(file, made.text);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new AppError('invalid_input', `${file} cannot be written (${code}). Name another with --out.`, { cause });
  }
  terminal.print(file);
  terminal.say(
    [
      `n8n will post to ${made.url}; another address: --url.`,
      'Put the file where n8n can read it (it holds a secret: only n8n should), and start n8n with',
      `  EXTERNAL_HOOK_FILES=${file}`,
      'In a container, mount it and name its path there. Several files are separated by a colon.',
      'To keep the secret out of the file, set SLUICE_HOOK_URL and SLUICE_HOOK_SECRET for n8n instead.',
      'An n8n that `sluice n8n up` or `sluice serve --with-n8n` starts has it already.',
    ].join('\n'),
  );
  return exit.done;
}
