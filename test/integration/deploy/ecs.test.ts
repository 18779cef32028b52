/** The task definition for ECS: what RegisterTaskDefinition of AWS takes for Fargate, and what the image needs. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../../src/host/config/load.ts';
import { parts } from '../../../src/parts.ts';
import { version } from '../../../src/version.ts';

const arn = (service: string) => z.string().startsWith(`arn:aws:${service}:`);
const pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }));

/** Keys and limits are AWS's; nothing unknown passes. On Fargate, memory has to fit to the cpu. */
const taskDefinition = z.strictObject({
  family: z.string().regex(/^[\w-]{1,255}$/),
  requiresCompatibilities: z.tuple([z.literal('FARGATE')]),
  networkMode: z.literal('awsvpc'),
  cpu: z.literal('512'),
  memory: z.enum(['1024', '2048', '3072', '4096']),
  runtimePlatform: z.strictObject({
    cpuArchitecture: z.enum(['X86_64', 'ARM64']),
    operatingSystemFamily: z.literal('LINUX'),
  }),
  executionRoleArn: arn('iam'),
  taskRoleArn: arn('iam'),
  volumes: z.array(z.strictObject({ name: z.string() })),
  containerDefinitions: z.tuple([
    z.strictObject({
      name: z.string(),
      image: z.string(),
      essential: z.literal(true),
      user: z.string().regex(/^[1-9]\d*:[1-9]\d*$/),
      readonlyRootFilesystem: z.literal(true),
      // Fargate takes no tmpfs, and no capabilities to add but SYS_PTRACE.
      linuxParameters: z.strictObject({ capabilities: z.strictObject({ drop: z.tuple([z.literal('ALL')]) }) }),
      portMappings: z.array(
        z.strictObject({
          name: z.string(),
          containerPort: z.int(),
          protocol: z.literal('tcp'),
          appProtocol: z.literal('http'),
        }),
      ),
      environment: pairs,
      secrets: z.array(z.strictObject({ name: z.string(), valueFrom: arn('secretsmanager') })),
      mountPoints: z.array(z.strictObject({ sourceVolume: z.string(), containerPath: z.string() })),
      healthCheck: z.strictObject({
        command: z.array(z.string()),
        interval: z.int().min(5).max(300),
        timeout: z.int().min(2).max(60),
        retries: z.int().min(1).max(10),
        startPeriod: z.int().min(0).max(300),
      }),
      // Fargate's most.
      stopTimeout: z.int().max(120),
      logConfiguration: z.strictObject({
        logDriver: z.literal('awslogs'),
        options: z.record(z.string().startsWith('awslogs-'), z.string()),
      }),
    }),
  ]),
});

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const task = taskDefinition.parse(JSON.parse(await read('deploy/ecs/task-definition.json')));
const [container] = task.containerDefinitions;

test('has the image, its port and its health check', async () => {
  expect(container.image).toBe(`ghcr.io/sluice/sluice:${version}`);
  expect(container.portMappings.map(({ containerPort }) => containerPort)).toEqual([8000]);
  const check = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(await read('Dockerfile'))?.[1] ?? '';
  expect(container.healthCheck.command).toEqual(['CMD', ...(JSON.parse(check) as string[])]);
});

test('mounts what the image writes to, on volumes that exist', async () => {
  const volumes = /^VOLUME (\[.*\])$/m.exec(await read('Dockerfile'))?.[1] ?? '';
  expect(container.mountPoints.map(({ containerPath }) => containerPath)).toEqual(JSON.parse(volumes));
  expect(container.mountPoints.map(({ sourceVolume }) => sourceVolume)).toEqual(task.volumes.map(({ name }) => name));
});

test('takes its secrets from Secrets Manager, and Sluice loads the rest', async () => {
  const given = Object.fromEntries(container.environment.map(({ name, value }) => [name, value]));
  const secrets = container.secrets.map(({ name }) => name);
  expect(secrets).toEqual(['MCP_AUTH_TOKEN', 'SLUICE_STORE', 'SLUICE_SECRET_KEY']);
  expect(Object.keys(given).filter((name) => secrets.includes(name) || /TOKEN|KEY|PASSWORD/.test(name))).toEqual([]);
  const env = {
    ...given,
    MCP_AUTH_TOKEN: 'a-token-of-some-length',
    SLUICE_STORE: 'postgres://sluice:secret@db.example.com/sluice',
    SLUICE_SECRET_KEY: 'a text of more than thirty-two characters',
  };
  const { config } = await loadConfig(parts, { cwd: '/', home: '/nowhere', env });
  expect(config.server).toMatchObject({ port: 8000, trustProxy: 1, publicUrl: 'https://mcp.example.com' });
});
