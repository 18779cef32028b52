/** `kubectl kustomize`, which needs no cluster. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Manifest, manifestsIn } from './manifest.ts';

const version = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });

export const kubectlIsMissing =
  version.error === undefined || process.env.CI === 'true' ? undefined : 'kubectl is not installed';

/** Debian 12 has a kubectl of 2021, with a kustomize that does not name itself. It knows no `patches`. */
export const kustomizeIsOld =
  kubectlIsMissing ?? (/"kustomizeVersion"/.test(version.stdout) ? undefined : 'kubectl is older than 1.22');

/** The objects of a folder of deploy/kustomize. */
export function kustomized(folder: string): Manifest[] {
  const path = fileURLToPath(new URL(`../../../deploy/kustomize/${folder}`, import.meta.url));
  return manifestsIn(execFileSync('kubectl', ['kustomize', path], { encoding: 'utf8', stdio: 'pipe' }));
}
