import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { exit, UsageError } from '../../../cli/frame.ts';
import { configOption, textIn } from '../../../cli/values.ts';
import type { Verb } from '../../../kernel/command.ts';
import { AppError } from '../../../kernel/errors.ts';
import { fileTrouble } from '../../../kernel/file-errors.ts';
import type { ServerPlace } from '../starting.ts';
import { type AskedVariable, askedVariables } from './asked-variables.ts';
import { localBundle, npmBundle } from './mcpb-manifest.ts';
import { type ZipEntry, zip } from './zip.ts';

/** `sluice export mcpb`: writes a bundle that Claude Desktop installs when it is opened. */
export function mcpbVerb(place: ServerPlace): Verb {
  const { terminal, cwd, version } = place;
  return {
    summary: 'Writes a bundle for Claude Desktop (.mcpb)',
    usage: '[--out FILE] [--npx | --config F]',
    example: 'sluice export mcpb --out ~/Desktop/sluice.mcpb',
    options: {
      out: { type: 'string', describe: 'The file to write (sluice.mcpb)' },
      npx: { type: 'boolean', describe: 'For other machines: npm installs Sluice there' },
      config: configOption,
    },
    async run({ values }) {
      const [out = 'sluice.mcpb', file] = [textIn(values, 'out'), textIn(values, 'config')];
      if (!out.endsWith('.mcpb')) throw new UsageError(`--out ends with .mcpb, not ${out}`);
      if (values.npx && file !== undefined) {
        throw new UsageError('use --npx or --config, not both: other machines do not have this file');
      }
      const { entries, asked } = values.npx
        ? { entries: npmBundle(version), asked: [] }
        : await ofThisMachine(place, file);
      const path = resolve(cwd, out);
      await writeBundle(path, entries);
      terminal.print(path);
      terminal.say(hint(place, asked, values.npx === true));
      return exit.done;
    },
  };
}

async function ofThisMachine({ load, self, home, version }: ServerPlace, wanted: string | undefined) {
  const loaded = await load(wanted);
  const asked = await askedVariables(loaded);
  const args = [...self.args, 'stdio', ...(loaded.file === undefined ? [] : ['--config', loaded.file])];
  const started = { command: self.command, args, env: { SLUICE_HOME: resolve(home) } };
  return { entries: localBundle(version, started, asked), asked };
}

async function writeBundle(path: string, entries: readonly ZipEntry[]): Promise<void> {
  const draft = `${path}.tmp`;
  try {
    await writeFile(draft, zip(entries));
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true }).catch(() => {});
    const subject = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? dirname(path) : path;
    throw new AppError('invalid_input', `${subject} ${fileTrouble(cause)}. Name another file with --out.`, { cause });
  }
}

function hint({ self }: ServerPlace, asked: readonly AskedVariable[], forOthers: boolean): string {
  const lines = ['Open it with Claude Desktop, or drag it into Settings > Extensions.'];
  if (forOthers) return [...lines, 'It holds no secret. Whoever installs it needs Node 24 and the network.'].join('\n');
  if (asked.length > 0) {
    const names = asked.map(({ name }) => name).join(', ');
    lines.push(
      `Claude Desktop asks for ${names}: the bundle holds no secret, and your shell's variables do not reach it.`,
    );
  }
  if (self.args.some((path) => /[\\/]_npx[\\/]/.test(path))) {
    lines.push(
      'This Sluice is in the cache of npx, which npm may empty. `npm install -g sluice` keeps it; then run this again.',
    );
  }
  return lines.join('\n');
}
