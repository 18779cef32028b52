import { mkdir, mkdtempDisposable, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEmbedder, type Embedder } from '../../../src/embedder/embedder.ts';
import { templateLibrary } from '../../../src/n8n/templates/library.ts';
import { templatesSection } from '../../../src/n8n/templates/settings.ts';

const MAKING_MS = 60_000;

const texts = [
  ['Unpaid invoices', 'Sends a reminder to customers who have not paid'],
  ['Weather in Slack', 'Posts the forecast for today to a channel'],
  ['New hires', 'Creates accounts for people who join the company'],
  ['Backups', 'Copies a database to a bucket every night'],
];

let embedder: Embedder;
beforeAll(() => {
  embedder = createEmbedder();
});
afterAll(() => embedder?.[Symbol.asyncDispose]());

test('templates are found by their meaning, and before there are vectors by their words at once', {
  timeout: MAKING_MS,
}, async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-meaning-'));
  const folder = join(place.path, 'flows');
  await mkdir(folder);
  const put = (name: string, description: string) =>
    writeFile(join(folder, `${name}.json`), JSON.stringify({ name, description, nodes: [], connections: {} }));
  for (const [name = '', description = ''] of texts) await put(name, description);
  const settings = templatesSection.parse({ public: false, libraries: { team: folder } });
  const busy = Promise.withResolvers<void>();
  const prepare: Embedder['prepare'] = (...given) => busy.promise.then(() => embedder.prepare(...given));
  await using library = templateLibrary({
    cache: place.path,
    settings: () => settings,
    embedder: async () => ({ ...embedder, closed: false, prepare }),
    report() {},
  });
  const find = (query: string) => library.search({ query }, new AbortController().signal);
  const search = async (query: string) => (await find(query)).templates.map(({ name }) => name);
  const { templates, notes } = await find('customers');
  expect(templates.map(({ name }) => name)).toEqual(['Unpaid invoices']);
  expect(notes).toEqual([]);
  // No template has one of these words, so the answer says what to do.
  const tooEarly = await find('clients whose bills are overdue');
  expect(tooEarly.templates).toEqual([]);
  expect(tooEarly.notes.join()).toMatch(/still being computed.*search again in a minute/);
  busy.resolve();
  await expect
    .poll(() => search('clients whose bills are overdue'), { timeout: MAKING_MS })
    .toContain('Unpaid invoices');
  // On a busy machine, a question is answered by words first.
  await expect.poll(async () => (await search('onboarding of staff'))[0], { timeout: MAKING_MS }).toBe('New hires');
  expect((await stat(join(place.path, 'templates', 'meanings.vectors'))).size).toBeGreaterThan(0);
  // A new file is found by its words at once, and by its meaning a little later.
  await put('Lunch', 'Tells the team what the canteen cooks');
  await expect.poll(() => search('canteen')).toContain('Lunch');
  await expect.poll(() => search('midday meal'), { timeout: MAKING_MS }).toContain('Lunch');
});
