import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { AppError } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { known } from '../known.ts';
import { skeleton } from '../skeleton.ts';
import type { ModulesPlace } from './place.ts';

/** Writes modules/NAME.ts beside the file, and says what to add to it. */
export async function newModule(
  { cwd, terminal, load }: ModulesPlace,
  name: string,
  wanted: string | undefined,
): Promise<number> {
  if (!/^[a-z][a-z0-9]{1,19}$/.test(name))
    throw new UsageError(`"${name}" cannot be the name of a module: use 2 to 20 lower-case letters and digits`);
  if (known.has(name)) throw new UsageError(`"${name}" is built in. Choose another name`);
  const { file } = await load(wanted);
  const path = join(file === undefined ? cwd : dirname(file), 'modules', `${name}.ts`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, skeleton(name), { flag: 'wx' });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST')
      throw new AppError('conflict', `${path} exists already, and was left as it is.`, { cause: error });
    throw new AppError('invalid_input', `${path} ${fileTrouble(error)}.`, { cause: error });
  }
  terminal.print(relative(cwd, path));
  terminal.say(
    [
      `Add it to ${file === undefined ? 'sluice.yaml' : relative(cwd, file)}:`,
      '',
      '  modules:',
      `    ${name}: { url: "http://127.0.0.1:8080" }`,
      '',
      `Then \`sluice modules\` shows whether it answers, and \`sluice call ${name}_call '{"tool": "get_item", "params": {"id": "1"}}'\` calls its first tool.`,
    ].join('\n'),
  );
  return exit.done;
}
