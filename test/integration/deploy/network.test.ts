/** Whom the chart's NetworkPolicy lets in. */
import { describe, expect, test } from 'vitest';
import { rendererIsMissing, renderChart, type Values } from '../../support/kubernetes/helm.ts';
import { find, type NetworkPolicy } from '../../support/kubernetes/manifest.ts';
import { mayReach, type Pod } from '../../support/kubernetes/network.ts';

/** As ARK's charts label their pods. */
const controller = {
  namespace: 'ark-system',
  labels: { 'app.kubernetes.io/name': 'ark-controller', 'control-plane': 'ark-controller' },
};
const executor = { namespace: 'ark-system', labels: { app: 'ark-completions' } };
const stranger = { namespace: 'default', labels: { app: 'web' } };
const neighbour = { namespace: 'prod', labels: { app: 'web' } };
const ingress = { namespace: 'ingress-nginx', labels: { 'app.kubernetes.io/name': 'ingress-nginx' } };

describe.skipIf(rendererIsMissing)('the NetworkPolicy', () => {
  function deployed(values: Values) {
    const { manifests } = renderChart(values);
    const { template } = find(manifests, 'Deployment').spec;
    const pod: Pod = { namespace: 'prod', labels: template.metadata.labels };
    const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as unknown as NetworkPolicy[];
    return { pod, reaches: (from: Pod, port: number) => mayReach(policies, from, pod, port) };
  }

  test.each([
    ['standalone', {}, 3500],
    ['sidecar', { mode: 'sidecar' }, 8080],
  ])('of %s lets in those of ARK who call tools, and nobody else', (_, values, port) => {
    const { pod, reaches } = deployed(values);
    expect(reaches(controller, port)).toBe(true);
    expect(reaches(executor, port)).toBe(true);
    expect(reaches(pod, port)).toBe(true);
    for (const { labels } of [controller, executor]) {
      expect(reaches({ namespace: 'default', labels }, port)).toBe(false);
      expect(reaches({ namespace: 'prod', labels }, port)).toBe(false);
    }
    expect(reaches({ namespace: 'ark-system', labels: { app: 'dashboard' } }, port)).toBe(false);
    for (const other of [stranger, neighbour, ingress]) expect(reaches(other, port)).toBe(false);
    expect(reaches({ ...pod, namespace: 'default' }, port)).toBe(false);
  });

  test('leaves n8n open to everybody', () => {
    const { reaches } = deployed({ mode: 'sidecar' });
    for (const who of [stranger, neighbour, ingress, controller]) expect(reaches(who, 5678)).toBe(true);
    expect(reaches(stranger, 9229)).toBe(false);
  });

  test('lets in those you name', () => {
    const named = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } };
    const { reaches } = deployed({ networkPolicy: { extraFrom: [named] } });
    expect(reaches(ingress, 3500)).toBe(true);
    expect(reaches(controller, 3500)).toBe(true);
    expect(reaches(stranger, 3500)).toBe(false);
  });

  test('knows an ARK that lives elsewhere, or none', () => {
    const pods = [{ 'app.kubernetes.io/name': 'my-ark', 'app.kubernetes.io/component': 'controller' }];
    const moved = deployed({ networkPolicy: { ark: { namespace: 'agents', pods } } });
    const mine = { namespace: 'agents', labels: pods[0] as Pod['labels'] };
    expect(moved.reaches(mine, 3500)).toBe(true);
    expect(moved.reaches({ ...mine, labels: { 'app.kubernetes.io/name': 'my-ark' } }, 3500)).toBe(false);
    expect(moved.reaches(controller, 3500)).toBe(false);
    const none = deployed({ networkPolicy: { ark: { enabled: false } } });
    expect(none.reaches(controller, 3500)).toBe(false);
    expect(none.reaches(none.pod, 3500)).toBe(true);
    expect(deployed({ networkPolicy: { enabled: false } }).reaches(stranger, 3500)).toBe(true);
  });

  test('is judged by rules that tell one entry with two selectors from two entries', () => {
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'ark-system' } };
    const podSelector = { matchLabels: controller.labels };
    const policy = (from: object[]) =>
      [{ spec: { podSelector: {}, policyTypes: ['Ingress'], ingress: [{ from }] } }] as unknown as NetworkPolicy[];
    const to = neighbour;
    const dashboard = { namespace: 'ark-system', labels: { app: 'dashboard' } };
    expect(mayReach(policy([{ namespaceSelector, podSelector }]), dashboard, to, 1)).toBe(false);
    expect(mayReach(policy([{ namespaceSelector }, { podSelector }]), dashboard, to, 1)).toBe(true);
    expect(
      mayReach(policy([{ namespaceSelector }, { podSelector }]), { ...controller, namespace: 'prod' }, to, 1),
    ).toBe(true);
    expect(mayReach(policy([]), dashboard, to, 1)).toBe(false);
  });
});
