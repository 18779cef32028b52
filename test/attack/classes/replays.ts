import { setTimeout as delay } from 'node:timers/promises';
import { as, attack, type AttackClass, call, type Mode, type Oracle, rpc, type Scene, type Wire } from '../attack.ts';
import type { Reply } from '../exchange.ts';
import { replicaStage } from '../stages.ts';

/** A token of the identity provider is for one of the addresses, so these are the modes without or with keys. */
const modes: readonly Mode[] = ['none', 'keys', 'both'];

/** A session of 2025 belongs to the first replica. The second one passes its requests on, past somebody who listens. */
async function session(scene: Scene): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'attack', version: '1' } };
  const { headers, text } = await scene.send(as(scene, 'owner', { body: rpc('initialize', params) }));
  const id = headers.get('mcp-session-id');
  if (id === undefined) throw new Error(`There is no session: ${text.slice(0, 500)}`);
  return id;
}

const inSession = (scene: Scene, id: string, tag: string): Wire =>
  as(scene, 'owner', {
    headers: [
      ['Mcp-Session-Id', id],
      ['MCP-Protocol-Version', '2025-11-25'],
    ],
    body: call('open__slow', { ms: 0, tag }),
  });

const calls = ({ around }: Scene, tag: string): number =>
  around.world.journal.filter((line) => line === `slow finished ${tag}`).length;

/** The bytes with which the second replica passed a call on, to be sent once more. */
function heard(scene: Scene, tag: string): string | undefined {
  const said = scene.eavesdropper?.heard.map((bytes) => bytes.toString('latin1')) ?? [];
  const found = said.flatMap((text) => text.split(/(?=POST \/mcp)/)).find((text) => text.includes(tag));
  return found?.replace(/^connection: .*\r\n/im, 'Connection: close\r\n');
}

async function overheard(scene: Scene, tag: string): Promise<string> {
  const reply: Reply = await scene.send(inSession(scene, await session(scene), tag), scene.second);
  if (calls(scene, tag) !== 1) throw new Error(`It was not passed on: ${reply.text.slice(0, 500)}`);
  const found = heard(scene, tag);
  if (found === undefined) throw new Error('Nothing was heard.');
  return found;
}

/** What did not arrive, because somebody held it. */
async function held(scene: Scene, tag: string): Promise<string> {
  const wire = inSession(scene, await session(scene), tag);
  const { eavesdropper } = scene;
  eavesdropper?.hold(true);
  const sent = scene.send(wire, scene.second);
  for (;;) {
    const found = heard(scene, tag);
    if (await Promise.race([sent.then(() => true), delay(20, false)])) throw new Error('It was not held.');
    if (found === undefined) continue;
    eavesdropper?.hold(false);
    return found;
  }
}

const twice: Oracle = (_, scene, tag) => {
  const times = calls(scene, tag);
  return times > 1 ? `the call was made ${times} times` : undefined;
};

const other = (tag: string) => tag.replace(/^tag/, 'gat');

const unasked: Oracle = (_, scene, tag) =>
  calls(scene, other(tag)) > 0 ? 'a call was made that nobody passed on' : undefined;

const replays: readonly [string, (text: string, tag: string) => string, Oracle][] = [
  ['as it was', (text) => text, twice],
  ['with another call', (text, tag) => text.replace(tag, other(tag)), unasked],
  ['without a credential', (text) => text.replace(/^authorization: .*\r\n/im, ''), twice],
];

/** Sends a call, and changes it on the way to the first replica. */
async function changed(scene: Scene, tag: string, to: { readonly url: string } | undefined): Promise<Wire> {
  const wire = inSession(scene, await session(scene), tag);
  using _ = scene.eavesdropper?.meddle((text) => text.replace(tag, other(tag)));
  await scene.send(wire, to);
  return as(scene, 'owner', { body: rpc('ping') });
}

export const replayClass: AttackClass = {
  name: 'replays',
  title: 'Requests between replicas, heard and sent again, or changed on the way',
  stage: replicaStage,
  inOrder: true,
  attacks: [
    ...replays.map(([name, change, through]) =>
      attack(
        `a forwarded call again, ${name}`,
        modes,
        async (scene, tag) => ({ bytes: Buffer.from(change(await overheard(scene, tag), tag), 'latin1') }),
        through,
        ['postgres'],
      ),
    ),
    attack('a forwarded call, changed on the way', modes, (scene, tag) => changed(scene, tag, scene.second), unasked, [
      'postgres',
    ]),
    attack(
      'a forwarded call that did not arrive, with another call',
      modes,
      async (scene, tag) => ({ bytes: Buffer.from((await held(scene, tag)).replace(tag, other(tag)), 'latin1') }),
      unasked,
      ['postgres'],
    ),
  ],
  controls: [
    attack(
      'a forwarded call that did not arrive, sent by whoever held it',
      modes,
      async (scene, tag) => ({ bytes: Buffer.from(await held(scene, tag), 'latin1') }),
      (_, scene, tag) => (calls(scene, tag) === 1 ? 'the call was made' : undefined),
      ['postgres'],
    ),
    attack(
      'the second replica passes a call on twice',
      modes,
      async (scene, tag) => {
        const id = await session(scene);
        await scene.send(inSession(scene, id, tag), scene.second);
        const wire = inSession(scene, id, tag);
        await scene.send(wire, scene.second);
        return wire;
      },
      twice,
      ['postgres'],
    ),
    attack(
      'a call of a client, changed on the way',
      modes,
      (scene, tag) => changed(scene, tag, scene.eavesdropper),
      unasked,
      ['postgres'],
    ),
  ],
};
