/** A service as the API has it. */
export interface Service {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly state: string;
  readonly server?: boolean;
  readonly mode?: string;
  readonly where?: string;
  readonly since?: string;
  readonly service?: string;
  readonly problem?: string;
  readonly tools?: number;
  readonly checks?: boolean;
  readonly try?: string;
  readonly needs?: { readonly lines: string; readonly variables: readonly string[] };
}

/** How a state is called for people. */
export function stateWords({ state, server }: Service): string {
  switch (state) {
    case 'ready':
      return server ? 'running' : 'reachable';
    case 'failing':
      return server ? 'failing' : 'not reachable';
    default:
      return state;
  }
}

/** How they are all together, in a sentence. */
export function summaryOf(services: readonly Service[]): string {
  const configured = services.filter(({ needs }) => needs === undefined);
  if (configured.length === 0) return 'No service of your stack is configured yet.';
  const failing = configured.filter(({ state }) => state === 'failing').length;
  const many = configured.length === 1 ? 'One service is configured' : `${configured.length} services are configured`;
  if (failing === 0) return `${many}.`;
  if (failing < configured.length) return `${many}. ${failing} of them cannot be reached.`;
  return `${many}. ${failing === 1 ? 'It cannot' : 'None of them can'} be reached.`;
}
