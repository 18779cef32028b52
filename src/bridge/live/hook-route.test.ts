import { describe, expect, test } from 'vitest';
import type { Fact } from '../../kernel/facts.ts';
import { createHookReceiver } from './hook-route.ts';
import { signHook } from './hook-signature.ts';

const secret = 'f'.repeat(64);
const seconds = 1_700_000_000;

function receiver() {
  const facts: Fact[] = [];
  const told: [string, string | undefined][] = [];
  const asked: string[] = [];
  let now = seconds * 1000;
  const receive = createHookReceiver(
    {
      events: { record: (fact) => void facts.push(fact) },
      names: () => ['default'],
      async secret(instance) {
        asked.push(instance);
        return secret;
      },
      told: (...what) => void told.push(what),
    },
    () => now,
  );
  return { facts, told, asked, receive, later: (ms: number) => (now += ms) };
}

function hook(body: string, signature = signHook(secret, String(seconds), body)): Request {
  const headers = { 'x-sluice-timestamp': String(seconds), 'x-sluice-signature': signature };
  return new Request('http://127.0.0.1/hook', { method: 'POST', headers, body });
}

describe('a hook', () => {
  test('triggers a scan of its workflow', async () => {
    const { receive, told, facts } = receiver();
    const answer = await receive('default', hook('{"event":"workflow.activate","workflow":"w1"}'));
    expect(answer.status).toBe(202);
    expect(told).toEqual([['default', 'w1']]);
    expect(facts).toEqual([]);
  });

  test('without a workflow triggers a full scan', async () => {
    const { receive, told } = receiver();
    await receive('default', hook('{"event":"tag.afterUpdate"}'));
    expect(told).toEqual([['default', undefined]]);
  });

  test('with a wrong signature is refused, with at most one event a minute', async () => {
    const { receive, told, facts, later } = receiver();
    for (let times = 0; times < 5; times++) {
      await expect(receive('default', hook('{"event":"x"}', 'sha256=00'))).rejects.toMatchObject({
        code: 'unauthenticated',
      });
    }
    later(61_000);
    await expect(receive('default', hook('{"event":"x"}', 'sha256=00'))).rejects.toThrow('signature is wrong');
    expect(told).toEqual([]);
    expect(facts).toMatchObject([
      { type: 'bridge.hook_refused', instance: 'default', times: 1 },
      { type: 'bridge.hook_refused', instance: 'default', times: 5 },
    ]);
    expect(JSON.stringify(facts)).not.toContain(secret);
  });

  test.each(['nonsense', '__proto__', ''])(
    'for the unknown n8n "%s" is refused before its secret is looked up',
    async (name) => {
      const { receive, asked } = receiver();
      await expect(receive(name, hook('{"event":"x"}'))).rejects.toMatchObject({ code: 'not_found' });
      expect(asked).toEqual([]);
    },
  );

  test.each([
    'not json',
    '[]',
    '{"workflow":1,"event":"x"}',
    '{"workflow":"w"}',
    `{"event":"x","workflow":"${'w'.repeat(65)}"}`,
  ])('with body %s is bad input', async (body) => {
    const { receive, told } = receiver();
    await expect(receive('default', hook(body))).rejects.toMatchObject({ code: 'invalid_input' });
    expect(told).toEqual([]);
  });
});
