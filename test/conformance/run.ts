/**
 * `npm run conformance`: the official suite against the reference server, through the gateway, across the eras,
 * and its client scenarios against the gateway's side towards servers.
 *
 *   node test/conformance/run.ts [--only direct|gateway|cross|client] [--set 2025-11-25|2026-07-28] [--verbose]
 *     [--reference FILE]   a second reference server of both eras, by its source: docs/protocol.md#conformance
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { exceptions, notRun } from './exceptions.ts';
import { judgeAgainst, judgeAlone, judgeClient } from './judge.ts';
import { type RequirementSet, requirementSets, requirementsOf } from './requirements.ts';
import {
  type BackendEras,
  decoys,
  type Service,
  startForeignReference,
  startGateway,
  startReference,
} from './service.ts';
import { failedServerLeg, type Results, runClientScenario, runServerLeg } from './suite.ts';
import { type Column, remarks, table } from './table.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    set: { type: 'string' },
    reference: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});
const legs = chosen('only', ['direct', 'gateway', 'cross', 'client'], values.only);
const sets = chosen('set', requirementSets, values.set);

/** The kind of backend that a leg puts behind the gateway, by its clients' era: together all four pairs. */
const backends: Record<'gateway' | 'cross', Record<RequirementSet, readonly BackendEras[]>> = {
  gateway: { '2025-11-25': ['both', 'legacy'], '2026-07-28': ['both'] },
  cross: { '2025-11-25': ['modern'], '2026-07-28': ['legacy'] },
};

function chosen<T extends string>(option: string, among: readonly T[], given: string | undefined): readonly T[] {
  const known = given === undefined ? among : among.filter((name) => name === given);
  if (known.length > 0) return known;
  console.error(`There is no --${option} ${given}: it is one of ${among.join(', ')}.`);
  return process.exit(2);
}

async function timed(what: string, work: () => Promise<Results>): Promise<Results> {
  const started = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return result;
}

async function direct(set: RequirementSet, start: () => Promise<Service>): Promise<Results> {
  await using reference = await start();
  return await runServerLeg(reference.url, set);
}

async function throughGateway(set: RequirementSet, title: string, start: () => Promise<Service>): Promise<Results> {
  await using reference = await start();
  await using gateway = await startGateway({ reference: { url: reference.url, prefix: '' }, ...decoys });
  const results = await runServerLeg(gateway.url, set);
  if (values.verbose) console.log(`The gateway of ${title} said:\n${gateway.output()}`);
  return results;
}

async function clientLeg(set: RequirementSet): Promise<Results> {
  const command = [process.execPath, fileURLToPath(new URL('client.ts', import.meta.url))];
  const { scored, unscored } = requirementsOf(set, 'client');
  const results: Results = new Map();
  for (const scenario of [...scored, ...unscored].filter((name) => !notRun.applies(name))) {
    results.set(scenario, await runClientScenario(command, scenario, set));
  }
  return results;
}

async function serverColumns(set: RequirementSet): Promise<Column[]> {
  const gatewayLegs = (['gateway', 'cross'] as const).filter((leg) => legs.includes(leg));
  if (gatewayLegs.length === 0 && !legs.includes('direct')) return [];
  // Every other leg is compared with the reference server without a gateway.
  const expected = await measure(set, 'direct', () => direct(set, () => startReference('both')));
  const columns: Column[] = [{ title: 'direct', verdicts: judgeAlone(expected) }];
  for (const leg of gatewayLegs) {
    for (const backend of backends[leg][set]) {
      const title = `${leg}, ${backend} backend`;
      const results = await measure(set, title, () => throughGateway(set, title, () => startReference(backend)));
      const listed = exceptions.filter((exception) => exception.set === set && exception.backend === backend);
      columns.push({ title, verdicts: judgeAgainst(expected, results, listed) });
    }
  }
  return columns;
}

/** How another reference server does without a gateway is its own affair; through the gateway it must do the same. */
async function foreignColumns(set: RequirementSet, source: string | undefined): Promise<Column[]> {
  if (source === undefined || !legs.includes('gateway')) return [];
  const start = () => startForeignReference(source);
  const expected = await measure(set, 'given reference, direct', () => direct(set, start));
  const title = 'given reference, gateway';
  const results = await measure(set, title, () => throughGateway(set, title, start));
  return [
    { title: 'given reference, direct', verdicts: judgeAlone(expected), isGiven: true },
    { title, verdicts: judgeAgainst(expected, results, []) },
  ];
}

const measure = (set: RequirementSet, title: string, work: () => Promise<Results>): Promise<Results> =>
  timed(`${set} ${title}`, () => work().catch((cause) => failedServerLeg(set, cause)));

async function clientColumns(set: RequirementSet): Promise<Column[]> {
  if (!legs.includes('client')) return [];
  const results = await timed(`${set} client`, () => clientLeg(set));
  return [{ title: 'client, through the gateway', verdicts: judgeClient(results) }];
}

const measured = await Promise.all(
  sets.map(async (set) => ({
    set,
    server: [...(await serverColumns(set)), ...(await foreignColumns(set, values.reference))],
    client: await clientColumns(set),
  })),
);

for (const { set, server, client } of measured) {
  for (const [leg, columns] of [['server', server] as const, ['client', client] as const]) {
    if (columns.length === 0) continue;
    const { scored, unscored } = requirementsOf(set, leg);
    console.log(`\n${set}, ${leg} leg (* reported, not scored)\n\n${table(columns, new Set(unscored))}`);
    for (const line of columns.flatMap((column) => remarks(column, values.verbose))) console.log(line);
    const left = [...scored, ...unscored].filter((name) => leg === 'client' && notRun.applies(name));
    if (left.length > 0) console.log(`\nnot run, ${notRun.reason}: ${left.join(', ')}`);
  }
}

const kinds = measured
  .flatMap(({ server, client }) => [...server, ...client])
  .filter(({ isGiven }) => !isGiven)
  .flatMap(({ verdicts }) => [...verdicts.values()].map(({ kind }) => kind));
const count = (...wanted: string[]) => kinds.filter((kind) => wanted.includes(kind)).length;
const failed = count('fail', 'stale');
console.log(`\n${count('excepted')} exceptions, each with its reason in test/conformance/exceptions.ts`);
console.log(`${count('pass', 'same')} passed, ${failed} failed`);
if (values.reference === undefined)
  console.log('Add --reference FILE to do the same with another reference server: docs/protocol.md#conformance');
process.exitCode = failed > 0 ? 1 : 0;
