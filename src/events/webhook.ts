/** Where events are sent, and how. */
export interface Webhook {
  name: string;
  url: string;
  /** Signs what is sent. */
  secret?: string;
  /** Globs over event types. */
  filter: string[];
  /** Globs over the ids of principals whose calls are not sent. */
  exceptPrincipals: string[];
  batch: number;
  headers: Record<string, string>;
  timeout: number;
  retry: { first: number; most: number };
  tries: number;
  maxWaiting: number;
}

/** How a webhook is doing, without its address: n8n's carry a secret. */
export interface WebhookStatus {
  name: string;
  host: string;
  state: 'delivering' | 'failing' | 'elsewhere';
  /** Events recorded and not delivered yet, wanted or not. */
  waiting: number;
  /** When the oldest of them happened. */
  oldest?: string;
  delivered: number;
  /** Set aside, because the receiver refused them. */
  dead: number;
  /** Of those, dropped since the start: too many, or too old. */
  droppedDead?: number;
  /** Never sent, because too many were waiting. */
  skipped: number;
  full?: boolean;
  problem?: { reason: string; since: string };
  retryAt?: string;
}
