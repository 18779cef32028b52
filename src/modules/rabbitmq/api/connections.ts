import { z } from 'zod';
import { maybe } from './lenient.ts';

/** A program connected to the broker. */
export const connection = z.object({
  name: z.string(),
  vhost: maybe(z.string()),
  user: maybe(z.string()),
  state: maybe(z.string()),
  protocol: maybe(z.string()),
  ssl: maybe(z.boolean()),
  channels: maybe(z.int()),
  connected_at: maybe(z.int()),
  recv_oct_details: maybe(z.object({ rate: maybe(z.number()) })),
  send_oct_details: maybe(z.object({ rate: maybe(z.number()) })),
  client_properties: maybe(
    z.object({ connection_name: maybe(z.string()), product: maybe(z.string()), version: maybe(z.string()) }),
  ),
});

export type Connection = z.output<typeof connection>;

export const CONNECTION_COLUMNS =
  'name,vhost,user,state,protocol,ssl,channels,connected_at,recv_oct_details.rate,send_oct_details.rate,client_properties.connection_name,client_properties.product,client_properties.version';

export const channel = z.object({
  name: z.string(),
  vhost: maybe(z.string()),
  user: maybe(z.string()),
  state: maybe(z.string()),
  number: maybe(z.int()),
  consumer_count: maybe(z.int()),
  prefetch_count: maybe(z.int()),
  messages_unacknowledged: maybe(z.int()),
  messages_unconfirmed: maybe(z.int()),
  confirm: maybe(z.boolean()),
  connection_details: maybe(z.object({ name: maybe(z.string()) })),
});

export type Channel = z.output<typeof channel>;

export const CHANNEL_COLUMNS =
  'name,vhost,user,state,number,consumer_count,prefetch_count,messages_unacknowledged,messages_unconfirmed,confirm,connection_details.name';
