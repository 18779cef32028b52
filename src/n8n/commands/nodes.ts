import { exit, UsageError } from '../../cli/frame.ts';
import { untilCancelled } from '../../cli/interrupt.ts';
import { table } from '../../cli/table.ts';
import { choiceIn, configOption, given, jsonOption, numberIn, textIn } from '../../cli/values.ts';
import type { Values, Verbs } from '../../kernel/command.ts';
import { AppError, toAppError } from '../../kernel/errors.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { meaningVectors } from '../../nodes/catalogues/places.ts';
import { checkedN8n, defaultInstance } from '../../nodes/which-n8n.ts';
import { type N8nPlace, openSources } from './catalogue-sources.ts';
import { nodeLines } from './node-lines.ts';
import { STOPPED, wantedCatalogue } from './wanted-catalogue.ts';

const details = ['essentials', 'full'] as const;
const FEW = 10;
const MOST = 100;

const shared = {
  instance: { type: 'string', describe: 'The nodes of this n8n, by its name in the configuration' },
  version: { type: 'string', describe: 'The nodes of this version of n8n, whatever is connected' },
  config: configOption,
} as const;

/** What is known of n8n's nodes: built, searched, shown. */
export function nodesCommand(place: N8nPlace): Verbs {
  const { cache, terminal } = place;

  async function target(values: Values) {
    const opened = await openSources(place, textIn(values, 'config'));
    const n8n = textIn(values, 'version');
    const instance = textIn(values, 'instance');
    if (n8n !== undefined && instance !== undefined) throw new UsageError('use --instance or --version, not both');
    const of = n8n === undefined ? named(opened.instances, instance) : { n8n: checkedN8n(n8n) };
    return { opened, of };
  }

  async function catalogue(values: Values): Promise<Catalogue> {
    const { opened, of } = await target(values);
    return wantedCatalogue(opened, of, terminal);
  }

  async function sync(values: Values) {
    const { json = false, meanings = false } = values;
    const { opened, of } = await target(values);
    const signal = untilCancelled(STOPPED);
    let usable = false;
    const progress = (step: string, done: number, total: number) => {
      if (json) terminal.print(JSON.stringify({ step, done, of: total, ...(usable && { usable }) }));
      else terminal.progress(`Node catalogue: ${step} (${done} of ${total})`);
    };
    try {
      const { syncCatalogue } = await import('../../nodes/catalogues/sync.ts');
      const synced = await syncCatalogue(of, { ...opened, signal, progress });
      if (!meanings) return synced;
      usable = true;
      const { makeVectors } = await import('../../nodes/search/meaning/make-vectors.ts');
      const { lock } = opened.sources;
      const made = await makeVectors(synced.file, meaningVectors(cache), { lock, signal, progress });
      if (!made) terminal.say('Search by meaning does not work on this machine; nodes are found by words.');
      return synced;
    } catch (error) {
      // The abort reason says more than the error of whatever was interrupted.
      throw signal.aborted ? signal.reason : error;
    }
  }

  return {
    example: 'sluice nodes search "send a message to a channel"',
    verbs: {
      sync: {
        summary: 'Builds the node catalogue, or brings it up to date',
        usage: '[--instance N | --version V] [--meanings]',
        example: 'sluice nodes sync',
        options: {
          ...shared,
          meanings: { type: 'boolean', describe: 'Also what search by meaning needs (20 s, once)' },
          json: { type: 'boolean', describe: 'Print a line of JSON for each step' },
        },
        async run({ values }) {
          try {
            const { file, origin, changed } = await sync(values);
            const { openCatalogue } = await import('../../nodes/catalogues/open.ts');
            const built = openCatalogue(file);
            const nodes = built.nodes().length;
            built.close();
            const { from, n8n, broken } = origin;
            if (values.json) terminal.print(JSON.stringify({ file, from, n8n, nodes, changed, broken }));
            else {
              const whose = from === 'instance' ? 'from the instance itself' : 'from its packages';
              terminal.print(`${nodes} nodes of n8n ${n8n}, ${whose}: ${changed ? 'built' : 'up to date'} (${file})`);
              for (const { name, reason } of broken) terminal.say(`Left out: ${name}, because ${reason}.`);
            }
            return exit.done;
          } catch (error) {
            const { code, message } = toAppError(error);
            if (values.json && !(error instanceof UsageError))
              terminal.print(JSON.stringify({ error: { code, message } }));
            throw error;
          }
        },
      },
      search: {
        summary: 'Finds nodes for what you want to do',
        usage: 'QUERY [--limit N]',
        example: 'sluice nodes search "send a message to a channel"',
        positionals: [1, MOST],
        options: { limit: { type: 'string', describe: `How many (${FEW})` }, ...shared, json: jsonOption },
        async run({ values, positionals }) {
          const query = positionals.join(' ');
          const limit = numberIn(values, 'limit', [1, MOST]) ?? FEW;
          if (query.trim() === '') throw new UsageError('say what to look for: sluice nodes search "send a message"');
          const { findNodes } = await import('./node-search.ts');
          const found = await findNodes(await catalogue(values), query, {
            vectors: meaningVectors(cache),
            progress: (done, of) =>
              terminal.progress(`Preparing search by meaning, once (${done} of ${of}); Ctrl-C stops it`),
          });
          found.splice(limit);
          const rows = found.map(({ name, title, type }) => [name, title, type]);
          if (values.json) terminal.print(JSON.stringify(found, null, 2));
          else if (found.length === 0) terminal.say('No node matches. Try other words, or only one word.');
          else terminal.print(table(rows, terminal.width).join('\n'));
          return exit.done;
        },
      },
      show: {
        summary: 'Shows how a node is configured',
        usage: 'NODE [--detail essentials|full] [--resource R] [--operation O]',
        example: 'sluice nodes show slack --resource message --operation post',
        positionals: [1, 1],
        options: {
          detail: { type: 'string', describe: 'essentials, or full' },
          resource: { type: 'string', describe: 'The parameters for this resource' },
          operation: { type: 'string', describe: 'The parameters for this operation' },
          ...shared,
          json: jsonOption,
        },
        async run({ values, positionals: [node = ''] }) {
          const detail = choiceIn(values, 'detail', details) ?? 'essentials';
          const { nodeDetails } = await import('../../nodes/details/details.ts');
          const [resource, operation] = [textIn(values, 'resource'), textIn(values, 'operation')];
          const { nodes } = nodeDetails(await catalogue(values), {
            nodes: [{ node, resource, operation }],
            detail,
            include_examples: true,
            include_schemas: true,
          });
          const [spec] = nodes;
          if (!spec || spec.error) throw new AppError('not_found', spec?.error ?? `There is no node ${node}.`);
          if (values.json) terminal.print(JSON.stringify(spec, null, 2));
          else terminal.print(nodeLines(spec).join('\n'));
          return exit.done;
        },
      },
    },
  };
}

/** As the tools choose: the named instance, else the one called default, else the only one, else none. */
function named(instances: readonly string[], instance: string | undefined): { instance?: string } {
  const chosen = instance ?? defaultInstance(instances);
  if (chosen === undefined && instances.length > 1) {
    throw new UsageError(`say which n8n: --instance is one of ${instances.join(', ')}`);
  }
  return given('instance', chosen);
}
