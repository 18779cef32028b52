import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serverSchema } from '../../gateway/config/server-entry.ts';
import type { BackendSettings } from '../../gateway/settings.ts';
import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import type { CallParams } from '../../kernel/source.ts';
import { installedProgram } from './installed-program.ts';
import { isAllowed } from './origins.ts';
import type { Flags, Preset, Source } from './preset.ts';
import type { PresetSection, ReadPreset } from './section.ts';

/** The first start of a package downloads it. */
const START_MS = 90_000;

/** The section as a server of the gateway. */
export async function serverOf(name: string, { preset, section }: ReadPreset, home: string): Promise<BackendSettings> {
  const isReadOnly = section.mode === 'read-only';
  const source = chosen(preset, section);
  const flags = [preset.source, ...(isReadOnly ? [preset.readOnly ?? {}] : []), flagsOf(preset, section), section];
  const directory = join(home, 'modules', name);
  const isProgram = !('url' in source);
  const entry = {
    ...(await startOf(source, [
      ...flags.flatMap(({ args = [] }) => args),
      ...(await fileArgs(preset, section, directory)),
    ])),
    ...(isProgram && { env: Object.assign({}, ...flags.map(({ env = {} }) => env)), cwd: directory }),
    ...(!isProgram && { headers: Object.assign({}, ...flags.map(({ headers = {} }) => headers)) }),
    description: preset.description,
    isolation: preset.isolation ?? 'shared',
    timeout: START_MS,
    callTimeout: section.timeout,
    expose: section.expose,
    tools: { include: isReadOnly ? [...(preset.reads ?? [])] : [], exclude: [...(preset.never ?? [])] },
    confirm: [...(preset.confirm ?? [])],
    // Nobody pins a server elsewhere: what its tools say is accepted by the owner instead.
    onChange: isProgram ? 'allow' : 'hold',
  };
  // It writes files into its working directory: not among those of others.
  if (isProgram) await mkdir(directory, { recursive: true, mode: 0o700 });
  return { ...serverSchema.parse(entry), ...entering(name, preset, section) };
}

/** Which server it is: a package with its version, a program, or an address without the credentials that it may have. */
export function placeOf({ preset, section }: ReadPreset): string {
  const source = chosen(preset, section);
  if ('url' in source) return withoutCredentials(source.url);
  return 'command' in source ? source.command : `${'npm' in source ? source.npm : source.pypi}@${source.version}`;
}

function withoutCredentials(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

/** Values of the section that appear in no log. */
export function presetSecrets({ preset, section }: ReadPreset): string[] {
  const secret = Object.entries(preset.options ?? {}).filter(([, { isSecret }]) => isSecret);
  return secret.flatMap(([key]) => (typeof section[key] === 'string' ? [section[key]] : []));
}

/** The source with the version or the address that the section chooses. */
function chosen({ source }: Preset, { version, url }: PresetSection): Source {
  if ('version' in source) return { ...source, ...(typeof version === 'string' && { version }) };
  return 'url' in source ? { ...source, ...(typeof url === 'string' && { url }) } : source;
}

async function startOf(source: Source, args: readonly string[]): Promise<object> {
  if ('npm' in source) {
    const program = await installedProgram(source.npm, source.version);
    if (program !== undefined) return { command: process.execPath, args: [program, ...args] };
    return { command: 'npx', args: ['--yes', `${source.npm}@${source.version}`, ...args] };
  }
  if ('pypi' in source) return { command: 'uvx', args: [`${source.pypi}@${source.version}`, ...args] };
  return 'command' in source ? { command: source.command, args } : { url: source.url };
}

function flagsOf({ options = {} }: Preset, section: PresetSection): Required<Flags> {
  const args: string[] = [];
  const env: Record<string, string> = {};
  const headers: Record<string, string> = {};
  for (const [key, { flag, env: variable, header, before = '', between = ',' }] of Object.entries(options)) {
    const given = section[key] as string | readonly string[] | boolean | undefined;
    if (given === undefined || given === false) continue;
    const value = `${before}${typeof given === 'object' ? given.join(between) : given}`;
    if (flag !== undefined) args.push(flag, ...(given === true ? [] : [value]));
    if (variable !== undefined) env[variable] = value;
    if (header !== undefined) headers[header] = value;
  }
  return { args, env, headers };
}

async function fileArgs({ file }: Preset, section: PresetSection, directory: string): Promise<string[]> {
  const content = file?.content(section);
  if (!file || !content) return [];
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'config.json');
  await writeFile(path, JSON.stringify(content, null, 2), { mode: 0o600 });
  return [file.flag, path];
}

/** Refuses arguments that the preset withholds, and addresses that the allow-list lacks. */
function entering(
  name: string,
  { opens = [], withheld = [] }: Preset,
  { origins }: PresetSection,
): Pick<BackendSettings, 'enter' | 'withheld'> {
  if (opens.length === 0 && withheld.length === 0) return {};
  return {
    withheld,
    enter(tool, _, { arguments: given }: CallParams) {
      const refused = given && withheld.find((one) => own(given, one) !== undefined);
      if (refused !== undefined)
        throw new AppError(
          'forbidden',
          `${name} writes no files for its callers. Leave ${refused} out: then the answer has the result.`,
        );
      const argument = opens.find((one) => one.tool === tool)?.argument;
      const address = argument === undefined || !given ? undefined : own(given, argument);
      // The server's own answer does not say why.
      if (typeof address === 'string' && Array.isArray(origins) && !isAllowed(origins as string[], address))
        throw new AppError(
          'forbidden',
          `${address.slice(0, 200)} is out of reach: modules.${name}.origins in sluice.yaml allows ${origins.join(', ')}.`,
        );
      return { [Symbol.dispose]() {} };
    },
  };
}
