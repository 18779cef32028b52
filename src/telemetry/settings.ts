import { z } from 'zod';
import { flag, integer } from '../host/config/scalars.ts';

/** `GET /metrics`. */
export const metricsSection = z.strictObject({
  enabled: flag.default(true),
  /** Whether Prometheus may read without a key. */
  public: flag.default(false),
  /** How many tools have series of their own; the rest of each source counts as one. */
  maxTools: integer(1, 10_000).default(500),
});
