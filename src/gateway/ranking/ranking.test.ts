import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import { tokenize } from './ranking-terms.ts';
import { buildIndex } from './ranking.ts';

/** Names, descriptions and parameters of real servers. */
const tools: [string, string, string][] = [
  ['github__create_issue', 'Create a new issue in a GitHub repository', 'owner repo title body assignees labels'],
  [
    'github__list_issues',
    'List issues in a GitHub repository with filtering options',
    'owner repo state labels sort since',
  ],
  ['github__add_issue_comment', 'Add a comment to an existing issue', 'owner repo issue_number body'],
  [
    'github__create_pull_request',
    'Create a new pull request in a GitHub repository',
    'owner repo title head base draft',
  ],
  ['github__merge_pull_request', 'Merge a pull request', 'owner repo pull_number merge_method commit_title'],
  ['github__get_pull_request_files', 'Get the list of files changed in a pull request', 'owner repo pull_number'],
  ['github__search_repositories', 'Search for GitHub repositories', 'query page perPage'],
  ['github__search_code', 'Search for code across GitHub repositories', 'q sort order'],
  [
    'github__get_file_contents',
    'Get the contents of a file or directory from a GitHub repository',
    'owner repo path branch',
  ],
  [
    'github__push_files',
    'Push multiple files to a GitHub repository in a single commit',
    'owner repo branch files message',
  ],
  ['github__create_branch', 'Create a new branch in a GitHub repository', 'owner repo branch from_branch'],
  ['github__list_commits', 'Get list of commits of a branch in a GitHub repository', 'owner repo sha page'],
  ['github__fork_repository', 'Fork a GitHub repository to your account or an organization', 'owner repo organization'],
  ['fs__read_text_file', 'Read the complete contents of a file from the file system as text', 'path head tail'],
  ['fs__write_file', 'Create a new file or completely overwrite an existing file with new content', 'path content'],
  ['fs__edit_file', 'Make line-based edits to a text file', 'path edits dryRun'],
  ['fs__create_directory', 'Create a new directory or ensure a directory exists', 'path'],
  ['fs__list_directory', 'Get a detailed listing of all files and directories in a specified path', 'path'],
  ['fs__directory_tree', 'Get a recursive tree view of files and directories as JSON', 'path excludePatterns'],
  ['fs__move_file', 'Move or rename files and directories', 'source destination'],
  [
    'fs__search_files',
    'Recursively search for files and directories matching a pattern',
    'path pattern excludePatterns',
  ],
  ['fs__get_file_info', 'Retrieve size, permissions and timestamps of a file or directory', 'path'],
  ['browser__browser_navigate', 'Navigate to a URL', 'url'],
  ['browser__browser_click', 'Perform click on a web page', 'element ref doubleClick button'],
  ['browser__browser_take_screenshot', 'Take a screenshot of the current page', 'type filename fullPage'],
  ['browser__browser_type', 'Type text into editable element', 'element ref text submit slowly'],
  ['browser__browser_fill_form', 'Fill multiple form fields', 'fields'],
  ['browser__browser_console_messages', 'Returns all console messages', 'onlyErrors'],
  ['browser__browser_network_requests', 'Returns all network requests since loading the page', 'includeStatic'],
  ['browser__browser_close', 'Close the page', ''],
  ['browser__browser_file_upload', 'Upload one or multiple files', 'paths'],
  ['slack__slack_post_message', 'Post a new message to a Slack channel', 'channel_id text'],
  ['slack__slack_list_channels', 'List public channels in the workspace with pagination', 'limit cursor'],
  ['slack__slack_add_reaction', 'Add a reaction emoji to a message', 'channel_id timestamp reaction'],
  ['slack__slack_get_channel_history', 'Get recent messages from a channel', 'channel_id limit'],
  ['slack__slack_get_users', 'Get a list of all users in the workspace with their profile information', 'cursor limit'],
  ['memory__create_entities', 'Create multiple new entities in the knowledge graph', 'entities'],
  ['memory__create_relations', 'Create multiple new relations between entities in the knowledge graph', 'relations'],
  ['memory__read_graph', 'Read the entire knowledge graph', ''],
  ['memory__search_nodes', 'Search for nodes in the knowledge graph based on a query', 'query'],
  ['n8n_list_workflows', 'Lists workflows of the instance with their state and tags', 'active tags limit cursor'],
  ['n8n_get_workflow', 'Shows one workflow with its nodes and connections', 'id'],
  ['n8n_publish_workflow', 'Activates a workflow, so that its triggers run', 'id'],
  ['n8n_delete_workflow', 'Deletes a workflow for good; a backup is taken first', 'id confirm'],
  ['n8n_list_executions', 'Lists past executions with status, start and duration', 'workflowId status limit cursor'],
  ['n8n_retry_execution', 'Retries a failed execution', 'id loadWorkflow'],
  ['n8n_create_credential', 'Creates a credential of a given type', 'name type data'],
  ['postgres_run_query', 'Runs a read-only SQL query against the database', 'sql parameters limit'],
  ['postgres_list_tables', 'Lists the tables of a schema with row estimates', 'schema'],
  ['postgres_describe_table', 'Describes the columns, indexes and foreign keys of a table', 'table schema'],
  ['redis_get_key', 'Gets the value of a key', 'key'],
  ['redis_scan_keys', 'Scans for keys that match a pattern', 'pattern type limit cursor'],
  ['docker_list_containers', 'Lists containers with image, state and ports', 'all filters'],
  ['docker_restart_container', 'Restarts a container', 'container timeout'],
  ['docker_get_logs', 'Gets the log output of a container', 'container tail since'],
  ['mail__sendEmail', 'Sends an email message to one or more recipients', 'to cc subject body attachments'],
  ['mail__searchInbox', 'Finds messages in the inbox by sender, subject or date', 'from subject after before'],
  ['calendar__createEvent', 'Schedules a meeting and invites the attendees', 'title start end attendees location'],
  ['calendar__listEvents', 'Lists upcoming events in a time window', 'from to calendarId'],
  ['weather__getForecast', 'Weather forecast for a place for the next days', 'latitude longitude days'],
  ['gateway_status', 'State of every backend: since when, tools, last error, latency and restarts', 'backend'],
];

const index = buildIndex(
  tools.map(([id, description, parameters]) => ({
    id,
    fields: [
      { text: id, weight: 4 },
      { text: description, weight: 2 },
      { text: parameters, weight: 1 },
    ],
  })),
);
const names = (query: string, limit = 3) => index.search(query, limit).map(({ id }) => id);

describe('plain language finds the tool', () => {
  test.each([
    ['open a new bug issue on github', 'github__create_issue'],
    ['merge the pull requests', 'github__merge_pull_request'],
    ['which files did this pull request change', 'github__get_pull_request_files'],
    ['read a text file', 'fs__read_text_file'],
    ['rename a file', 'fs__move_file'],
    ['take a screenshot of the web page', 'browser__browser_take_screenshot'],
    ['go to a url in the browser', 'browser__browser_navigate'],
    ['post a message in a slack channel', 'slack__slack_post_message'],
    ['list all my n8n workflows', 'n8n_list_workflows'],
    ['retrying executions that failed', 'n8n_retry_execution'],
    ['run sql against the database', 'postgres_run_query'],
    ['what columns does the table have', 'postgres_describe_table'],
    ['restart the docker container', 'docker_restart_container'],
    ['send an e-mail to someone', 'mail__sendEmail'],
    ['schedule a meeting with attendees', 'calendar__createEvent'],
    ['weather for the next days', 'weather__getForecast'],
    ['which backends had an error', 'gateway_status'],
  ])('%s -> %s', (query, wanted) => {
    expect(names(query)[0]).toBe(wanted);
  });

  test('a name finds itself', () => {
    for (const [name] of tools) expect(names(name, 1)).toEqual([name]);
  });
});

describe('an unknown word', () => {
  test('matches as a prefix', () => {
    expect(names('screensh', 1)).toEqual(['browser__browser_take_screenshot']);
  });

  test.each([
    ['wrokflow', 'n8n_get_workflow'],
    ['exection', 'n8n_retry_execution'],
    ['foercast', 'weather__getForecast'],
    ['resatrt', 'docker_restart_container'],
    ['resatrt continer', 'docker_restart_container'],
  ])('%s matches as a typo', (query, wanted) => {
    expect(names(query, 5)).toContain(wanted);
  });

  test('does not hide the words that do match', () => {
    expect(names('qqqqqq forecast', 5)).toEqual(['weather__getForecast']);
  });

  test('is not guessed if the word itself occurs', () => {
    const near = buildIndex(['form', 'format', 'from'].map((id) => ({ id, fields: [{ text: id, weight: 1 }] })));
    expect(near.search('form', 9).map(({ id }) => id)).toEqual(['form']);
  });

  test('finds nothing when nothing is near', () => {
    expect(names('xylophone')).toEqual([]);
    expect(names('')).toEqual([]);
    expect(names('?!')).toEqual([]);
  });
});

describe('order', () => {
  const same = ['c', 'a', 'b'].map((id) => ({ id, fields: [{ text: 'delete file', weight: 1 }] }));

  test('ties are ordered by id, whatever the order of the documents', () => {
    for (const documents of [same, same.toReversed()]) {
      expect(
        buildIndex(documents)
          .search('file', 9)
          .map(({ id }) => id),
      ).toEqual(['a', 'b', 'c']);
    }
  });

  test('returns at most the limit, best first', () => {
    const found = index.search('list files', 5);
    expect(found).toHaveLength(5);
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
    expect(index.search('list files', 0)).toEqual([]);
  });

  test('a word in the name counts for more than one in the description', () => {
    const two = buildIndex([
      {
        id: 'described',
        fields: [
          { text: 'sync', weight: 4 },
          { text: 'deploy things', weight: 1 },
        ],
      },
      {
        id: 'named',
        fields: [
          { text: 'deploy', weight: 4 },
          { text: 'sync things', weight: 1 },
        ],
      },
    ]);
    expect(two.search('deploy', 1)[0]?.id).toBe('named');
  });

  const texts = (...given: string[]) => buildIndex(given.map((text) => ({ id: text, fields: [{ text, weight: 1 }] })));

  test('a rare word counts for more than a common one', () => {
    const five = texts('list apples', 'list pears', 'list plums', 'list grapes', 'drop a quince');
    expect(five.search('list quince', 1)[0]?.id).toBe('drop a quince');
  });

  test('a short text counts for more than a long one with the same word', () => {
    const two = texts('deploy after having thought about it for a very long time', 'deploy now');
    expect(two.search('deploy', 1)[0]?.id).toBe('deploy now');
  });

  test('an empty index finds nothing', () => {
    expect(buildIndex([]).search('anything', 5)).toEqual([]);
  });
});

describe('words', () => {
  test.each([
    ['getHTTPResponse', ['get', 'http', 'respons', 'gethttprespons']],
    ['server__list-all_files', ['server', 'list', 'all', 'fil']],
    ['GitHub', ['git', 'hub', 'github']],
    ['n8n s3 OAuth2', ['n8n', 's3', 'auth', 'oauth2']],
    ['base64', ['bas', '64', 'base64']],
    ['Café', ['caf']],
    ['URLs and IDs', ['ur', 'ls', 'url', 'and', 'ds', 'id']],
  ])('%s', (text, wanted) => {
    expect(tokenize(text)).toEqual(wanted);
  });

  test.each([
    ['delete deletes deleted deleting', 1],
    ['copy copies copied copying', 1],
    ['stop stops stopped stopping', 1],
    ['branch branches', 1],
    ['process processes processed', 1],
    ['query queries', 1],
    ['add adds added adding', 1],
    ['string strings', 1],
    ['status stat', 2],
    ['file fill', 2],
  ])('%s: %i stem(s)', (text, stems) => {
    expect(new Set(tokenize(text)).size).toBe(stems);
  });
});

test('two thousand tools are indexed and searched fast', () => {
  const many = Array.from({ length: 2000 }, (_, i) => {
    const [name, description, parameters] = tools[i % tools.length] as [string, string, string];
    return {
      id: `s${i}__${name}`,
      fields: [
        { text: `s${i}__${name}`, weight: 4 },
        { text: `${description} word${i} of system${i % 97}. ${description}`, weight: 2 },
        { text: parameters, weight: 1 },
      ],
    };
  });
  const { result: big, ms: building } = cpuTime(() => buildIndex(many));
  const queries = ['list all workflows', 'create issue github', 'wrokflow exection', 'screensh'];
  const { ms: searching } = cpuTime(() => {
    for (let i = 0; i < 100; i++) big.search(queries[i % queries.length] as string, 10);
  });
  // Several times what it takes on two slow cores, so that only a worse complexity fails.
  expect(building).toBeLessThan(600);
  expect(searching / 100).toBeLessThan(10);
});
