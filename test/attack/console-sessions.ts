import type { Scene, Who } from './attack.ts';
import { jsonOf, type Reply } from './exchange.ts';

export type Headers = readonly (readonly [string, string])[];

export const SESSION = '/api/v1/session';

export const kept = (scene: Scene, name: string): string => scene.kept.get(`console ${name}`) ?? '';
export const cookieOf = (scene: Scene, who: string) => ['Cookie', kept(scene, `${who} cookie`)] as const;
export const csrfOf = (scene: Scene, who: string) => ['X-Sluice-Csrf', kept(scene, `${who} csrf`)] as const;
/** What the console's page sends after somebody signed in. */
export const signedIn = (scene: Scene, who: string): Headers => [cookieOf(scene, who), csrfOf(scene, who)];

export const setCookieOf = ({ headers }: Reply): string => (headers.get('set-cookie') ?? '').split(';')[0] ?? '';

export async function signIn(scene: Scene, name: string, headers: Headers): Promise<void> {
  const cookie = setCookieOf(await scene.send({ path: SESSION, headers }));
  if (cookie === '') throw new Error(`${name} could not sign in.`);
  const who: { csrf?: string } | undefined = jsonOf(
    await scene.send({ method: 'GET', path: SESSION, headers: [['Cookie', cookie]] }),
  );
  scene.kept.set(`console ${name} cookie`, cookie);
  scene.kept.set(`console ${name} csrf`, who?.csrf ?? '');
}

export async function signInAll(scene: Scene, people: readonly Who[]): Promise<void> {
  if (scene.mode !== 'none') for (const who of people) await signIn(scene, who, scene.as(who));
}
