/** Names in one object that have to be those of another. */
import { containersOf, type Labels, type Manifest, type Service, type Workload } from './manifest.ts';

const DNS_LABEL = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]{0,61})?[A-Za-z0-9])?$/;

/** `given` are names of Secrets and claims that the user has made. */
export function referenceProblems(manifests: readonly Manifest[], given: readonly string[] = []): string[] {
  const workload = manifests.find(({ kind }) => kind === 'Deployment') as Workload;
  const { metadata, spec: pod } = workload.spec.template;
  const has = (kind: string, name: string) =>
    given.includes(name) || manifests.some((one) => one.kind === kind && one.metadata.name === name);
  const missing = (kind: string, name: string | undefined) =>
    name === undefined || has(kind, name) ? [] : [`${kind} ${name} does not exist`];
  const containers = containersOf(workload);
  return [
    ...manifests
      .filter(({ metadata: { name } }) => !DNS_LABEL.test(name))
      .map(({ kind, metadata: { name } }) => `${kind} is called ${name}`),
    ...manifests.flatMap(({ kind, metadata: { labels = {} } }) =>
      Object.values(labels)
        .filter((value) => !LABEL_VALUE.test(value))
        .map((value) => `${kind} has the label ${value}`),
    ),
    ...twice(manifests.map(({ kind, metadata: { name } }) => `${kind} ${name}`)),
    ...missing('ServiceAccount', pod.serviceAccountName === 'default' ? undefined : pod.serviceAccountName),
    ...(pod.volumes ?? []).flatMap((volume) => [
      ...missing('PersistentVolumeClaim', volume.persistentVolumeClaim?.claimName),
      ...missing('ConfigMap', volume.configMap?.name),
      ...missing('Secret', volume.secret?.secretName),
    ]),
    ...containers.flatMap(({ env = [] }) =>
      env.flatMap(({ valueFrom }) => missing('Secret', valueFrom?.secretKeyRef?.name)),
    ),
    ...containers.flatMap(({ name, volumeMounts = [] }) =>
      volumeMounts
        .filter((mount) => !pod.volumes?.some((volume) => volume.name === mount.name))
        .map((mount) => `${name} mounts ${mount.name}, which is no volume`),
    ),
    ...containers.flatMap(({ name, env = [] }) => twice(env.map((one) => `${name} ${one.name}`))),
    ...(selects(workload.spec.selector.matchLabels, metadata.labels)
      ? []
      : ['the Deployment does not select its pods']),
    ...manifests.filter((one) => one.kind === 'Service').flatMap((one) => serviceProblems(one as Service, workload)),
    ...manifests.flatMap((one) =>
      backendsOf(one).flatMap(([name, port]) =>
        manifests.some(
          (service) =>
            service.kind === 'Service' &&
            service.metadata.name === name &&
            (service as Service).spec.ports.some((found) => found.port === port),
        )
          ? []
          : [`${one.kind} leads to ${name}:${port}, which does not exist`],
      ),
    ),
  ];
}

function serviceProblems({ metadata, spec }: Service, workload: Workload): string[] {
  const ports = workload.spec.template.spec.containers.flatMap((one) => one.ports ?? []);
  const open = new Set(ports.map(({ name }) => name));
  return [
    ...(selects(spec.selector, workload.spec.template.metadata.labels) ? [] : [`${metadata.name} selects no pods`]),
    ...spec.ports
      .filter(({ targetPort }) => !open.has(String(targetPort)))
      .map(({ targetPort }) => `${metadata.name} leads to the port ${targetPort}, which no container has`),
  ];
}

interface IngressSpec {
  rules: { http: { paths: { backend: { service: { name: string; port: { number: number } } } }[] } }[];
}
interface RouteSpec {
  rules: { backendRefs: { name: string; port: number }[] }[];
}

function backendsOf({ kind, spec }: Manifest): [string, number][] {
  if (kind === 'Ingress')
    return (spec as unknown as IngressSpec).rules.flatMap(({ http }) =>
      http.paths.map(({ backend: { service } }): [string, number] => [service.name, service.port.number]),
    );
  if (kind === 'HTTPRoute')
    return (spec as unknown as RouteSpec).rules.flatMap(({ backendRefs }) =>
      backendRefs.map(({ name, port }): [string, number] => [name, port]),
    );
  return [];
}

const twice = (names: readonly string[]) =>
  names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`);

const selects = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);
