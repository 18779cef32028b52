import { parseAllDocuments } from 'yaml';

export type Labels = Readonly<Record<string, string>>;

export interface EnvironmentEntry {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name: string; readonly key: string };
    readonly fieldRef?: { readonly fieldPath: string };
  };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvironmentEntry[];
  readonly ports?: readonly { name: string; containerPort: number }[];
  readonly volumeMounts?: readonly { name: string; mountPath: string; subPath?: string; readOnly?: boolean }[];
  readonly resources?: { requests?: Labels; limits?: Labels };
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly securityContext?: Readonly<Record<string, unknown>> & { capabilities?: { drop?: string[]; add?: string[] } };
}

interface Probe {
  readonly httpGet: { path: string; port: string | number };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly {
    name: string;
    persistentVolumeClaim?: { claimName: string };
    configMap?: { name: string };
    secret?: { secretName: string };
    emptyDir?: object;
  }[];
  readonly securityContext?: Readonly<Record<string, unknown>>;
  readonly serviceAccountName?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly [more: string]: unknown;
}

/** An object of Kubernetes. Its spec has the shape of its kind. */
export interface Manifest<Spec = Readonly<Record<string, unknown>>> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  readonly spec: Spec;
  readonly data?: Labels;
  readonly stringData?: Labels;
}

export type Workload = Manifest<{
  readonly replicas?: number;
  readonly strategy: { type: string };
  readonly selector: { matchLabels: Labels };
  readonly template: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
}>;

export type Service = Manifest<{
  readonly type?: string;
  readonly publishNotReadyAddresses?: boolean;
  readonly selector: Labels;
  readonly ports: readonly { name: string; port: number; targetPort: string | number }[];
}>;

export interface Selector {
  readonly matchLabels?: Labels;
}

export interface Peer {
  readonly namespaceSelector?: Selector;
  readonly podSelector?: Selector;
  readonly ipBlock?: { readonly cidr: string };
}

export type NetworkPolicy = Manifest<{
  readonly podSelector: Selector;
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly {
    readonly from?: readonly Peer[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}>;

/** The objects of a YAML text. Duplicate keys and other mistakes throw. */
export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text).flatMap((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem) throw new Error(`${problem.message}\n${text}`);
    const value = document.toJS() as Manifest | null;
    return value === null ? [] : [value];
  });
}

interface Kinds {
  readonly Deployment: Workload;
  readonly NetworkPolicy: NetworkPolicy;
  readonly Service: Service;
}

type OfKind<Kind> = Kind extends keyof Kinds ? Kinds[Kind] : Manifest;

/** The only object of this kind, or of this name. */
export function find<Kind extends string>(manifests: readonly Manifest[], kind: Kind, name?: string): OfKind<Kind> {
  const found = manifests.filter((one) => one.kind === kind && (name === undefined || one.metadata.name === name));
  if (found.length !== 1) throw new Error(`There are ${found.length} ${kind} ${name ?? ''}, not one`);
  return found[0] as OfKind<Kind>;
}

export const containersOf = ({ spec }: Workload): Container[] => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
];

export function containerOf(workload: Workload, name: string): Container {
  const found = containersOf(workload).find((one) => one.name === name);
  if (!found) throw new Error(`There is no container ${name}`);
  return found;
}
