/**
 * ARK's custom resources, `ark.mckinsey.com/v1alpha1`, as its Go types had them in September 2026 (0.1.69-rc). Every field
 * of the parts that Sluice writes is here; a field that is not makes the check fail, as a strict `kubectl apply` does.
 */
import { z } from 'zod';

const name = z.string().min(1);
/** A Go duration. */
const duration = z.string().regex(/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/);
/** What Kubernetes takes as the name of an object. */
export const objectName = z
  .string()
  .max(253)
  .regex(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/);

const metadata = z.strictObject({
  name: objectName,
  namespace: z
    .string()
    .max(63)
    .regex(/^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/)
    .optional(),
  labels: z.record(z.string(), z.string().max(63)).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
});

const keyOf = z.strictObject({ name, key: z.string(), optional: z.boolean().optional() });
const ofQuery = z.strictObject({ name });

const serviceRef = z.strictObject({
  name: z.string(),
  namespace: z.string().optional(),
  /** The name of the port, not its number. */
  port: z.string().optional(),
  path: z.string().optional(),
});

const address = z.strictObject({
  value: z.string().optional(),
  valueFrom: z
    .strictObject({
      secretKeyRef: keyOf.optional(),
      configMapKeyRef: keyOf.optional(),
      serviceRef: serviceRef.optional(),
      queryParameterRef: ofQuery.optional(),
    })
    .optional(),
});

const header = z.strictObject({
  name,
  value: z.strictObject({
    value: z.string().optional(),
    valueFrom: z
      .strictObject({
        secretKeyRef: keyOf.optional(),
        configMapKeyRef: keyOf.optional(),
        queryParameterRef: ofQuery.optional(),
      })
      .optional(),
  }),
});

const tokenSecretRef = z.strictObject({
  name: z.string(),
  accessTokenKey: z.string().optional(),
  refreshTokenKey: z.string().optional(),
  expiresAtKey: z.string().optional(),
  clientIDKey: z.string().optional(),
  clientSecretKey: z.string().optional(),
});

const of = <Kind extends string, Spec extends z.ZodType>(kind: Kind, spec: Spec) =>
  z.strictObject({ apiVersion: z.literal('ark.mckinsey.com/v1alpha1'), kind: z.literal(kind), metadata, spec });

/** Its name becomes the value of a label of each Tool: at most 63 characters. */
export const mcpServer = of(
  'MCPServer',
  z.strictObject({
    address,
    headers: z.array(header).optional(),
    timeout: duration.default('30s'),
    toolCallTimeout: duration.optional(),
    transport: z.enum(['http', 'sse']),
    description: z.string().optional(),
    pollInterval: duration.default('1m'),
    authorization: z.strictObject({ tokenSecretRef }).optional(),
  }),
);

const agentTool = z.strictObject({
  type: z.enum(['built-in', 'custom', 'mcp', 'http', 'agent', 'team', 'builtin']),
  name,
  description: z.string().optional(),
});

export const agent = of(
  'Agent',
  z.strictObject({
    prompt: z.string().optional(),
    description: z.string().optional(),
    modelRef: z.strictObject({ name, namespace: z.string().optional() }).optional(),
    executionEngine: z.strictObject({ name, namespace: z.string().optional() }).optional(),
    tools: z.array(agentTool).optional(),
  }),
);

export const query = of(
  'Query',
  z.strictObject({
    type: z.literal('user').optional(),
    input: z.string(),
    target: z.strictObject({ type: z.enum(['agent', 'team', 'model', 'tool']), name }),
    sessionId: name.optional(),
    conversationId: name.optional(),
    timeout: duration.optional(),
    ttl: duration.optional(),
  }),
);

export const resource = z.discriminatedUnion('kind', [mcpServer, agent, query]);

export type McpServer = z.output<typeof mcpServer>;
export type Agent = z.output<typeof agent>;
export type Query = z.output<typeof query>;
