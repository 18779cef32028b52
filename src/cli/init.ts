import { fileTrouble } from '../kernel/file-errors.ts';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import { type Candidate, mergeCandidates } from './candidates.ts';
import { exit, UsageError } from './frame.ts';
import { askForN8n, askYes, candidateList, chooseServers, type N8n } from './init-questions.ts';
import type { Terminal } from '../host/terminal.ts';

type Servers = Record<string, unknown>;

/** What init needs of the configuration; main.ts brings it. */
export interface InitDeps {
  cwd: string;
  /** The configurations of clients on this machine. */
  find(): Promise<{ client: string; path: string }[]>;
  read(path: string): Promise<Servers>;
  /** Turns secrets into references; `variables` are their values, for this `.env`. */
  moveSecrets(servers: Servers, dotenv: string): Promise<{ servers: Servers; variables: Record<string, string> }>;
  render(servers: Servers, n8n?: { url: string; apiKey: string }): string;
  addToDotenv(path: string, variables: Record<string, string>): Promise<void>;
  /** What is still wrong with the file that was written, as text. */
  check(file: string): Promise<string | undefined>;
}

export function initCommand(deps: InitDeps, terminal: Terminal): Command {
  return {
    name: 'init',
    summary: 'Writes sluice.yaml, with the servers that your other clients have',
    usage: 'sluice init [--yes] [--from FILE] [--force]',
    example: 'sluice init --from ~/.cursor/mcp.json',
    options: {
      yes: { type: 'boolean', short: 'y', describe: 'Ask nothing and import everything' },
      from: { type: 'string', describe: "Import from this file instead of looking for clients' configurations" },
      force: { type: 'boolean', describe: 'Overwrite a sluice.yaml that is there' },
    },
    async run({ values }) {
      const asks = values.yes !== true;
      if (asks && !terminal.interactive) {
        throw new UsageError('this is no terminal, so nothing can be asked. Add --yes to import everything');
      }
      const file = join(deps.cwd, 'sluice.yaml');
      const existing = await existingIn(deps.cwd);
      if (existing !== undefined && values.force !== true) {
        const consequence = existing === file ? 'overwrite it' : `write ${file}, which is read instead`;
        const question = `${existing} is already there. Do you want to ${consequence}? [y/N] `;
        if (!asks) throw new AppError('conflict', `${existing} is already there. Add --force to ${consequence}.`);
        if (!(await askYes(question, terminal))) throw new AppError('cancelled', 'Nothing was written.');
      }
      const candidates = await gather(deps, typeof values.from === 'string' ? values.from : undefined, terminal);
      terminal.say(candidateList(candidates));
      const chosen = asks && candidates.length > 0 ? await chooseServers(candidates, terminal) : candidates;
      const n8n = asks ? await askForN8n(terminal) : undefined;
      await write(deps, file, chosen, n8n, terminal);
      return exit.done;
    },
  };
}

async function gather(deps: InitDeps, from: string | undefined, terminal: Terminal): Promise<Candidate[]> {
  if (from !== undefined) return mergeCandidates([{ client: from, servers: await readNamed(deps, from) }]);
  const found: { client: string; servers: Servers }[] = [];
  for (const { client, path } of await deps.find()) {
    try {
      found.push({ client, servers: await deps.read(path) });
    } catch (error) {
      terminal.say(`Passed over: ${messageOf(error)}`);
    }
  }
  return mergeCandidates(found);
}

async function readNamed(deps: InitDeps, path: string): Promise<Servers> {
  try {
    return await deps.read(path);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('not_found', `${path} ${fileTrouble(error)}. Check the path.`, { cause: error });
  }
}

async function write(
  deps: InitDeps,
  file: string,
  chosen: readonly Candidate[],
  n8n: N8n | undefined,
  terminal: Terminal,
): Promise<void> {
  const dotenv = join(deps.cwd, '.env');
  const given = Object.fromEntries(chosen.map(({ name, entry }) => [name, entry]));
  const moved = await deps.moveSecrets(given, dotenv);
  const variables = { ...moved.variables, ...(n8n?.key !== undefined && { N8N_API_KEY: n8n.key }) };
  // Without a key yet, the gateway must start all the same.
  const apiKey = n8n?.key === undefined ? '${N8N_API_KEY:-}' : '${N8N_API_KEY}';
  const text = deps.render(moved.servers, n8n && { url: n8n.url, apiKey });
  const names = Object.keys(variables);
  if (names.length > 0) await deps.addToDotenv(dotenv, variables);
  await writeFile(file, text);

  terminal.say(`Wrote ${file} with ${chosen.length === 1 ? '1 server' : `${chosen.length} servers`}.`);
  if (names.length > 0) {
    terminal.say(`Wrote ${names.join(', ')} to ${dotenv}, which only you can read. Keep it out of version control.`);
  }
  if (n8n && n8n.key === undefined) terminal.say(`Put N8N_API_KEY=… into ${dotenv} when you have the key.`);
  const problems = await deps.check(file);
  if (problems !== undefined) terminal.say(`Before it can start:\n${problems}`);
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
