import type { Credential } from '../client/shapes.ts';

export const linkKinds = ['workflow', 'credential', 'data table'] as const;

/** The kinds of things that have another id on another instance. Tags and variables have the same name everywhere. */
export type LinkKind = (typeof linkKinds)[number];

export interface Named {
  readonly id: string;
  readonly name: string;
}

/** Something on an instance that can be mapped. */
export type Mappable = Named & Partial<Pick<Credential, 'type'>>;

/** One entry of the mapping that is kept: what it is on the source, and what stands for it on the target. */
export interface Link extends Mappable {
  readonly kind: LinkKind;
  readonly to: Named;
  /** A promotion created it. */
  readonly made?: true;
  /** For a promoted workflow: how both sides were after the last promotion. */
  readonly last?: LastPromotion;
}

/** Tells whether somebody changed a workflow since. `updatedAt` also changes when a run stores data, so it proves nothing. */
export interface LastPromotion {
  readonly source: { readonly updatedAt?: string | undefined };
  /** Hash of what was written. */
  readonly written: string;
  readonly target: {
    readonly updatedAt?: string | undefined;
    readonly versionId?: string | undefined;
    /** Hash of what n8n then had. */
    readonly content: string;
    readonly description: string;
  };
}
