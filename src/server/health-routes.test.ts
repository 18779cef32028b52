import { expect, test } from 'vitest';
import { localOwner } from '../kernel/principal.ts';
import { healthRoutes, READY } from './health-routes.ts';

async function ask(query: string, given: Partial<Parameters<typeof healthRoutes>[0]>) {
  const route = healthRoutes({ version: '1.0.0', ready: () => true, ...given }).find(({ path }) => path === READY);
  const request = new Request(`http://localhost${READY}${query}`);
  const answer = await route?.handle({ request, params: {}, principal: localOwner, isBrowser: false, address: '' });
  return [answer?.status, await answer?.json()];
}

test.each([
  ['takes requests', '', {}, [200, { status: 'ready' }]],
  ['starts', '', { ready: () => false }, [503, { status: 'starting' }]],
  ['stops', '', { unready: () => 'stopping' as const }, [503, { status: 'stopping' }]],
  ['stops, for HAProxy', '?stopping=404', { unready: () => 'stopping' as const }, [404, { status: 'stopping' }]],
  ['starts, for HAProxy', '?stopping=404', { ready: () => false }, [503, { status: 'starting' }]],
  [
    'goes on without its store',
    '',
    { storeTrouble: () => 'not writable' as const },
    [200, { status: 'ready', store: 'not writable' }],
  ],
])('says that it %s', async (_, query, given, answer) => {
  expect(await ask(query, given)).toEqual(answer);
});
