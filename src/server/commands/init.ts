import { stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { exit, UsageError } from '../../cli/frame.ts';
import { textIn } from '../../cli/values.ts';
import { findClientConfigs, importServers, renderConfig } from '../../gateway/import/clients.ts';
import { moveSecrets } from '../../gateway/import/move-secrets.ts';
import { addToDotenv, readDotenv } from '../../host/config/dotenv.ts';
import { ConfigError, formatProblems } from '../../host/config/load.ts';
import type { Place } from '../../host/place.ts';
import type { Action } from '../../kernel/command.ts';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { type Candidate, mergeCandidates } from './candidates.ts';
import { askForN8n, askYes, candidateList, chooseServers, type N8n } from './init-questions.ts';

type Servers = Record<string, unknown>;

export function initCommand(
  place: Place,
  find: () => Promise<{ client: string; path: string }[]> = () =>
    findClientConfigs({ home: homedir(), platform: process.platform, cwd: place.cwd }),
): Action {
  const { cwd, terminal } = place;
  return {
    usage: '[--yes] [--from FILE] [--force]',
    example: 'sluice init --from ~/.cursor/mcp.json',
    options: {
      yes: { type: 'boolean', short: 'y', describe: 'Ask nothing and import everything' },
      from: { type: 'string', describe: "Import from this file instead of looking for clients' configurations" },
      force: { type: 'boolean', describe: 'Overwrite an existing sluice.yaml' },
    },
    async run({ values }) {
      const asks = values.yes !== true;
      if (asks && !terminal.interactive) {
        throw new UsageError('this is not a terminal, so nobody can answer questions. Add --yes to import everything');
      }
      const file = join(cwd, 'sluice.yaml');
      const existing = await existingIn(cwd);
      if (existing !== undefined && values.force !== true) {
        const consequence = existing === file ? 'overwrite it' : `write ${file}, which is read instead`;
        const question = `${existing} already exists. Do you want to ${consequence}? [y/N] `;
        if (!asks) throw new AppError('conflict', `${existing} already exists. Add --force to ${consequence}.`);
        if (!(await askYes(question, terminal))) throw new AppError('cancelled', 'Nothing was written.');
      }
      const candidates = await gather(find, textIn(values, 'from'), place);
      terminal.say(candidateList(candidates));
      const chosen = asks && candidates.length > 0 ? await chooseServers(candidates, terminal) : candidates;
      const n8n = asks ? await askForN8n(terminal) : undefined;
      await write(place, file, chosen, n8n);
      return exit.done;
    },
  };
}

async function gather(
  find: () => Promise<{ client: string; path: string }[]>,
  from: string | undefined,
  { cwd, terminal }: Place,
): Promise<Candidate[]> {
  if (from !== undefined) return mergeCandidates([{ client: from, servers: await readNamed(from, cwd) }]);
  const found: { client: string; servers: Servers }[] = [];
  for (const { client, path } of await find()) {
    try {
      found.push({ client, servers: await importServers(path, cwd) });
    } catch (error) {
      terminal.say(`Skipped: ${messageOf(error)}`);
    }
  }
  return mergeCandidates(found);
}

async function readNamed(path: string, cwd: string): Promise<Servers> {
  try {
    return await importServers(path, cwd);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `${path} ${fileTrouble(error)}. Check the path.`, { cause: error });
  }
}

async function write(
  { cwd, env, terminal, ownNames, load }: Place,
  file: string,
  chosen: readonly Candidate[],
  n8n: N8n | undefined,
): Promise<void> {
  const dotenv = join(cwd, '.env');
  const given = Object.fromEntries(chosen.map(({ name, entry }) => [name, entry]));
  const moved = moveSecrets(given, { ...(await readDotenv(dotenv)), ...env });
  const variables = { ...moved.variables, ...(n8n?.key !== undefined && { N8N_API_KEY: n8n.key }) };
  // Without a key yet, the gateway must still start.
  const apiKey = n8n?.key === undefined ? '${N8N_API_KEY:-}' : '${N8N_API_KEY}';
  const text = renderConfig(moved.servers, { taken: ownNames(), n8n: n8n && { url: n8n.url, apiKey } });
  const names = Object.keys(variables);
  if (names.length > 0) await addToDotenv(dotenv, variables);
  await writeFile(file, text);

  terminal.say(`Wrote ${file} with ${chosen.length === 1 ? '1 server' : `${chosen.length} servers`}.`);
  if (names.length > 0) {
    terminal.say(`Wrote ${names.join(', ')} to ${dotenv}, which only you can read. Keep it out of version control.`);
  }
  if (n8n && n8n.key === undefined) terminal.say(`Put N8N_API_KEY=… into ${dotenv} when you have the key.`);
  try {
    await load(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    terminal.say(`Fix this before you start it:\n${formatProblems(error)}`);
  }
  terminal.say('Next: `sluice serve` (`sluice doctor` checks every connection first).');
}

const fileNames = ['sluice.yaml', 'sluice.yml', 'sluice.json'];

async function existingIn(directory: string): Promise<string | undefined> {
  for (const name of fileNames) {
    const path = join(directory, name);
    if (await stat(path).catch(() => undefined)) return path;
  }
  return undefined;
}
