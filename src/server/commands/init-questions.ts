import { type Candidate, describeEntry } from './candidates.ts';
import { readSelection } from './selection.ts';
import { table } from '../../cli/table.ts';
import type { Terminal } from '../../host/terminal.ts';

export interface N8n {
  url: string;
  /** Undefined when it will be added later. */
  key?: string;
}

const DEFAULT_N8N = 'http://127.0.0.1:5678';

export async function chooseServers(
  candidates: readonly Candidate[],
  terminal: Terminal,
): Promise<readonly Candidate[]> {
  for (;;) {
    const line = (await terminal.ask('Import which? Numbers such as 1,3-5, all or none [all] ')) ?? 'none';
    const picked = readSelection(
      line,
      candidates.map(({ name }) => name),
    );
    if (picked instanceof Set) return candidates.filter((_, index) => picked.has(index));
    terminal.say(picked.problem);
  }
}

/** The servers that were found, numbered, with the clients that have them. */
export function candidateList(candidates: readonly Candidate[]): string {
  if (candidates.length === 0) return 'Found no servers of other clients.';
  const rows = candidates.map(({ name, entry, clients }, index) => [
    `  ${index + 1}`,
    name,
    describeEntry(entry),
    clients.join(', '),
  ]);
  return ['Servers of your other clients:', ...table(rows)].join('\n');
}

export async function askForN8n(terminal: Terminal): Promise<N8n | undefined> {
  if (!(await askYes('Connect n8n? [y/N] ', terminal))) return undefined;
  for (;;) {
    const url = (await terminal.ask(`  Its address [${DEFAULT_N8N}] `)) || DEFAULT_N8N;
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      terminal.say(`  Write an address such as ${DEFAULT_N8N}.`);
      continue;
    }
    const question = '  Its API key (n8n: Settings, n8n API), or nothing to add it later: ';
    const key = await terminal.ask(question, { hidden: true });
    return { url, ...(key && { key }) };
  }
}

export async function askYes(question: string, terminal: Terminal): Promise<boolean> {
  const answer = await terminal.ask(question);
  return answer !== undefined && /^y(es)?$/i.test(answer);
}
