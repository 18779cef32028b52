/** Modules that users write: beside the file, and in a package. The built program loads them as it is shipped. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callTool, connectV2, textOf } from '../integration/harness.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { serve } from '../support/serve-process.ts';

/** A module as somebody writes it on a quiet afternoon. */
const weather = `
import { addressOf, httpTo, module, toolsFor, z } from 'sluice/module';

const weatherTool = toolsFor({ category: 'weather' });

const getWeather = weatherTool({
  name: 'weather_get_weather',
  title: 'Get weather',
  description: 'The temperature of a city now, in degrees Celsius.',
  effect: 'read',
  input: z.strictObject({ city: z.string().describe('Name of the city') }),
  output: z.object({ city: z.string(), celsius: z.number() }),
  async run({ city }, { http }, { signal }) {
    const { celsius } = await http.json(z.object({ celsius: z.number() }), '/now', { query: { city }, signal });
    return { city, celsius };
  },
});

export default module({
  name: 'weather',
  description: 'the weather of cities',
  settings: z.object({ url: z.url() }),
  address: ({ url }) => addressOf(url),
  tools: async () => [getWeather],
  async connect({ url }, { tls }) {
    const http = httpTo({ base: url, tls });
    return { http, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
  },
  check: ({ http }, signal) => http.text('/version', { signal }),
});
`;

let directory: string;
let place: Place;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-own-module-'));
  place = await createPlace();
});

afterEach(async () => {
  await place[Symbol.asyncDispose]();
  await rm(directory, { recursive: true, force: true });
});

async function listening(answer: (path: string, method: string) => string | undefined) {
  const server = createServer(({ url = '', method = '' }, response) => {
    const said = answer(url, method);
    response.writeHead(said === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(said);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const station = () => listening((path) => (path === '/version' ? 'Weather 1.0' : '{"celsius":21}'));

describe('a module of the user', () => {
  test('beside the file is offered like those that are built in', async () => {
    await using service = await station();
    await mkdir(join(directory, 'home', 'modules'), { recursive: true });
    await writeFile(join(directory, 'home', 'modules', 'weather.ts'), weather);
    const modules = { weather: { url: service.url }, north: { type: 'weather', url: 'http://127.0.0.1:9' } };
    await using gateway = await serve(directory, { modules });
    await using client = await connectV2(gateway);
    const { tools } = await client.listTools();
    const names = tools.map(({ name }) => name).filter((name) => /^(?:weather|north)_/.test(name));
    expect(names).toEqual(['weather_list', 'weather_call', 'north_list', 'north_call']);
    const result = await callTool(client, 'weather_call', { tool: 'get_weather', params: { city: 'Oslo' } });
    expect(result.structuredContent).toEqual({ city: 'Oslo', celsius: 21 });
    const away = await callTool(client, 'north_call', { tool: 'north_get_weather', params: { city: 'Oslo' } });
    expect(textOf(away)).toContain('north at 127.0.0.1:9 is not running');
  });

  test('comes from a package beside the file', async () => {
    await using service = await station();
    const folder = join(directory, 'home', 'node_modules', 'sluice-weather');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'index.js'), weather);
    await writeFile(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'sluice-weather', type: 'module', exports: './index.js' }),
    );
    await using gateway = await serve(directory, {
      modules: { weather: { package: 'sluice-weather', url: service.url } },
    });
    await using client = await connectV2(gateway);
    const result = await callTool(client, 'weather_call', { tool: 'get_weather', params: { city: 'Oslo' } });
    expect(result.structuredContent).toEqual({ city: 'Oslo', celsius: 21 });
  });

  test.each([
    ['code that is broken', 'export default module({', /modules\/weather\.ts cannot be loaded.*\n.*Correct its code/],
    ['no module', 'export const x = 1;', /is not a module: there is no default export/],
    [
      'a module without tools',
      weather.replace('tools: async () => [getWeather],', ''),
      /is not a module: tools must be a function/,
    ],
  ])('%s is a problem of the configuration', async (_, code, words) => {
    await mkdir(join(directory, 'modules'), { recursive: true });
    await writeFile(join(directory, 'modules', 'weather.ts'), code);
    await writeFile(join(directory, 'sluice.yaml'), 'modules: { weather: { url: "http://127.0.0.1:9" } }\n');
    const { code: exit, stderr } = await place.run(['modules'], { cwd: directory });
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringMatching(words) as string });
  });

  test('without its code is named, with the modules that there are', async () => {
    await writeFile(join(directory, 'sluice.yaml'), 'modules: { reddis: {}, pack: { package: sluice-none } }\n');
    const { stderr } = await place.run(['modules'], { cwd: directory });
    expect(stderr).toMatch(/"reddis" is not a module\n.*Did you mean redis\?.*modules\/reddis\.ts/);
    expect(stderr).toMatch(/the package sluice-none cannot be loaded.*\n.*npm install/);
  });
});

test('sluice modules new writes a module that works', async () => {
  const items = new Map([['7', '{"id":"7","name":"Lamp"}']]);
  await using shop = await listening((path, method) => {
    const id = path.slice('/items/'.length);
    if (path === '/') return 'shop';
    if (method !== 'DELETE') return items.get(id);
    return String(items.delete(id));
  });
  const home = join(directory, 'home');
  await mkdir(home);
  await writeFile(join(home, 'sluice.yaml'), '{}');
  const made = await place.run(['modules', 'new', 'shop'], { cwd: home });
  expect(made).toMatchObject({ code: 0, stdout: 'modules/shop.ts\n' });
  expect(made.stderr).toContain('shop: { url: "http://127.0.0.1:8080" }');
  expect(await place.run(['modules', 'new', 'shop'], { cwd: home })).toMatchObject({ code: 1 });
  expect(await readFile(join(home, 'modules', 'shop.ts'), 'utf8')).toContain("name: 'shop_get_item'");
  await rm(join(home, 'sluice.yaml'));

  await using gateway = await serve(directory, { modules: { shop: { url: shop.url, mode: 'read-write' } } });
  const { stdout } = await place.run(['modules'], { cwd: home });
  expect(stdout).toMatch(/^shop +ready +read-write +answers$/m);
  await using client = await connectV2(gateway);
  const lamp = await callTool(client, 'shop_read', { tool: 'get_item', params: { id: '7' } });
  expect(lamp.structuredContent).toEqual({ id: '7', name: 'Lamp' });
  const question = textOf(await callTool(client, 'shop_call', { tool: 'delete_item', params: { id: '7' } }));
  expect(question).toContain('This deletes the item Lamp.');
  const confirm = /"confirm": "([^"]+)"/.exec(question)?.[1];
  const done = await callTool(client, 'shop_call', { tool: 'delete_item', params: { id: '7' }, confirm });
  expect(done.structuredContent).toEqual({ deleted: '7' });
  expect(items.size).toBe(0);
  const gone = await callTool(client, 'shop_read', { tool: 'get_item', params: { id: '7' } });
  expect(textOf(gone)).toContain('has no such item');
});
