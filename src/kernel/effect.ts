/** What a tool does to the world. Annotations, scopes and confirmation follow from it. */
export type Effect = 'read' | 'create' | 'update' | 'delete' | 'execute';

export interface Annotations {
  title?: string;
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** MCP asks only of tools that change something whether they destroy and whether a second call changes more. */
export const hints: Readonly<Record<Effect, Partial<Omit<Annotations, 'title'>>>> = {
  read: { readOnlyHint: true, openWorldHint: false },
  create: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  delete: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  execute: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
};

/** The effect according to a backend's annotations. Without annotations assume the worst. */
export function effectOf(annotations: unknown): Effect {
  const given = (annotations ?? {}) as Partial<Annotations>;
  if (given.readOnlyHint === true) return 'read';
  if (given.destructiveHint === false) return given.idempotentHint === true ? 'update' : 'create';
  return 'execute';
}
