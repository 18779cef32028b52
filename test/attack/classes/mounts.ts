import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { as, attack, type AttackClass, everyMode, type Oracle, type Scene, shows, type Wire } from '../attack.ts';
import { callBody } from '../blueprint-calls.ts';
import { stackStage } from '../stages.ts';

const CANARY = 'canary-of-the-host';
const ATTEMPTS = 15;

const folderOf = (scene: Scene, ...names: string[]): string => join(scene.services.docker?.folder ?? '', ...names);

/** A container from the only image that there is, which shows a file of what it mounted. */
const shown = (scene: Scene, name: string, source: string): Wire =>
  as(
    scene,
    'admin',
    callBody('docker_run_container', {
      name,
      image: scene.services.docker?.image,
      command: ['cat', '/mounted/secret'],
      mounts: [{ source, target: '/mounted' }],
      wait: true,
      remove: true,
    }),
  );

/** Makes `now` by turns the folder and the link. Somebody who may write to the listed folder can do that. */
const SWAPPING = `
  const { renameSync } = require('node:fs');
  const [now, folder, link] = process.argv.slice(1);
  console.log('begun');
  for (;;) {
    renameSync(folder, now); for (const end = Date.now() + Math.random() * 4; Date.now() < end;);
    renameSync(now, folder); renameSync(link, now); for (const end = Date.now() + Math.random() * 4; Date.now() < end;);
    renameSync(now, link);
  }`;

const onHost: Oracle = shows(CANARY);

const swapped = attack(
  'a folder below a listed one becomes a link while it is mounted',
  everyMode,
  async (scene, tag) => {
    const [now, folder, link] = ['now', 'folder', 'link'].map((name) => folderOf(scene, 'shared', `${name}-${tag}`));
    await mkdir(folder as string);
    await writeFile(join(folder as string, 'secret'), 'nothing');
    await symlink(folderOf(scene, 'outside'), link as string);
    const swapper = spawn(process.execPath, ['-e', SWAPPING, now as string, folder as string, link as string], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      await once(swapper.stdout, 'data');
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const reply = await scene.send(shown(scene, `${tag}-${attempt}`, now as string));
        if (reply.text.includes(CANARY)) scene.kept.set(`host ${tag}`, `at attempt ${attempt + 1}`);
        if (scene.kept.has(`host ${tag}`)) break;
      }
    } finally {
      swapper.kill('SIGKILL');
    }
    return { method: 'GET', path: '/health' };
  },
  (_, scene, tag) => {
    const attempt = scene.kept.get(`host ${tag}`);
    return attempt && `it shows a file outside of the listed folder ${attempt}`;
  },
  ['docker'],
);

const linked = attack(
  'a link below a listed folder',
  everyMode,
  async (scene, tag) => {
    await symlink(folderOf(scene, 'outside'), folderOf(scene, 'shared', `link-${tag}`));
    return shown(scene, tag, folderOf(scene, 'shared', `link-${tag}`));
  },
  onHost,
  ['docker'],
);

const direct = attack(
  'a folder that is not listed',
  everyMode,
  (scene, tag) => shown(scene, tag, folderOf(scene, 'outside')),
  onHost,
  ['docker'],
);

export const mountClass: AttackClass = {
  name: 'mounts',
  title: 'Folders of the host in containers, by paths that change meanwhile',
  stage: stackStage,
  isLong: true,
  inOrder: true,
  async prepare(scene) {
    if (!scene.services.docker) return;
    for (const name of ['shared', 'outside']) {
      await mkdir(folderOf(scene, name), { recursive: true });
      await writeFile(folderOf(scene, name, 'secret'), CANARY);
    }
  },
  attacks: [swapped, linked, direct],
  controls: [
    attack(
      'the listed folder itself',
      everyMode,
      (scene, tag) => shown(scene, tag, folderOf(scene, 'shared')),
      onHost,
      ['docker'],
    ),
  ],
};
