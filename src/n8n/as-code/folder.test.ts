import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Folder, openFolder } from './folder.ts';
import { emptySide, sideText } from './side-file.ts';

let root: string;
let path: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-folder-'));
  path = join(root, 'flows');
  await mkdir(path);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const open = (create: 'now' | 'later' | 'never' = 'never'): Promise<Folder> =>
  openFolder(path, { instance: 'lab', create, pinned: false });
const workflow = (name: string) => JSON.stringify({ name, nodes: [], connections: {} });
const linked = (file: string) => sideText({ ...emptySide, workflows: new Map([[file, { id: '1' }]]) });

it('reads workflows, and leaves everything else alone', async () => {
  await writeFile(join(path, 'a.json'), workflow('A'));
  await writeFile(join(path, 'package.json'), '{"name": "x", "version": "1"}');
  await writeFile(join(path, 'broken.json'), '{');
  await writeFile(join(path, '.hidden.json'), workflow('Hidden'));
  await mkdir(join(path, 'inner.json'));
  await symlink(join(path, 'a.json'), join(path, 'link.json'));
  const { files, taken } = await open();
  expect([...files.keys()].sort()).toEqual(['a.json', 'broken.json']);
  expect(files.get('broken.json')).toEqual({ problem: expect.stringContaining('not JSON') as string });
  expect(taken).toContain('package.json');
  expect(taken).toContain('link.json');
});

it('writes whole files, and never through a link', async () => {
  const outside = join(root, 'outside.json');
  await writeFile(outside, 'mine');
  await symlink(outside, join(path, 'a.json'));
  const folder = await open();
  await folder.write('a.json', 'new');
  expect(await readFile(outside, 'utf8')).toBe('mine');
  expect((await lstat(join(path, 'a.json'))).isFile()).toBe(true);
  await expect(folder.write('../outside.json', 'new')).rejects.toThrow('Not the name of a file');
  expect((await readdir(path)).sort()).toEqual(['a.json']);
});

it('does not take a link for a workflow that it knows, nor for its own folder', async () => {
  await mkdir(join(path, '.sluice'));
  await writeFile(join(path, '.sluice', 'lab.json'), linked('a.json'));
  await symlink(join(root, 'anything'), join(path, 'a.json'));
  expect((await open()).files.get('a.json')).toEqual({ problem: expect.stringContaining('symbolic link') as string });
  await rename(join(path, '.sluice', 'lab.json'), join(root, 'lab.json'));
  await symlink(join(root, 'lab.json'), join(path, '.sluice', 'lab.json'));
  await expect(open()).rejects.toThrow('.sluice/lab.json is not a file. Sluice does not follow links.');
  await rm(join(path, '.sluice'), { recursive: true });
  await mkdir(join(root, 'elsewhere'));
  await symlink(join(root, 'elsewhere'), join(path, '.sluice'));
  await expect(open()).rejects.toThrow('does not follow links');
});

it.each([
  ['<<<<<<< HEAD\n{}', 'merge conflict'],
  [linked('../a.json'), 'cannot be read: "../a.json" in "workflows": is not the name of a .json file. Correct it, or'],
  ['{"workflow": {}}', 'cannot be read: unknown key workflow. Correct it'],
  ['{"workflows": {"a.json": {"id": 5}}}', '"id" in "a.json" in "workflows": Invalid input: expected string'],
  ['[]', 'cannot be read: the file: Invalid input: expected object'],
])('says what to do with a broken side file', async (text, why) => {
  await mkdir(join(path, '.sluice'));
  await writeFile(join(path, '.sluice', 'lab.json'), text);
  await expect(open()).rejects.toThrow(why);
});

it('creates the folder only when it has to', async () => {
  await rm(path, { recursive: true });
  await expect(open('never')).rejects.toThrow('does not exist');
  expect((await open('later')).files.size).toBe(0);
  expect(await readdir(root)).toEqual([]);
  const folder = await open('now');
  await folder.writeSide('lab', emptySide);
  expect(await readFile(join(path, '.sluice', 'lab.json'), 'utf8')).toBe(sideText(emptySide));
  await writeFile(join(root, 'file'), '');
  await expect(openFolder(join(root, 'file'), { instance: 'lab', create: 'now', pinned: false })).rejects.toThrow(
    'not a directory',
  );
});
