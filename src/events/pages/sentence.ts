import { type Event, listIn, numberIn, flagIn, textIn } from './event.ts';

/** Part of a sentence: our own words, or a text from outside. */
export type Part = string | { readonly given: string };

const LONGEST = 160;

/** A text from outside as it may stand in a sentence: one line, cut. */
export function given(value: unknown, longest = LONGEST): Part {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '?')).replace(/\s+/g, ' ').trim();
  const cut = Array.from(text.slice(0, 4 * longest))
    .slice(0, longest)
    .join('');
  return { given: cut.length < text.length ? `${cut}…` : cut };
}

/** The sentence without marks, for labels. */
export const plain = (parts: readonly Part[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.given)).join('');

/** Reads the fields that a sentence of ours names; what is missing becomes words. */
function words(strings: TemplateStringsArray, ...values: readonly (Part | readonly Part[])[]): Part[] {
  const parts: Part[] = [];
  for (const [index, text] of strings.entries()) {
    if (text !== '') parts.push(text);
    const value = values[index];
    if (value !== undefined && value !== '')
      parts.push(...(Array.isArray(value) ? (value as Part[]) : [value as Part]));
  }
  return parts;
}

/** What happened, in words. */
export function sentenceOf(event: Event): Part[] {
  const watched = textIn(event, 'watched');
  const say = watched === undefined ? sentences.get(event.event_type) : undefined;
  return say ? say(event) : foreign(event, watched);
}

/** The types that Sluice records itself, for suggestions. */
export const knownTypes = (): string[] => [...sentences.keys()];

type Say = (event: Event) => Part[];

const it = (event: Event, name: string): Part => {
  const text = textIn(event, name) ?? numberIn(event, name);
  return text === undefined ? '(unknown)' : given(String(text));
};
const by = (event: Event): Part => (textIn(event, 'principal') === undefined ? 'Somebody' : it(event, 'principal'));
const why = (event: Event): Part[] => (textIn(event, 'reason') === undefined ? [] : [': ', it(event, 'reason')]);
const times = (event: Event): string => {
  const count = numberIn(event, 'times') ?? 1;
  return count > 1 ? `, ${count.toLocaleString('en')} times` : '';
};
const ran = (event: Event): Part[] =>
  textIn(event, 'execution') === undefined ? [] : [' (n8n execution ', it(event, 'execution'), ')'];
const of = (event: Event): Part[] => [it(event, 'step'), ' of ', it(event, 'run')];
const listed = (what: string, names: readonly string[]): Part[] =>
  names.length === 0 ? [] : [` ${what} `, given(names.join(', ')), '.'];
const some = (event: Event, name: string): string => (numberIn(event, name) ?? 0).toLocaleString('en');

function failedCall(event: Event): Part[] {
  const asked = textIn(event, 'asked');
  const reason = textIn(event, 'reason');
  if (reason === 'cancelled') return words`${by(event)} cancelled the call of ${it(event, 'tool')}`;
  if (textIn(event, 'tool') !== '(unknown)')
    return words`${by(event)} called ${it(event, 'tool')}: failed${why(event)}${ran(event)}`;
  return words`${by(event)} asked for ${asked === undefined ? 'a tool' : given(asked)} that ${
    reason === 'forbidden' ? 'it may not use' : 'does not exist'
  }`;
}

const sentences: ReadonlyMap<string, Say> = new Map<string, Say>([
  ['tool.call_received', (e) => words`${by(e)} called ${it(e, 'tool')}`],
  ['tool.call_completed', (e) => words`${by(e)} called ${it(e, 'tool')}: answered${ran(e)}`],
  ['tool.call_unconfirmed', (e) => words`${by(e)} has to confirm the call of ${it(e, 'tool')}`],
  ['tool.call_failed', failedCall],
  ['tool.call_arguments', (e) => words`${by(e)} gave ${it(e, 'tool')} ${given(textIn(e, 'arguments') ?? '{}')}`],
  ['gateway.started', (e) => words`Sluice ${it(e, 'version')} started`],
  ['gateway.stopped', (e) => words`Sluice stopped${why(e)}`],
  ['gateway.backend_registered', (e) => words`The server ${it(e, 'backend')} is configured (${it(e, 'transport')})`],
  ['gateway.backend_started', (e) => words`The server ${it(e, 'backend')} is running with ${some(e, 'tools')} tools`],
  ['gateway.backend_failed', (e) => words`The server ${it(e, 'backend')} failed${why(e)}`],
  ['gateway.backend_degraded', (e) => words`The server ${it(e, 'backend')} is degraded${why(e)}`],
  ['gateway.backend_recovered', (e) => words`The server ${it(e, 'backend')} works again`],
  ['gateway.backend_stopped', (e) => words`The server ${it(e, 'backend')} was stopped${why(e)}`],
  ['gateway.backend_removed', (e) => words`The server ${it(e, 'backend')} was removed`],
  [
    'gateway.tool_changed',
    (e) =>
      words`The server ${it(e, 'backend')} changed its tool ${it(e, 'tool')}${
        flagIn(e, 'held') ? ', which is held back until you accept it' : ''
      }`,
  ],
  [
    'gateway.confirmation_decided',
    (e) =>
      words`${by(e)} ${flagIn(e, 'approved') ? 'approved' : 'refused'} the call of ${it(e, 'tool')} by ${it(e, 'caller')}${
        textIn(e, 'note') === undefined ? [] : [': ', it(e, 'note')]
      }`,
  ],
  ['gateway.tool_accepted', (e) => words`${by(e)} accepted the changed tool ${it(e, 'tool')} of ${it(e, 'backend')}`],
  ['gateway.server_added', (e) => words`${by(e)} added the server ${it(e, 'backend')}`],
  ['gateway.server_removed', (e) => words`${by(e)} removed the server ${it(e, 'backend')}`],
  ['gateway.server_restarted', (e) => words`${by(e)} restarted the server ${it(e, 'backend')}`],
  ['gateway.tools_left_out', (e) => words`Tools of ${it(e, 'source')} cannot be listed${why(e)}`],
  [
    'gateway.name_collision',
    (e) => words`Two tools would have the name ${it(e, 'name')}, from ${given(listIn(e, 'owners').join(' and '))}`,
  ],
  ['gateway.limit_reached', (e) => words`${by(e)} reached a limit${times(e)}: ${it(e, 'limit')}`],
  [
    'gateway.config_reloaded',
    (e) =>
      words`The configuration was read again.${listed('Added:', listIn(e, 'added'))}${listed('Changed:', [
        ...listIn(e, 'changed'),
        ...listIn(e, 'sections'),
      ])}${listed('Removed:', listIn(e, 'removed'))}`,
  ],
  [
    'gateway.config_rejected',
    (e) => words`The changed configuration is invalid, the old one stays: ${given(listIn(e, 'problems').join('; '))}`,
  ],
  ['key.created', (e) => words`${by(e)} created the key ${it(e, 'name')}`],
  ['key.revoked', (e) => words`${by(e)} revoked the key ${it(e, 'name')}`],
  ['client.revoked', (e) => words`${by(e)} revoked the access of ${it(e, 'name')}`],
  ['auth.refused', (e) => words`Refused ${it(e, 'address')}${times(e)}${why(e)}`],
  ['login.completed', (e) => words`${by(e)} signed in to ${it(e, 'backend')} at ${it(e, 'issuer')}`],
  ['login.failed', (e) => words`Sign-in of ${by(e)} to ${it(e, 'backend')} failed${why(e)}`],
  ['login.refreshed', (e) => words`Renewed the sign-in of ${by(e)} to ${it(e, 'backend')}`],
  ['login.removed', (e) => words`${by(e)} signed out of ${it(e, 'backend')}`],
  ['module.failed', (e) => words`${it(e, 'source')} failed${why(e)}`],
  ['module.recovered', (e) => words`${it(e, 'source')} works again`],
  ['n8n.instance_failed', (e) => words`n8n ${it(e, 'instance')} failed${why(e)}`],
  ['n8n.instance_recovered', (e) => words`n8n ${it(e, 'instance')} works again`],
  ['n8n.key_made', (e) => words`Sluice made an API key in n8n ${it(e, 'instance')}`],
  ['n8n.key_failed', (e) => words`Sluice cannot make an API key in n8n ${it(e, 'instance')}${why(e)}`],
  ['n8n.local_failed', (e) => words`The local n8n ${it(e, 'instance')} is restarted${why(e)}`],
  [
    'n8n.backups_s3_failed',
    (e) => words`Backups cannot be written to ${it(e, 'place')}, ${some(e, 'waiting')} wait${why(e)}`,
  ],
  ['n8n.backups_s3_recovered', (e) => words`Backups are written to ${it(e, 'place')} again`],
  ['bridge.applied', (e) => words`${by(e)} applied the bridge to n8n ${it(e, 'instance')}`],
  ['bridge.removed', (e) => words`${by(e)} removed the bridge from n8n ${it(e, 'instance')}`],
  ['bridge.discovery_failed', (e) => words`The bridge cannot read the workflows of n8n ${it(e, 'instance')}${why(e)}`],
  ['bridge.discovery_recovered', (e) => words`The bridge reads the workflows of n8n ${it(e, 'instance')} again`],
  [
    'bridge.workflows_changed',
    (e) => words`${some(e, 'count')} workflows of n8n ${it(e, 'instance')} changed (noticed by ${it(e, 'via')})`,
  ],
  ['bridge.hook_refused', (e) => words`Refused a hook of n8n ${it(e, 'instance')}${times(e)}${why(e)}`],
  ['bridge.file_accepted', (e) => words`${it(e, 'file')} names ${some(e, 'tools')} tools`],
  ['bridge.file_rejected', (e) => words`${it(e, 'file')} is invalid and was ignored${why(e)}`],
  ['webhook.failing', (e) => words`Events cannot be delivered to the webhook ${it(e, 'webhook')}${why(e)}`],
  ['webhook.recovered', (e) => words`The webhook ${it(e, 'webhook')} works again, ${some(e, 'waiting')} events wait`],
  ['webhook.event_set_aside', (e) => words`The webhook ${it(e, 'webhook')} refuses event ${it(e, 'event')}${why(e)}`],
  [
    'webhook.set_aside_dropped',
    (e) => words`Dropped ${some(e, 'events')} refused events of the webhook ${it(e, 'webhook')}`,
  ],
  ['webhook.full', (e) => words`The queue of the webhook ${it(e, 'webhook')} is full (${some(e, 'waiting')} events)`],
  ['webhook.resumed', (e) => words`The queue of the webhook ${it(e, 'webhook')} has room again`],
  [
    'webhook.events_skipped',
    (e) => words`${some(e, 'events')} events were not sent to the webhook ${it(e, 'webhook')}`,
  ],
  ['watch.lines_rejected', (e) => words`Skipped lines of ${it(e, 'file')} that are not events`],
  ['watch.failed', (e) => words`Cannot watch ${it(e, 'file')}${why(e)}`],
  ['watch.recovered', (e) => words`Watching ${it(e, 'file')} again`],
  ['blueprint.run_deployed', (e) => words`${by(e)} started the run ${it(e, 'run')} of ${it(e, 'blueprint')}`],
  ['blueprint.run_resumed', (e) => words`${by(e)} resumed the run ${it(e, 'run')}`],
  [
    'blueprint.run_waiting',
    (e) => words`The run ${it(e, 'run')} waits for ${it(e, 'for')} in the step ${it(e, 'step')}`,
  ],
  ['blueprint.run_completed', (e) => words`The run ${it(e, 'run')} succeeded`],
  ['blueprint.run_failed', (e) => words`The run ${it(e, 'run')} ended as ${it(e, 'state')}`],
  ['blueprint.run_undoing', (e) => words`The run ${it(e, 'run')} undoes its steps`],
  ['blueprint.run_undone', (e) => words`The run ${it(e, 'run')} is undone`],
  ['blueprint.run_cancelled', (e) => words`The run ${it(e, 'run')} was cancelled`],
  ['blueprint.cancel_requested', (e) => words`${by(e)} asked to cancel the run ${it(e, 'run')}`],
  ['blueprint.undo_requested', (e) => words`${by(e)} asked to undo the run ${it(e, 'run')}`],
  ['blueprint.step_started', (e) => words`${flagIn(e, 'undo') ? 'Undo of the step' : 'The step'} ${of(e)} started`],
  ['blueprint.step_completed', (e) => words`${flagIn(e, 'undo') ? 'Undo of the step' : 'The step'} ${of(e)} is done`],
  [
    'blueprint.step_failed',
    (e) => words`${flagIn(e, 'undo') ? 'Undo of the step' : 'The step'} ${of(e)} ended as ${it(e, 'state')}`,
  ],
  ['blueprint.decided', (e) => words`${by(e)} ${flagIn(e, 'approved') ? 'approved' : 'refused'} the step ${of(e)}`],
  ['blueprint.saved', (e) => words`${by(e)} saved the blueprint ${it(e, 'blueprint')}`],
  ['blueprint.deleted', (e) => words`${by(e)} deleted the blueprint ${it(e, 'blueprint')}`],
  [
    'blueprint.scheduled',
    (e) => words`${by(e)} scheduled ${it(e, 'blueprint')} as ${it(e, 'schedule')} (${it(e, 'cron')})`,
  ],
  ['blueprint.unscheduled', (e) => words`${by(e)} removed the schedule ${it(e, 'schedule')}`],
  ['blueprint.schedule_failed', (e) => words`The schedule ${it(e, 'schedule')} was not carried out${why(e)}`],
  ['memory.erased', (e) => words`${by(e)} erased ${some(e, 'memories')} memories`],
  ['memory.expired', () => words`Memories expired`],
  [
    'memory.namespace_changed',
    (e) => words`${by(e)} gave the namespace ${it(e, 'namespace')} to ${it(e, 'belongs_to')}`,
  ],
  ['memory.namespace_dropped', (e) => words`${by(e)} dropped the namespace ${it(e, 'namespace')}`],
  ['memory.embedding_failed', (e) => words`${some(e, 'waiting')} passages of memories wait for their vectors${why(e)}`],
  ['memory.embedding_finished', (e) => words`Embedded ${some(e, 'passages')} passages of memories`],
]);

const FIRST_FIELDS = 4;

/** An event that Sluice does not know: its type, and what it begins with. */
function foreign(event: Event, watched: string | undefined): Part[] {
  const fields = Object.entries(event.data)
    .filter(([name, value]) => name !== 'watched' && value !== null && typeof value !== 'object')
    .slice(0, FIRST_FIELDS)
    .flatMap(([name, value], index): Part[] => [index === 0 ? ': ' : ', ', given(`${name} ${String(value)}`, 60)]);
  const from: Part[] = watched === undefined ? [] : [' from ', given(watched, 60)];
  return [given(event.event_type, 80), ...from, ...fields];
}
