const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** POST /api/v1/bridge/hook/{instance}, as OpenAPI describes it. */
export const hookOperation = {
  operationId: 'bridgeHook',
  summary: "Tells the bridge that something changed in n8n; sent by n8n's hook file",
  tags: ['bridge'],
  parameters: [
    header('X-Sluice-Timestamp', 'Seconds since 1970, at most five minutes from our clock'),
    header('X-Sluice-Signature', 'sha256= and the HMAC-SHA256 of timestamp, dot and body, in hexadecimal'),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['event'],
          properties: {
            event: { type: 'string', examples: ['workflow.afterUpdate'] },
            workflow: { type: 'string', description: 'Its id; everything is looked at without it' },
          },
        },
      },
    },
  },
  responses: {
    202: { description: 'Heard: what changed is read from n8n' },
    401: { description: 'The signature is wrong, too old, or was used before' },
  },
} as const;
