import { existsSync } from 'node:fs';
import { AppError, toAppError } from '../kernel/errors.ts';
import type { Command } from '../kernel/command.ts';
import type { Catalogue } from '../nodes/catalogue.ts';
import { chosenFile } from '../nodes/catalogues/choice.ts';
import { meaningVectors, packageCatalogue } from '../nodes/catalogues/places.ts';
import type { Sources } from '../nodes/sources/sources.ts';
import { exit, UsageError } from './frame.ts';
import { untilSignal } from './interrupt.ts';
import { nodeLines } from './node-lines.ts';
import { table } from './table.ts';
import type { Terminal } from '../host/terminal.ts';
import { checkedN8n, defaultInstance } from '../nodes/which-n8n.ts';

export interface NodesCommandDeps {
  readonly home: string;
  readonly cache: string;
  open(config: string | undefined): Promise<{ pinned: string; instances: readonly string[]; sources: Sources }>;
}

type Values = Record<string, string | boolean | undefined>;

const verbs = ['sync', 'search', 'show'] as const;
const details = ['essentials', 'full'] as const;
const FEW = 10;
const MOST = 100;

/** What is known of n8n's nodes: built, searched, shown. */
export function nodesCommand(deps: NodesCommandDeps, terminal: Terminal): Command {
  const { home, cache } = deps;

  async function target(values: Values) {
    const opened = await deps.open(text(values.config));
    const n8n = text(values.version);
    const instance = text(values.instance);
    if (n8n !== undefined && instance !== undefined) throw new UsageError('say --instance or --version, not both');
    if (n8n !== undefined) return { ...opened, of: { n8n: checkedN8n(n8n) } };
    return { ...opened, of: { ...named(opened.instances, instance) } };
  }

  /** Ends with Ctrl-C; says how far it is. */
  async function sync(
    { pinned, sources, of }: Awaited<ReturnType<typeof target>>,
    { json = false, meanings = false }: Values = {},
  ) {
    const stopping = new AbortController();
    void untilSignal().then(() => stopping.abort(new AppError('cancelled', 'Stopped; the last catalogue stays.')));
    const { signal } = stopping;
    let usable = false;
    const progress = (step: string, done: number, total: number) => {
      if (json) terminal.print(JSON.stringify({ step, done, of: total, ...(usable && { usable }) }));
      else terminal.progress(`Node catalogue: ${step} (${done} of ${total})`);
    };
    try {
      const { syncCatalogue } = await import('../nodes/catalogues/sync.ts');
      const synced = await syncCatalogue(of, { home, cache, pinned, sources, signal, progress });
      if (!meanings) return synced;
      usable = true;
      const { makeVectors } = await import('../nodes/search/meaning/make-vectors.ts');
      const made = await makeVectors(synced.file, meaningVectors(cache), { lock: sources.lock, signal, progress });
      if (!made) terminal.say('Meanings cannot be compared on this machine; nodes are found by words.');
      return synced;
    } catch (error) {
      // Whoever was waiting says only that it was ended.
      throw signal.aborted ? signal.reason : error;
    }
  }

  async function catalogue(values: Values): Promise<Catalogue> {
    const wanted = await target(values);
    const { of, pinned } = wanted;
    const known =
      'instance' in of && of.instance !== undefined
        ? chosenFile(home, cache, of.instance)
        : packageCatalogue(cache, ('n8n' in of ? of.n8n : undefined) ?? pinned);
    const { openCatalogue } = await import('../nodes/catalogues/open.ts');
    if (known !== undefined && existsSync(known)) return openCatalogue(known);
    const { file } = await sync(wanted);
    return openCatalogue(file);
  }

  async function bringUpToDate(values: Values): Promise<number> {
    try {
      const { file, origin, changed } = await sync(await target(values), values);
      const { openCatalogue } = await import('../nodes/catalogues/open.ts');
      const built = openCatalogue(file);
      const nodes = built.nodes().length;
      built.close();
      const { from, n8n, broken } = origin;
      if (values.json) terminal.print(JSON.stringify({ file, from, n8n, nodes, changed, broken }));
      else {
        const whose = from === 'instance' ? 'of the instance itself' : 'of its packages';
        terminal.print(`${nodes} nodes of n8n ${n8n}, ${whose}: ${changed ? 'built' : 'up to date'} (${file})`);
        for (const { name, reason } of broken) terminal.say(`Left out: ${name}, because ${reason}.`);
      }
      return exit.done;
    } catch (error) {
      const { code, message } = toAppError(error);
      if (values.json && !(error instanceof UsageError)) terminal.print(JSON.stringify({ error: { code, message } }));
      throw error;
    }
  }

  async function search(values: Values, words: readonly string[]): Promise<number> {
    const query = words.join(' ');
    const limit = values.limit === undefined ? FEW : Number(values.limit);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST) {
      throw new UsageError(`--limit is a number from 1 to ${MOST}, not ${values.limit}`);
    }
    if (query.trim() === '') throw new UsageError('say what to look for: sluice nodes search "send a message"');
    const { findNodes } = await import('./node-search.ts');
    const found = await findNodes(await catalogue(values), query, {
      vectors: meaningVectors(cache),
      progress: (done, of) =>
        terminal.progress(`Learning once what nodes are for, to compare meanings (${done} of ${of}); Ctrl-C stops it`),
    });
    found.splice(limit);
    if (values.json) terminal.print(JSON.stringify(found, null, 2));
    else if (found.length === 0) terminal.say('No node answers to that. Try other words, or one word only.');
    else
      terminal.print(
        table(
          found.map(({ name, title, type }) => [name, title, type]),
          terminal.width,
        ).join('\n'),
      );
    return exit.done;
  }

  async function show(values: Values, words: readonly string[]): Promise<number> {
    const [node, ...more] = words;
    if (node === undefined || more.length > 0) throw new UsageError('name one node: sluice nodes show slack');
    const detail = details.find((one) => one === (values.detail ?? 'essentials'));
    if (!detail) throw new UsageError(`--detail is essentials or full, not ${String(values.detail)}`);
    const { nodeDetails } = await import('../nodes/details/details.ts');
    const { nodes } = nodeDetails(await catalogue(values), {
      nodes: [{ node, resource: text(values.resource), operation: text(values.operation) }],
      detail,
      include_examples: true,
      include_schemas: true,
    });
    const [spec] = nodes;
    if (!spec || spec.error) throw new AppError('not_found', spec?.error ?? `There is no node ${node}.`);
    if (values.json) terminal.print(JSON.stringify(spec, null, 2));
    else terminal.print(nodeLines(spec).join('\n'));
    return exit.done;
  }

  return {
    name: 'nodes',
    summary: "Finds and explains n8n's nodes",
    usage:
      'sluice nodes sync [--instance N | --version V] | search QUERY [--limit N] | show NODE [--detail essentials|full] [--json]',
    example: 'sluice nodes search "send a message to a channel"',
    positionals: [1, 100],
    options: {
      instance: { type: 'string', describe: 'Of which n8n, as the configuration names it' },
      version: { type: 'string', describe: 'Of which version of n8n, whatever is connected' },
      limit: { type: 'string', describe: `search: how many (${FEW})` },
      detail: { type: 'string', describe: 'show: essentials, or full' },
      resource: { type: 'string', describe: 'show: the parameters for this resource' },
      operation: { type: 'string', describe: 'show: the parameters for this operation' },
      meanings: { type: 'boolean', describe: 'sync: also what search by meaning needs (20 s, once)' },
      config: { type: 'string', short: 'c', describe: 'The configuration file' },
      json: { type: 'boolean', describe: 'Print JSON; sync: a line for each step' },
    },
    async run({ values, positionals: [verb, ...words] }) {
      const known = verbs.find((one) => one === verb);
      if (!known) throw new UsageError(`say sync, search or show, not ${verb}`);
      if (known === 'search') return search(values, words);
      if (known === 'show') return show(values, words);
      if (words.length > 0) throw new UsageError(`sync takes no ${words[0]}: say --instance or --version`);
      return bringUpToDate(values);
    },
  };
}

const text = (value: string | boolean | undefined) => (typeof value === 'string' ? value : undefined);

/** As the tools choose: the one that is named, the one called default, the only one, or none. */
function named(instances: readonly string[], instance: string | undefined): { instance?: string } {
  const chosen = instance ?? defaultInstance(instances);
  if (chosen === undefined && instances.length > 1) {
    throw new UsageError(`say which n8n: --instance is one of ${instances.join(', ')}`);
  }
  return chosen === undefined ? {} : { instance: chosen };
}
