import type { Workflow } from '../client/shapes.ts';
import type { Link } from './link.ts';

/** One change that a promotion makes on the target, with what is needed to undo it. */
export type Step =
  | { readonly kind: 'tag'; readonly name: string; readonly id?: string }
  | { readonly kind: 'data table'; readonly name: string; readonly source: string; readonly id?: string }
  /** Its id is chosen before it is created. */
  | {
      readonly kind: 'credential';
      readonly id: string;
      readonly name: string;
      readonly type: string;
      readonly source: string;
      readonly updatedAt?: string | undefined;
    }
  | ({
      readonly kind: 'create';
      readonly id?: string /** To find it if n8n's answer was lost. */;
      readonly nodes: readonly string[];
    } & OfWorkflow)
  | ({
      readonly kind: 'update';
      readonly id: string;
      readonly backup: string;
      readonly content: string;
      /** The version that was live before; null: none was. */
      readonly live?: string | null;
      /** The names of its tags afterwards. */
      readonly tags?: readonly string[];
    } & OfWorkflow)
  | {
      readonly kind: 'publish';
      readonly id: string;
      readonly name: string;
      readonly wasActive: boolean;
      readonly versionBefore?: string | undefined;
      readonly version?: string | undefined;
    };

interface OfWorkflow {
  /** Id on the source. */
  readonly source: string;
  readonly name: string;
  /** Hash of what n8n had after the change. */
  readonly written?: string;
  /** The entry of the mapping before. */
  readonly linkBefore?: Link | undefined;
}

/** Whether a workflow is the one that a step created. Without its id, name and nodes tell: no other had the name then. */
export function isMadeBy(step: Step & { kind: 'create' }, { id, name, isArchived, nodes }: Workflow): boolean {
  if (step.id !== undefined) return step.id === id;
  const ids = nodes.flatMap((node) => node.id ?? []).sort();
  return name === step.name && !isArchived && JSON.stringify(ids) === JSON.stringify([...step.nodes].sort());
}

export const tagNames = ({ tags }: Workflow): string[] => (tags ?? []).map(({ name }) => name).sort();

export const liveVersionOf = ({ active, activeVersionId }: Workflow): string | null =>
  active ? (activeVersionId ?? null) : null;

export function stepText(step: Step): string {
  switch (step.kind) {
    case 'tag':
      return `the tag "${step.name}"`;
    case 'data table':
      return `the data table "${step.name}"`;
    case 'credential':
      return `the credential "${step.name}" (${step.type})`;
    case 'publish':
      return `publishing "${step.name}"`;
    default:
      return `the workflow "${step.name}"`;
  }
}
