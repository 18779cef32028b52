import { existsSync, readdirSync, statSync } from 'node:fs';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { as, attack, type AttackClass, call, everyMode, type Oracle, type Scene } from '../attack.ts';
import { asked, definition, named } from '../blueprint-calls.ts';

type Folder = 'allowed' | 'beside';

/** The server wrote a file there. */
const written =
  (folder: Folder): Oracle =>
  (_, { around: { folders } }, tag) =>
    existsSync(join(folders[folder], tag)) ? `there is a file ${tag} in the folder ${folder}` : undefined;

const writes = (scene: Scene, path: string) =>
  as(scene, 'owner', { body: call('careless__write', { path, text: 'written' }) });

/** Each makes what it needs in the allowed folder, and says which path leads beside it. */
const ways: readonly [string, (folders: Readonly<Record<Folder, string>>, tag: string) => Promise<string> | string][] =
  [
    ['itself', ({ beside }, tag) => join(beside, tag)],
    ['"..", after the allowed folder', ({ allowed, beside }, tag) => `${allowed}/../${basename(beside)}/${tag}`],
    ['"." and "..", in between', ({ allowed, beside }, tag) => `${allowed}/./x/../../${basename(beside)}/${tag}`],
    ['an address', ({ beside }, tag) => `file://${beside}/${tag}`],
    [
      'a link to a file that does not exist',
      async ({ allowed, beside }, tag) => await linked(join(allowed, `link-${tag}`), join(beside, tag)),
    ],
    [
      'a relative link to a file that does not exist',
      async ({ allowed, beside }, tag) => await linked(join(allowed, `link-${tag}`), join('..', basename(beside), tag)),
    ],
    [
      'a link to such a link',
      async ({ allowed, beside }, tag) => {
        await linked(join(allowed, `first-${tag}`), join(beside, tag));
        return await linked(join(allowed, `link-${tag}`), `first-${tag}`);
      },
    ],
    [
      'a link to the folder beside it',
      async ({ allowed, beside }, tag) => join(await linked(join(allowed, `link-${tag}`), beside), tag),
    ],
    [
      'a link to such a link, to the folder',
      async ({ allowed, beside }, tag) => {
        await linked(join(allowed, `first-${tag}`), beside);
        return join(await linked(join(allowed, `link-${tag}`), `first-${tag}`), tag);
      },
    ],
  ];

async function linked(path: string, target: string): Promise<string> {
  await symlink(target, path);
  return path;
}

const OTHERS = 0o077;

/** Others on this machine may read or write a file of the data directory. The configuration is the owner's own. */
const openToOthers: Oracle = (_, { gateway: { home } }) => {
  for (const entry of readdirSync(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    // A server that npx starts writes there: the data directory is its home, too.
    const isOfNpm = path.startsWith(join(home, '.npm'));
    if (!entry.isFile() || entry.name === 'sluice.json' || isOfNpm) continue;
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if ((mode & OTHERS) !== 0) return `${path.slice(home.length + 1)} has the mode ${(mode & 0o777).toString(8)}`;
  }
  return undefined;
};

const lookAround = { method: 'GET', path: '/health' } as const;

export const pathClass: AttackClass = {
  name: 'paths',
  title: 'Paths that lead out of the folders that a server may use, and files that others may read',
  inOrder: true,
  attacks: [
    ...ways.map(([name, way]) =>
      attack(
        `writes beside the allowed folder, by ${name}`,
        everyMode,
        async (scene, tag) => writes(scene, await way(scene.around.folders, tag)),
        written('beside'),
      ),
    ),
    attack(
      'another user of the machine looks into the data directory',
      everyMode,
      async (scene, tag) => {
        await asked(scene, 'admin', 'memory_store', { text: tag });
        await asked(scene, 'admin', 'blueprint_save', {
          text: definition(named(tag), ['id: look, tool: gateway_status, arguments: {}']),
        });
        await asked(scene, 'admin', 'blueprint_deploy', { name: named(tag) });
        return lookAround;
      },
      openToOthers,
    ),
  ],
  controls: [
    attack(
      'writes into the allowed folder',
      everyMode,
      (scene, tag) => writes(scene, join(scene.around.folders.allowed, tag)),
      written('allowed'),
    ),
    attack(
      'a file that others may read is seen',
      everyMode,
      async (scene) => {
        await writeFile(join(scene.gateway.home, 'open.txt'), 'for everybody', { mode: 0o644 });
        return lookAround;
      },
      async (reply, scene, tag) => {
        const seen = await openToOthers(reply, scene, tag);
        await rm(join(scene.gateway.home, 'open.txt'));
        return seen;
      },
    ),
  ],
};
