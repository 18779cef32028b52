import type { N8nClient } from '../../../src/n8n/client/client.ts';
import type { Node } from '../../../src/n8n/client/shapes.ts';
import { untilLive } from '../../../src/n8n/workflows/live.ts';
import { hook, line, node } from '../../support/workflows.ts';

const AT_ONCE = 8;
const CREDENTIALS = 60;
const TAGS = 60;
const CAUSES = 40;

/** What was created, by purpose. */
export interface LargeInstance extends AsyncDisposable {
  /** Each has a credential and ten more nodes, and calls the first workflow. */
  readonly ids: readonly string[];
  /** A workflow with 300 nodes, long parameters, and a version history. */
  readonly big: string;
  /** A published workflow that outputs much data, or fails for one of many causes. */
  readonly live: string;
  readonly path: string;
  readonly credentials: readonly string[];
  readonly tags: readonly string[];
}

/** Fills n8n like after years of use. All names begin with `prefix`. Disposing removes everything. */
export async function makeLarge(client: N8nClient, prefix: string, workflows: number): Promise<LargeInstance> {
  const settings = { executionOrder: 'v1' };
  const credentials = await each(CREDENTIALS, async (index) => {
    const data = { name: 'X-Key', value: 'secret' };
    return (await client.credentials.create({ name: `${prefix}key ${index}`, type: 'httpHeaderAuth', data })).id;
  });
  const tags = await each(TAGS, async (index) => (await client.tags.create(`${prefix}tag ${index}`)).name);
  const first = await client.workflows.create({
    name: `${prefix}hub`,
    ...line(...ordinary(0, [], credentials)),
    settings,
  });
  const others = await each(workflows - 3, async (index) => {
    const calls = [first.id];
    const name = `${prefix}workflow ${index} “with a name”, as long as people make them 🙂`;
    return (await client.workflows.create({ name, ...line(...ordinary(index, calls, credentials)), settings })).id;
  });
  const big = await client.workflows.create({ name: `${prefix}big`, ...bigBody('a'), settings });
  for (const word of ['b', 'c']) {
    await client.workflows.update(big.id, { name: big.name, ...bigBody(word), settings }, false);
  }
  const path = `${prefix}live`;
  const made = await client.workflows.create({ name: path, ...line(hook(path), talkative()), settings });
  await untilLive(client, await client.workflows.publish(made.id), false, AbortSignal.timeout(20_000));
  const url = `${client.url}/webhook/${path}`;
  const ask = (body: object) =>
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  await each(CAUSES, async (index) => void (await ask({ fail: words(index) })));
  return {
    ids: [first.id, ...others],
    big: big.id,
    live: made.id,
    path,
    credentials,
    tags,
    async [Symbol.asyncDispose]() {
      const own: string[] = [];
      for await (const { id, name } of client.workflows.all()) if (name.startsWith(prefix)) own.push(id);
      await each(own.length, (index) => client.workflows.delete(own[index] as string));
      const left: string[] = [];
      for await (const { id, name } of client.credentials.all()) if (name.startsWith(prefix)) left.push(id);
      await each(left.length, (index) => client.credentials.delete(left[index] as string));
      for await (const { id, name } of client.tags.all()) if (name.startsWith(prefix)) await client.tags.delete(id);
    },
  };
}

/** Makes a few at a time, and returns them in order. */
async function each<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const index of numbers) made[index] = await make(index);
    }),
  );
  return made;
}

function ordinary(index: number, calls: readonly string[], credentials: readonly string[]): Node[] {
  const credential = credentials[index % credentials.length] as string;
  return [
    node('By another', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
    node(
      'Fetch',
      'httpRequest',
      4.2,
      { url: `https://api.example.com/things/${index}`, authentication: 'genericCredentialType' },
      { credentials: { httpHeaderAuth: { id: credential, name: 'key' } } },
    ),
    ...calls.map((id) =>
      node('Call', 'executeWorkflow', 1.2, { workflowId: { __rl: true, mode: 'id', value: id }, options: {} }),
    ),
    ...Array.from({ length: 10 }, (_, n) =>
      node(`Step ${n}`, 'code', 2, { jsCode: `// ${'why this is done '.repeat(8)}\nreturn $input.all(); // ${n}` }),
    ),
  ];
}

function bigBody(word: string) {
  const step = (_: unknown, index: number) =>
    node(`Step "${index}" / ${'name '.repeat(5)}`, 'set', 3.4, {
      mode: 'raw',
      jsonOutput: JSON.stringify({ text: `${word} ${index} `.repeat(40) }),
    });
  return line(node('Start', 'manualTrigger', 1), ...Array.from({ length: 300 }, step));
}

function talkative(): Node {
  const jsCode = [
    'const { fail } = $json.body;',
    'if (fail) throw new Error(fail);',
    'return Array.from({ length: 200 }, (_, n) => ({ json: { n, text: "long ".repeat(200) } }));',
  ].join('\n');
  return node('Talk', 'code', 2, { jsCode });
}

/** Different words for each index: grouping ignores numbers, so they would be one cause. */
function words(index: number): string {
  const letters = (index + 10).toString(36).repeat(4).replaceAll(/\d/g, 'x');
  return `The thing called ${letters} ${'was not what it should have been '.repeat(10)}`;
}
