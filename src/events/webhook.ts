/** Where and how to send events. */
export interface Webhook {
  name: string;
  url: string;
  /** Signs the deliveries. */
  secret?: string;
  /** Globs over event types. */
  filter: string[];
  /** Globs over principal ids; their calls are not sent. */
  exceptPrincipals: string[];
  batch: number;
  headers: Record<string, string>;
  timeout: number;
  retry: { first: number; most: number };
  tries: number;
  maxWaiting: number;
}

/** The status of a webhook, without its URL: the URLs of n8n webhooks contain a secret. */
export interface WebhookStatus {
  name: string;
  host: string;
  state: 'delivering' | 'failing' | 'elsewhere';
  /** Recorded events not delivered yet, including unwanted ones. */
  waiting: number;
  /** Time of the oldest of them. */
  oldest?: string;
  delivered: number;
  /** Set aside because the receiver refused them. */
  dead: number;
  /** Dead events dropped since start: too many or too old. */
  droppedDead?: number;
  /** Never sent because the queue was full. */
  skipped: number;
  full?: boolean;
  problem?: { reason: string; since: string };
  retryAt?: string;
}
