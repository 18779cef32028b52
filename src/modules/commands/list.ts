import { dirname, resolve } from 'node:path';
import { exit } from '../../cli/frame.ts';
import { firstLine, table } from '../../cli/table.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { createRedactor } from '../../kernel/redact.ts';
import type { TextModel } from '../../embedder/text-model.ts';
import type { Budget } from '../budget.ts';
import { findModule } from '../find-module.ts';
import { createInstance } from '../instance.ts';
import { known } from '../known.ts';
import { ownOf } from '../own.ts';
import { parsed } from '../parsed.ts';
import { presets } from '../presets/built-in.ts';
import type { Preset } from '../presets/preset.ts';
import { readSection } from '../presets/section.ts';
import { placeOf } from '../presets/server.ts';
import type { Section } from '../settings.ts';
import { variablesOf } from '../variables.ts';
import type { ModulesPlace } from './place.ts';

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly state: 'ready' | 'configured' | 'failing' | 'not configured';
  readonly mode?: string;
  readonly where?: string;
  /** What the service says of itself, what is wrong with it, or what it needs. */
  readonly detail: string;
}

const PATIENCE_MS = 15_000;

/** Asks every service of the file, from here: no gateway has to run. */
export async function listModules(
  { home, cwd, terminal, load }: ModulesPlace,
  asked: { file: string | undefined; json: boolean },
): Promise<number> {
  const { config, file, secrets } = await load(asked.file);
  const from = (path: string) => resolve(file === undefined ? cwd : dirname(file), path);
  const redact = createRedactor(() => secrets);
  const sections = Object.entries(config.modules);
  if (sections.length > 0) terminal.progress(`Asking ${sections.map(([name]) => name).join(', ')} …`);
  const configured = await Promise.all(sections.map(([name, section]) => look(name, section, { home, from, redact })));
  const types = new Set(configured.map(({ type }) => type));
  const others = [...known.keys(), ...presets.keys()].filter((type) => !types.has(type)).map(absent);
  const all = [...configured, ...others];
  if (asked.json) terminal.print(JSON.stringify(all, null, 2));
  else for (const line of lines(all, terminal.width)) terminal.print(line);
  return configured.some(({ state }) => state === 'failing') ? exit.unreachable : exit.done;
}

interface Around {
  readonly home: string;
  from(path: string): string;
  redact(text: string): string;
}

async function look(name: string, section: Section, { home, from, redact }: Around): Promise<Listed> {
  const found = await findModule(name, section, from);
  if ('preset' in found) return lookAtServer(name, found.preset, section);
  const result = 'module' in found ? parsed(name, found.module, section) : found;
  // The file was checked with the same code.
  if (!('module' in found) || !('settings' in result)) throw new AppError('internal', `modules.${name} is not valid.`);
  await using instance = await createInstance({
    name,
    module: found.module,
    settings: result.settings,
    own: ownOf({ home }),
    model: noModel,
    budget: noBudget,
    revealed() {},
    redact,
  });
  const { where, type } = instance;
  const about = { name, type, mode: result.settings.mode };
  try {
    return { ...about, where, state: 'ready', detail: await instance.check(AbortSignal.timeout(PATIENCE_MS)) };
  } catch (error) {
    return { ...about, where, state: 'failing', detail: redact(messageOf(error)) };
  }
}

/** The gateway runs it: only a gateway can say how it is. */
function lookAtServer(name: string, preset: Preset | undefined, section: Section): Listed {
  const read = readSection(name, preset, section);
  if ('findings' in read) throw new AppError('internal', `modules.${name} is not valid.`);
  const { mode, type = name } = read.section;
  const where = placeOf(read);
  return { name, type, mode, where, state: 'configured', detail: `${where}; \`sluice status\` shows how it is` };
}

/** A check costs nothing. */
const noBudget = (): Budget => ({ reserve: noSpending, state: noSpending });
const noSpending = (): Promise<never> => Promise.reject(new AppError('internal', 'A check spends nothing.'));

/** A check compares no meanings. */
const noModel = (): TextModel => {
  throw new AppError('unsupported', 'A check has no model.');
};

function absent(type: string): Listed {
  const variables = Object.values(variablesOf(type)).join(', ');
  const needs = variables === '' ? '' : `; reads ${variables}`;
  return { name: type, type, state: 'not configured', detail: `modules: { ${type}: {} } switches it on${needs}` };
}

function lines(all: readonly Listed[], width: number | undefined): string[] {
  const rows = all.map(({ name, mode = '-', state, detail }) => [name, state, mode, firstLine(detail)]);
  return table([['MODULE', 'STATE', 'MODE', 'DETAIL'], ...rows], width);
}
