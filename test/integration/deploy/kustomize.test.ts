/** The kustomize base, and its overlay for replicas: what kubectl makes of them. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageJson from '../../../package.json' with { type: 'json' };
import { kubectlIsMissing, kustomized, kustomizeIsOld } from '../../support/kubernetes/kustomize.ts';
import { containerOf, find, type Manifest, type Workload } from '../../support/kubernetes/manifest.ts';
import { mayReach } from '../../support/kubernetes/network.ts';
import { documentedVariables, environmentOf } from '../../support/kubernetes/pod.ts';
import { referenceProblems } from '../../support/kubernetes/references.ts';
import { restrictedProblems } from '../../support/kubernetes/restricted.ts';
import { schemaProblems } from '../../support/kubernetes/schemas.ts';

function expectSound(manifests: readonly Manifest[], given: readonly string[] = []): Workload {
  expect(manifests.flatMap((one) => schemaProblems(one))).toEqual([]);
  // The ServiceAccount is the namespace's own.
  expect(referenceProblems(manifests, given)).toEqual([]);
  const workload = find(manifests, 'Deployment');
  expect(restrictedProblems(workload)).toEqual([]);
  return workload;
}

describe.skipIf(kubectlIsMissing)('the kustomize base', () => {
  test('is one Sluice with a volume, that ARK reaches', () => {
    const manifests = kustomized('base');
    const { spec } = expectSound(manifests);
    expect(spec).toMatchObject({ replicas: 1, strategy: { type: 'Recreate' } });
    const container = containerOf(find(manifests, 'Deployment'), 'sluice');
    expect(container.image).toBe(`ghcr.io/sluice/sluice:${packageJson.version}`);
    const env = environmentOf(container, {});
    expect(env.SLUICE_ALLOWED_HOSTS).toBe('sluice,sluice.prod,sluice.prod.svc,sluice.prod.svc.cluster.local');
    const known = documentedVariables().add('POD_NAMESPACE');
    expect(Object.keys(env).filter((name) => !known.has(name))).toEqual([]);
    expect(parse(find(manifests, 'ConfigMap').data?.['sluice.yaml'] ?? '')).toEqual({ auth: { mode: 'keys' } });
    const policies = [find(manifests, 'NetworkPolicy')];
    const pod = { namespace: 'prod', labels: spec.template.metadata.labels };
    const labels = { 'app.kubernetes.io/name': 'ark-controller' };
    expect(mayReach(policies, { namespace: 'ark-system', labels }, pod, 3500)).toBe(true);
    expect(mayReach(policies, { namespace: 'ark-system', labels: { app: 'ark-completions' } }, pod, 3500)).toBe(true);
    expect(mayReach(policies, { namespace: 'default', labels }, pod, 3500)).toBe(false);
    expect(mayReach(policies, { namespace: 'ark-system', labels: {} }, pod, 3500)).toBe(false);
    expect(mayReach(policies, pod, pod, 3500)).toBe(true);
  });

  test.skipIf(kustomizeIsOld)('becomes two replicas on PostgreSQL', () => {
    const manifests = kustomized('replicas');
    const { spec } = expectSound(manifests, ['sluice']);
    expect(spec).toMatchObject({ replicas: 2, strategy: { type: 'RollingUpdate' } });
    expect(manifests.map(({ kind }) => kind)).not.toContain('PersistentVolumeClaim');
    expect(spec.template.spec.volumes).toContainEqual({ name: 'data', emptyDir: {} });
    expect(find(manifests, 'PodDisruptionBudget').spec).toMatchObject({
      maxUnavailable: 1,
      selector: spec.selector,
    });
    const container = containerOf(find(manifests, 'Deployment'), 'sluice');
    expect(environmentOf(container, { 'sluice/store': 'postgres://db' })).toMatchObject({
      SLUICE_STORE: 'postgres://db',
      SLUICE_SECRET_KEY_FILE: '/run/secrets/sluice/key',
      PORT: '3500',
      POD_IP: '127.0.0.1',
    });
  });
});
