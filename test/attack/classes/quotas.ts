import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { as, attack, type AttackClass, type Mode, type Oracle, type Scene, type Wire } from '../attack.ts';
import { asked, callBody, definition, named, resultOf } from '../blueprint-calls.ts';
import { endOf } from '../gateway-end.ts';
import { filledStage, smallStage } from '../stages.ts';

const MB = 1024 * 1024;
/** More than one key may ever take of the disk. */
const MOST_MB = 320;
/** As many as one key may have open. */
const MOST_OPEN = 5000;

/** Quotas are for each caller, whatever the mode; without authentication, everybody is the owner, who may fill the disk. */
const modes: readonly Mode[] = ['both'];

/** The bytes of every file in the data directory. */
function bytesIn(directory: string): number {
  let sum = 0;
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A file of the database may be gone by now.
    sum += statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0;
  }
  return sum;
}

function openRuns({ gateway }: Scene): number {
  const database = new DatabaseSync(join(gateway.home, 'sluice.db'), { readOnly: true });
  try {
    const sql =
      "SELECT COUNT(*) AS count FROM blueprint_runs WHERE state IN ('pending', 'running', 'waiting', 'undoing')";
    return Number(database.prepare(sql).get()?.count);
  } finally {
    database.close();
  }
}

/** What the disk had before. */
const before = new Map<string, number>();
const noted = (scene: Scene, tag: string): void => void before.set(tag, bytesIn(scene.gateway.home));

function grown(scene: Scene, tag: string): number {
  return (bytesIn(scene.gateway.home) - (before.get(tag) ?? 0)) / MB;
}

const filled: Oracle = async (_, scene, tag) => {
  const end = await endOf(scene, scene.gateway.pid);
  if (end !== undefined) return end;
  const open = openRuns(scene);
  if (open > MOST_OPEN) return `${open} runs are open`;
  const megabytes = grown(scene, tag);
  return megabytes > MOST_MB ? `the data directory has ${Math.round(megabytes)} MB more` : undefined;
};

const health: Wire = { method: 'GET', path: '/health' };

/** Repeats it until it is refused, or until there is more than anybody may have. */
async function untilRefused(scene: Scene, tag: string, tool: string, args: (time: number) => object): Promise<Wire> {
  noted(scene, tag);
  for (let time = 0; grown(scene, tag) <= MOST_MB; time++) {
    const reply = await scene.send(as(scene, 'owner', { ...callBody(tool, args(time)), patience: 300_000 }));
    if (resultOf(reply)?.isError !== true && reply.status === 200) continue;
    if (time === 0) throw new Error(`${tool} was refused at once: ${reply.text.slice(0, 500)}`);
    break;
  }
  return health;
}

const LEVELS = 7;

/** One deploy, of blueprints that call each other for each item of a list; the last one waits. */
async function nested(scene: Scene, tag: string, last: string, padding = ''): Promise<Wire> {
  noted(scene, tag);
  const name = (level: number) => `${named(tag)}-${level}`;
  const each = 'for_each: "${range}", parallel: 20';
  const items = JSON.stringify(Array.from({ length: 300 }, (_, at) => at));
  const more = padding === '' ? '' : `description: ${padding}\n`;
  await asked(scene, 'owner', 'blueprint_save', { text: definition(name(0), [last], more) });
  for (let level = 1; level <= LEVELS; level++) {
    const step = `id: each, blueprint: ${name(level - 1)}, ${each.replace('"${range}"', items)}`;
    await asked(scene, 'owner', 'blueprint_save', { text: definition(name(level), [step], more) });
  }
  const args = { name: name(LEVELS), wait_seconds: 0 };
  const { run } = await asked(scene, 'owner', 'blueprint_deploy', args);
  await stopsGrowing(scene, tag, String(run));
  await scene.send(as(scene, 'owner', callBody('blueprint_cancel', { run, undo: false })));
  return health;
}

const SAME_LOOKS = 10;

/** Until it is more than anybody may have, has ended, or does not grow any more. A look takes a second. */
async function stopsGrowing(scene: Scene, tag: string, run: string): Promise<void> {
  for (let [same, most] = [0, 0]; same < SAME_LOOKS; ) {
    const { state } = await asked(scene, 'owner', 'blueprint_status', { run, wait_seconds: 1 });
    const open = openRuns(scene);
    if (open > MOST_OPEN || grown(scene, tag) > MOST_MB) return;
    if (!['pending', 'running', 'waiting'].includes(String(state))) return;
    same = open > most ? 0 : same + 1;
    most = Math.max(most, open);
  }
}

const words = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ((at + 1) * (seed + 7) * 7919).toString(36)).join(' ');

const disk = [
  attack(
    'imports of memories',
    modes,
    async (scene, tag) =>
      await untilRefused(scene, tag, 'memory_import', (time) => ({
        namespace: tag,
        content: Array.from({ length: 1000 }, (_, at) => `# ${tag} ${time} ${at}\n\n${words(500, at + time * 1000)}\n`)
          .join('\n')
          .slice(0, 4_000_000),
      })),
    filled,
  ),
  attack(
    'entities of the graph',
    modes,
    async (scene, tag) =>
      await untilRefused(scene, tag, 'graph_create_entities', (time) => ({
        entities: Array.from({ length: 100 }, (_, at) => ({
          name: `${tag} ${time} ${at}`,
          type: 'thing',
          observations: [words(5000, at)],
        })),
      })),
    filled,
  ),
  attack(
    'large blueprints',
    modes,
    async (scene, tag) =>
      await untilRefused(scene, tag, 'blueprint_save', (time) => ({
        text: definition(`${named(tag)}-${time}`, [
          `id: last, tool: gateway_status, arguments: { server: "${'x'.repeat(200_000)}" }`,
        ]),
      })),
    filled,
  ),
  attack(
    'one deploy of nested blueprints that wait',
    modes,
    async (scene, tag) => await nested(scene, tag, 'id: last, wait: 1h'),
    filled,
  ),
  attack(
    'one deploy of nested blueprints with long descriptions',
    modes,
    async (scene, tag) => await nested(scene, tag, 'id: last, tool: gateway_status, arguments: {}', 'x'.repeat(1900)),
    filled,
  ),
  // The last one: after it, the caller can deploy nothing more.
  attack(
    'inputs of runs',
    modes,
    async (scene, tag) => {
      const text = definition(named(tag), ['id: last, wait: 1h'], 'inputs: { text: { type: string } }\n');
      await asked(scene, 'owner', 'blueprint_save', { text });
      return await untilRefused(scene, tag, 'blueprint_deploy', (time) => ({
        name: named(tag),
        inputs: { text: 'x'.repeat(900_000) + time },
        wait_seconds: 0,
      }));
    },
    filled,
  ),
];

export const quotaClass: AttackClass = {
  name: 'quotas',
  title: 'One key fills the disk, or leaves too much open',
  stage: filledStage,
  isLong: true,
  inOrder: true,
  attacks: disk,
  controls: [
    attack(
      'a file that is too large is seen',
      modes,
      async (scene, tag) => {
        noted(scene, tag);
        before.set(tag, (before.get(tag) ?? 0) - (MOST_MB + 1) * MB);
        return health;
      },
      filled,
    ),
  ],
};

/** Half of what all callers together may save. */
const DEFINITIONS = 500;
const CHARACTERS = 28_000;

/** Saved through the gateway once, and then copied in the store, as if others had saved it under other names. */
async function copied(scene: Scene, name: string): Promise<void> {
  await scene.gateway.end('SIGTERM');
  const database = new DatabaseSync(join(scene.gateway.home, 'sluice.db'));
  try {
    const { changes } = database
      .prepare(
        `WITH RECURSIVE copies (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM copies WHERE at < ?)
         INSERT INTO blueprint_definitions (name, kind, text, saved_by, saved_at)
         SELECT name || '-' || at, kind, replace(text, name, name || '-' || at), saved_by, saved_at
         FROM blueprint_definitions, copies WHERE name = ?`,
      )
      .run(DEFINITIONS, name);
    if (changes !== DEFINITIONS) throw new Error(`${changes} blueprints were copied.`);
  } finally {
    database.close();
  }
}

/** A gateway with 400 MB serves somebody who reads what many have saved. */
const listed = attack(
  'a list of 14 MB of saved blueprints',
  ['none', 'both'],
  async (scene, tag) => {
    const name = named(tag);
    // Much smaller as a text than as what is known of it.
    const list = `[${'{a: {}},'.repeat(CHARACTERS / 8)} a]`;
    const text = definition(name, [`id: look, tool: gateway_status, arguments: { list: ${list} }`]);
    await asked(scene, 'owner', 'blueprint_save', { text });
    await copied(scene, name);
    await scene.restart();
    const reply = await scene.send(as(scene, 'owner', callBody('blueprint_list_definitions', {})));
    if (resultOf(reply)?.isError === true) throw new Error(`It was refused: ${reply.body.slice(0, 500)}`);
    return health;
  },
  (_, scene) => endOf(scene, scene.gateway.pid),
);

export const heapClass: AttackClass = {
  name: 'heap',
  title: 'What is saved ends a gateway with little memory',
  stage: smallStage,
  isLong: true,
  inOrder: true,
  attacks: [listed],
  controls: [
    attack(
      'a gateway that ends is noticed',
      ['none', 'both'],
      async (scene) => {
        await scene.gateway.end('SIGKILL');
        return health;
      },
      listed.through,
    ),
  ],
};
