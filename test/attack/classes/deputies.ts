import {
  as,
  attack,
  type AttackClass,
  everyMode,
  type Mode,
  type Oracle,
  reached,
  type Scene,
  type Wire,
  withAuth,
} from '../attack.ts';
import { asked, callBody, confirmed, confirmIn, definition, named } from '../blueprint-calls.ts';

/** `owner` stores it, `admin` runs it. Each definition calls a server behind the gateway with the tag. */
const act = (tag: string, tool = 'vault__echo') =>
  tool === 'vault__echo'
    ? `id: act, tool: vault__echo, arguments: { tag: ${tag} }`
    : `id: act, tool: open__slow, arguments: { ms: 0, tag: ${tag} }`;
const harmless = 'id: look, tool: gateway_status, arguments: {}';

const saved = (scene: Scene, who: 'owner' | 'admin', text: string) => asked(scene, who, 'blueprint_save', { text });

/** A refusal to store it is no failure of the attack: the next step shows whether anything was stored. */
const tried = async (work: Promise<unknown>): Promise<void> => void (await work.catch(() => {}));

const deploys = (scene: Scene, name: string): Wire => as(scene, 'admin', callBody('blueprint_deploy', { name }));

const shipped = ['health-report', 'nightly-backup', 'onboard-project', 'promote-workflow', 'provision-agent'];

const planted = shipped.flatMap((name) =>
  ['vault__echo', 'open__slow'].map((tool) =>
    attack(
      `saves ${name}, which comes with Sluice, with a call of ${tool}; an admin deploys it`,
      withAuth,
      async (scene, tag) => {
        await tried(saved(scene, 'owner', definition(name, [act(tag, tool)])));
        return deploys(scene, name);
      },
      reached,
    ),
  ),
);

const byRest = attack(
  'saves health-report by REST; an admin deploys it by REST',
  withAuth,
  async (scene, tag) => {
    const body = definition('health-report', [act(tag)]);
    const headers = [...scene.as('owner'), ['Content-Type', 'application/yaml'] as const];
    await scene.send({ path: '/api/v1/blueprints', headers, body });
    return as(scene, 'admin', { path: '/api/v1/blueprints/health-report/deploy', body: '{"wait_seconds":20}' });
  },
  reached,
);

const replaced = attack(
  'replaces what an admin saved; the admin deploys it',
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    await saved(scene, 'admin', definition(name, [harmless]));
    await tried(saved(scene, 'owner', definition(name, [act(tag)])));
    return deploys(scene, name);
  },
  reached,
);

const deleted = attack(
  'deletes what an admin saved, and saves its own; the admin deploys it',
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    await saved(scene, 'admin', definition(name, [harmless]));
    await tried(confirmed(scene, 'owner', 'blueprint_delete', { name }));
    await tried(saved(scene, 'owner', definition(name, [act(tag)])));
    return deploys(scene, name);
  },
  reached,
);

const calledByOwn = attack(
  "replaces what an admin's blueprint calls; the admin deploys that one",
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    await saved(scene, 'admin', definition(`${name}-part`, [harmless]));
    await saved(scene, 'admin', definition(name, [`id: part, blueprint: ${name}-part`]));
    await tried(saved(scene, 'owner', definition(`${name}-part`, [act(tag)])));
    return deploys(scene, name);
  },
  reached,
);

const awaited = attack(
  "saves what an admin's blueprint calls before the admin does; the admin deploys that one",
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    await tried(saved(scene, 'owner', definition(`${name}-part`, [act(tag)])));
    await saved(scene, 'admin', definition(name, [`id: part, blueprint: ${name}-part`]));
    return deploys(scene, name);
  },
  reached,
);

const changedAfterAsking = attack(
  'replaces a definition between the question and the confirmation',
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    const text = (more: string) =>
      definition(name, [`id: clean, tool: memory_forget, arguments: { ids: [none-${more}] }`, act(more)]);
    await saved(scene, 'admin', text('honest'));
    const first = await scene.call('admin', 'tools/call', { name: 'blueprint_deploy', arguments: { name } });
    await tried(saved(scene, 'owner', text(tag)));
    return as(scene, 'admin', callBody('blueprint_deploy', { name, confirm: confirmIn(first) }));
  },
  reached,
);

/** A recipe is made of calls that were made. */
async function recipe(scene: Scene, who: 'owner' | 'admin', name: string, tag: string, replace = false) {
  await scene.call(who, 'tools/call', { name: 'vault__echo', arguments: { tag } });
  await asked(scene, who, 'recipe_save', { name, last: 1, replace });
}

/** The calls that made the recipe reached the server, too. */
const reachedAgain =
  (calls: number): Oracle =>
  (_, { around }, tag) => {
    const lines = around.vault.journal.filter((line) => line.includes(tag));
    return lines.length > calls ? `it was called ${lines.length} times, ${calls} of them by its author` : undefined;
  };

const recipes = attack(
  "replaces an admin's recipe; the admin runs it",
  withAuth,
  async (scene, tag) => {
    const name = named(tag);
    await recipe(scene, 'admin', name, 'honest');
    await tried(recipe(scene, 'owner', name, tag, true));
    return as(scene, 'admin', callBody('recipe_run', { name }));
  },
  reachedAgain(1),
);

/** What somebody remembers in a namespace of their own: the default one belongs to all keys. */
async function remembered(scene: Scene, tag: string): Promise<{ id: string; namespace: string }> {
  const args = { text: `The word is canary-memory-${tag}.`, namespace: `of-admin-${tag}` };
  return (await asked(scene, 'admin', 'memory_store', args)) as never;
}

const readsMemory: readonly [string, (memory: { id: string; namespace: string }, tag: string) => Wire][] = [
  ['gets it', ({ id }) => callBody('memory_get', { id })],
  ['searches for it', (_, tag) => callBody('memory_search', { query: `word canary-memory-${tag.slice(0, 4)}` })],
  ['searches its namespace', ({ namespace }) => callBody('memory_search', { query: 'the word', namespace })],
  ['lists its namespace', ({ namespace }) => callBody('memory_list_memories', { namespace })],
  ['exports its namespace', ({ namespace }) => callBody('memory_export', { namespace })],
  ['asks what is near it', ({ id }) => ({ method: 'GET', path: `/api/v1/memories/${id}/near` })],
];

const showsMemory: Oracle = ({ body }, _, tag) =>
  body.includes(`canary-memory-${tag}`) ? `it shows the memory: ${body.slice(0, 200)}` : undefined;

const memories = readsMemory.map(([name, wire]) =>
  attack(
    `a memory of an admin: ${name}`,
    withAuth,
    async (scene, tag) => as(scene, 'owner', wire(await remembered(scene, tag), tag)),
    showsMemory,
  ),
);

const changesMemory: readonly [string, (memory: { id: string; namespace: string }, tag: string) => [string, object]][] =
  [
    ['updates it', ({ id }, tag) => ['memory_update', { id, text: `planted-${tag}` }]],
    ['forgets it', ({ id }) => ['memory_forget', { ids: [id] }]],
    ['stores into its namespace', ({ namespace }, tag) => ['memory_store', { namespace, text: `planted-${tag}` }]],
    [
      'imports into its namespace',
      ({ namespace }, tag) => ['memory_import', { namespace, content: `# Note\n\nplanted-${tag}\n` }],
    ],
    ['shares its namespace', ({ namespace }) => ['memory_set_namespace', { name: namespace, belongs_to: 'everybody' }]],
    ['drops its namespace', ({ namespace }) => ['memory_drop_namespace', { namespace }]],
  ];

/** The admin finds something else than before. */
const changed: Oracle = async (_, scene, tag) => {
  const [id, namespace] = (scene.kept.get(`memory ${tag}`) ?? '').split(' ');
  const own = JSON.stringify(await scene.call('admin', 'tools/call', { name: 'memory_get', arguments: { id } }));
  if (!own.includes(`canary-memory-${tag}`)) return `the admin's memory is not what it was: ${own.slice(0, 200)}`;
  const seen = await scene.call('other', 'tools/call', { name: 'memory_get', arguments: { id } });
  if (scene.mode !== 'none' && JSON.stringify(seen).includes(`canary-memory-${tag}`)) return 'others read it now';
  const { results } = (await asked(scene, 'admin', 'memory_search', { query: `planted-${tag}`, namespace })) as {
    results: { text: string }[];
  };
  const planted = results.find(({ text }) => text.includes(`planted-${tag}`));
  return planted && `the admin finds ${planted.text}`;
};

const changes = changesMemory.map(([name, wire]) =>
  attack(
    `a memory of an admin: ${name}`,
    withAuth,
    async (scene, tag) => {
      const memory = await remembered(scene, tag);
      scene.kept.set(`memory ${tag}`, `${memory.id} ${memory.namespace}`);
      const [tool, args] = wire(memory, tag);
      const confirm = confirmIn(await scene.call('owner', 'tools/call', { name: tool, arguments: args }));
      return as(scene, 'owner', callBody(tool, { ...args, ...(confirm !== undefined && { confirm }) }));
    },
    changed,
  ),
);

/** What a limited key stores must not do for it, by anybody, what it may not do itself. */
const ofOwnRun = attack(
  'a key limited to other tools has its own blueprint call the vault',
  withAuth,
  async (scene, tag) => {
    await tried(asked(scene, 'narrow', 'blueprint_save', { text: definition(named(tag), [act(tag)]) }));
    return as(scene, 'narrow', callBody('blueprint_deploy', { name: named(tag) }));
  },
  reached,
);

/** A project checks its items with tools that somebody chose. */
const checks = [
  attack(
    'a key limited to other tools adds a check by the vault to a project; an admin asks for its status',
    withAuth,
    async (scene, tag) => {
      await asked(scene, 'admin', 'project_create', { name: tag });
      const check = { tool: 'vault__echo', arguments: { tag } };
      await tried(asked(scene, 'narrow', 'project_add', { project: tag, kind: 'other', name: tag, check }));
      return as(scene, 'admin', callBody('project_status', { project: tag }));
    },
    reached,
  ),
  attack(
    "a check reads an admin's memory when the admin asks for the status; somebody else asks after that",
    withAuth,
    async (scene, tag) => {
      const { id } = await remembered(scene, tag);
      await asked(scene, 'owner', 'project_create', { name: tag });
      const check = { tool: 'memory_get', arguments: { id } };
      await tried(asked(scene, 'owner', 'project_add', { project: tag, kind: 'other', name: tag, check }));
      await scene.call('admin', 'tools/call', { name: 'project_status', arguments: { project: tag } });
      return as(scene, 'owner', callBody('project_status', { project: tag }));
    },
    showsMemory,
  ),
];

const ends = (scene: Scene, who: 'owner' | 'admin', run: string, byRest: boolean): Wire =>
  as(
    scene,
    who,
    byRest ? { method: 'DELETE', path: `/api/v1/blueprint-schedules/${run}` } : callBody('blueprint_cancel', { run }),
  );

async function scheduled(scene: Scene, tag: string): Promise<string> {
  const name = named(tag);
  await saved(scene, 'admin', definition(name, [harmless]));
  const { run } = await asked(scene, 'admin', 'blueprint_deploy', { name, schedule: '0 2 * * *' });
  return String(run);
}

/** Nothing deploys it by cron any more. */
const unscheduled: Oracle = async (_, scene, tag) => {
  const { schedules } = (await asked(scene, 'admin', 'blueprint_list_schedules', {})) as {
    schedules: { name: string }[];
  };
  return schedules.some(({ name }) => name === named(tag)) ? undefined : 'the schedule has ended';
};

/** A sign-in expires, so it cannot schedule. */
const withKeys: readonly Mode[] = ['keys', 'both'];

const schedules = [false, true].map((byRest) =>
  attack(
    `ends a schedule of an admin${byRest ? ' by REST' : ''}`,
    withKeys,
    async (scene, tag) => ends(scene, 'owner', await scheduled(scene, tag), byRest),
    unscheduled,
  ),
);

export const deputyClass: AttackClass = {
  name: 'deputies',
  title: 'What one caller stores and another one runs or reads',
  // Several of them use the same names.
  inOrder: true,
  attacks: [
    ...planted,
    byRest,
    replaced,
    deleted,
    calledByOwn,
    awaited,
    changedAfterAsking,
    recipes,
    ...memories,
    ...changes,
    ...checks,
    ...schedules,
    ofOwnRun,
  ],
  controls: [
    attack(
      'an admin deploys what the admin saved',
      everyMode,
      async (scene, tag) => {
        await saved(scene, 'admin', definition(named(tag), [act(tag)]));
        return deploys(scene, named(tag));
      },
      reached,
    ),
    attack(
      'an admin runs a recipe of the admin',
      everyMode,
      async (scene, tag) => {
        await recipe(scene, 'admin', named(tag), tag);
        return as(scene, 'admin', callBody('recipe_run', { name: named(tag) }));
      },
      reachedAgain(1),
    ),
    attack(
      'an admin reads the memory',
      everyMode,
      async (scene, tag) => as(scene, 'admin', callBody('memory_get', { id: (await remembered(scene, tag)).id })),
      showsMemory,
    ),
    attack(
      'an admin changes the memory',
      everyMode,
      async (scene, tag) => {
        const { id, namespace } = await remembered(scene, tag);
        scene.kept.set(`memory ${tag}`, `${id} ${namespace}`);
        return as(scene, 'admin', callBody('memory_update', { id, text: `planted-${tag}` }));
      },
      changed,
    ),
    attack(
      'an admin ends the schedule',
      withKeys,
      async (scene, tag) => ends(scene, 'admin', await scheduled(scene, tag), false),
      unscheduled,
    ),
  ],
};
