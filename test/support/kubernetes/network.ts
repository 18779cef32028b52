/** Whom NetworkPolicies let reach a pod, by the rules of Kubernetes. */
import type { Labels, NetworkPolicy, Peer, Selector } from './manifest.ts';

export interface Pod {
  readonly namespace: string;
  readonly labels: Labels;
}

/** Every namespace has its name as a label. */
const labelsOfNamespace = (name: string): Labels => ({ 'kubernetes.io/metadata.name': name });

export function mayReach(policies: readonly NetworkPolicy[], from: Pod, to: Pod, port: number): boolean {
  // Policies select pods of their own namespace; here, all are in that of the pod that is reached.
  const isolating = policies.filter(
    ({ spec }) => spec.policyTypes.includes('Ingress') && selects(spec.podSelector, to.labels),
  );
  if (isolating.length === 0) return true;
  return isolating.some(({ spec }) =>
    (spec.ingress ?? []).some(
      ({ from: peers, ports }) =>
        (peers === undefined || peers.some((peer) => isPeer(peer, from, to.namespace))) &&
        (ports === undefined || ports.some((one) => one.port === port)),
    ),
  );
}

/** One entry with both selectors wants both; a pod selector alone is about the policy's own namespace. */
function isPeer({ namespaceSelector, podSelector, ipBlock }: Peer, pod: Pod, own: string): boolean {
  if (ipBlock) return false;
  const inside = namespaceSelector
    ? selects(namespaceSelector, labelsOfNamespace(pod.namespace))
    : pod.namespace === own;
  return inside && (podSelector === undefined || selects(podSelector, pod.labels));
}

function selects({ matchLabels = {} }: Selector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}
