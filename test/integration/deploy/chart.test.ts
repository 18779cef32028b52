/** Every shape of the Helm chart, held against Kubernetes' schemas and its rules. */
import { describe, expect, test } from 'vitest';
import { rendererIsMissing } from '../../support/kubernetes/helm.ts';
import type { Workload } from '../../support/kubernetes/manifest.ts';
import { referenceProblems } from '../../support/kubernetes/references.ts';
import { restrictedProblems } from '../../support/kubernetes/restricted.ts';
import { schemaProblems } from '../../support/kubernetes/schemas.ts';
import { shape, shapes, workloadOf } from '../../support/kubernetes/shapes.ts';

describe.skipIf(rendererIsMissing)('the Helm chart', () => {
  describe.each(Object.entries(shapes))('%s', (name, { given }) => {
    test('is what Kubernetes accepts', () => {
      const { manifests } = shape(name);
      expect(manifests.length).toBeGreaterThan(2);
      expect(manifests.flatMap((one) => schemaProblems(one).map((problem) => `${one.kind} ${problem}`))).toEqual([]);
    });

    test('refers to nothing that does not exist', () => {
      expect(referenceProblems(shape(name).manifests, given)).toEqual([]);
    });

    test('may run in a namespace with restricted pod security', () => {
      expect(restrictedProblems(workloadOf(name))).toEqual([]);
    });

    test('keeps secrets out of ConfigMaps, pods and notes', () => {
      const { manifests, notes } = shape(name);
      const text = JSON.stringify(manifests.filter(({ kind }) => kind !== 'Secret')) + notes;
      for (const secret of ['store-password', 'a-secret-key-of', 'a-token-f']) expect(text).not.toContain(secret);
    });

    test('says what to do next', () => {
      expect(shape(name).notes).toMatch(/kubectl (exec|create)|mcp\.enabled/);
      expect(shape(name).notes).not.toContain('<no value>');
    });
  });

  describe('the rules find', () => {
    /** The Deployment with one value changed, or removed. */
    function changed(path: string, value?: unknown): Workload {
      const copy = structuredClone(workloadOf('as it comes'));
      const keys = path
        .replace('pod/', 'spec/template/spec/')
        .replace('container/', 'spec/template/spec/containers/0/')
        .split('/');
      const last = keys.pop() as string;
      const parent = keys.reduce<object>((at, key) => Reflect.get(at, key) as object, copy);
      if (value === undefined) Reflect.deleteProperty(parent, last);
      else Reflect.set(parent, last, value);
      return copy;
    }

    test.each([
      ['container/imagePolicy', 'Always', /^\/spec\/template\/spec\/containers\/0\/imagePolicy: unknown field$/],
      ['spec/strategie', {}, /^\/spec\/strategie: unknown field$/],
      ['statuss', 1, /^\/statuss: unknown field$/],
      ['spec/replicas', '2', /replicas.*integer/],
      ['spec/selector', undefined, /required.*selector/],
      ['container/imagePullPolicy', 'Sometimes', /imagePullPolicy/],
      ['apiVersion', 'apps/v2', /There is no schema of apps\/v2 Deployment/],
    ])('what Kubernetes refuses in %s', (path, value, problem) => {
      const found = schemaProblems(changed(path, value));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(problem);
    });

    test.each([
      ['pod/securityContext/seccompProfile', undefined, /seccomp/],
      ['pod/securityContext/runAsUser', 0, /numeric user/],
      ['pod/hostNetwork', true, /hostNetwork/],
      ['pod/automountServiceAccountToken', true, /token of the cluster/],
      ['pod/volumes/1', { name: 'tmp', hostPath: { path: '/tmp' } }, /volume tmp/],
      ['container/securityContext/allowPrivilegeEscalation', true, /escalate/],
      ['container/securityContext/privileged', true, /privileged/],
      ['container/securityContext/capabilities/add', ['NET_ADMIN'], /adds capabilities/],
      ['container/securityContext/capabilities/drop', [], /keeps capabilities/],
      ['container/securityContext/runAsUser', 0, /runs as root/],
      ['container/resources/limits', undefined, /limit of memory/],
    ])('what restricted pod security refuses in %s', (path, value, problem) => {
      const found = restrictedProblems(changed(path, value));
      expect(found).toHaveLength(1);
      expect(found[0]).toMatch(problem);
    });

    test('names that lead nowhere', () => {
      const { manifests } = shape('as it comes');
      const without = (kind: string) => manifests.filter((one) => one.kind !== kind);
      expect(referenceProblems(without('ConfigMap'))).toEqual(['ConfigMap demo-sluice does not exist']);
      expect(referenceProblems(without('PersistentVolumeClaim'))).toHaveLength(1);
      expect(referenceProblems([...without('Deployment'), changed('spec/template/metadata/labels', {})])).toEqual([
        'the Deployment does not select its pods',
        'demo-sluice selects no pods',
      ]);
      expect(referenceProblems([...without('Deployment'), changed('container/ports/0/name', 'web')])).toHaveLength(1);
    });
  });
});
