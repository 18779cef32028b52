import { isRunning, type Scene } from './scene.ts';

/** Each waits for as long as an exchange may be silent. */
const MOST_SILENCES = 9;

/** How an attack has stopped the gateway; undefined if it answers. A process that ends closes its connections first. */
export async function endOf(scene: Scene, pid: number): Promise<string | undefined> {
  for (let silences = 0; silences < MOST_SILENCES; silences++) {
    if (!isRunning(pid)) return `the gateway has ended: ${scene.gateway.output().slice(-300)}`;
    if ((await scene.send({ method: 'GET', path: '/health' })).status === 200) return undefined;
  }
  return 'the gateway does not answer any more';
}
