/**
 * Every error code, once. A code's fault decides the exit code of a command (`cli/exit-code.ts`), the outcome class of an attempt
 * (`metrics/outcome.ts`) and the HTTP status; `status` is for codes whose HTTP status is another than their fault's.
 * `docs/reference/errors.md` is made of this table.
 */

/**
 * Who has to act.
 *
 * - `usage`: who called. The command, the request or a file that was given can't be used as it is.
 * - `environment`: who runs this machine. The browser, the disk, the network, the database or the object store failed.
 * - `server`: who makes the MCP server under test.
 * - `agent`: who makes the agent.
 * - `grader`: who makes the grader.
 * - `internal`: we. A bug of the harness.
 */
export const FAULTS = ['usage', 'environment', 'server', 'agent', 'grader', 'internal'] as const;
export type Fault = (typeof FAULTS)[number];

export interface CodeEntry {
  readonly fault: Fault;
  /** Where the interchange format or HTTP itself fixes one. */
  readonly status?: number;
  /** When the error occurs: the last column of the table in the docs. */
  readonly when: string;
}

export const CODES = {
  // The command line.
  usage: { fault: 'usage', when: 'An operand of a command is missing.' },
  usage_artifacts_address: { fault: 'usage', when: 'The address given by `--artifacts` is not one of a bucket.' },
  usage_bad_agent: { fault: 'usage', when: 'The file named by `--agent` does not export an agent.' },
  usage_bad_config: {
    fault: 'usage',
    when: 'The configuration (`waymark.config.ts`) or a suite file is missing or invalid.',
  },
  usage_bad_baseline: { fault: 'usage', when: 'A baseline file can’t be read, or is not one.' },
  usage_bad_grader: { fault: 'usage', when: 'A grader that was named is unknown, or can’t be used as it is.' },
  usage_bad_key: { fault: 'usage', when: 'A key to sign or to verify a run with is missing, or is no Ed25519 key.' },
  usage_bad_labels: {
    fault: 'usage',
    when: 'A file of labels or of recorded replies has lines that can’t be used.',
  },
  usage_bad_server: { fault: 'usage', when: '`--server` describes no MCP server that can be started.' },
  usage_bad_statistic_input: { fault: 'usage', when: 'A statistic was asked for numbers that it is not defined for.' },
  usage_bad_tasks: { fault: 'usage', when: 'Task files have errors, or there are none.' },
  usage_bad_trace: { fault: 'usage', when: 'A trace that was to be imported is in no known format, or is damaged.' },
  usage_bad_transcript: { fault: 'usage', when: 'A transcript is missing, or is not one.' },
  usage_bad_variant: { fault: 'usage', when: 'A file of a variant is missing, or is not one.' },
  usage_bad_value: { fault: 'usage', when: 'The value of a flag of `waymark run` is out of range or unknown.' },
  usage_compare: { fault: 'usage', when: '`waymark compare` or `waymark trend` was given too few runs.' },
  usage_database_address: { fault: 'usage', when: 'The address given by `--database` is not one of PostgreSQL.' },
  usage_dataset: { fault: 'usage', when: 'No dataset, or more than one, has the name that was given.' },
  usage_datasets: { fault: 'usage', when: '`waymark datasets` was given an unknown action.' },
  usage_empty_run: { fault: 'usage', when: 'The run folder holds no attempts.' },
  usage_key_signs: { fault: 'usage', when: 'The key that signs new packs was to be retired.' },
  usage_key_unknown: { fault: 'usage', when: 'There is no signing key of this id.' },
  usage_keys: { fault: 'usage', when: '`waymark keys` was given an unknown action.' },
  usage_launch: { fault: 'usage', when: 'A dataset, a provider or a model is missing for a launch.' },
  usage_merge: {
    fault: 'usage',
    when: 'The runs that were to be merged are not all shards of one run, or one has not finished.',
  },
  usage_missing_secret: { fault: 'usage', when: 'A secret that the task names has no value.' },
  usage_missing_value: { fault: 'usage', when: 'A flag or an operand that needs a value has none.' },
  usage_model: {
    fault: 'usage',
    when: 'The model that was named cannot be called: its kind is unknown, or its address or key is missing.',
  },
  usage_no_recovery: {
    fault: 'usage',
    when: 'Recovery search was asked for on a task whose network is live, or for an agent with several lanes.',
  },
  usage_needless_value: { fault: 'usage', when: 'A flag that takes no value was given one.' },
  usage_new: { fault: 'usage', when: '`waymark new` was given no usable id, or the file exists already.' },
  usage_no_fixtures: { fault: 'usage', when: 'The package was installed without the fixture pages.' },
  usage_no_run: { fault: 'usage', when: 'There is no run to resume.' },
  usage_no_such_file: { fault: 'usage', when: 'A file named at the command line cannot be read.' },
  usage_no_such_tasks: { fault: 'usage', when: 'A place that was named to `waymark lint` does not exist.' },
  usage_no_tasks: { fault: 'usage', when: '`waymark lint` was given no place with tasks.' },
  usage_not_a_run: { fault: 'usage', when: 'The folder is not one that `waymark run` made.' },
  usage_number: { fault: 'usage', when: 'A flag takes a number, and was given something else.' },
  usage_one_file: { fault: 'usage', when: 'The command takes exactly one file.' },
  usage_other_run: {
    fault: 'usage',
    when: 'A run cannot be resumed, because its inputs differ from those of the command.',
  },
  usage_pack: { fault: 'usage', when: '`waymark pack` was given an unusable dataset, target or origin.' },
  usage_port: { fault: 'usage', when: '`--port` is not the number of a port.' },
  usage_provider: { fault: 'usage', when: 'No provider, or more than one, has the name that was given.' },
  usage_quiet: { fault: 'usage', when: '`--quiet-ms` is not a number of milliseconds.' },
  usage_run_busy: { fault: 'usage', when: 'Another process is writing to this run folder.' },
  usage_run_exists: {
    fault: 'usage',
    when: 'The folder holds a run already that is finished or has other inputs, and `--resume` was not given.',
  },
  usage_run_folder: { fault: 'usage', when: 'The command takes exactly one run folder.' },
  usage_run_signed: { fault: 'usage', when: 'Attempts were to be added to a run that is signed.' },
  usage_runs: { fault: 'usage', when: '`waymark runs` was given an unknown action, or too few or too many ids.' },
  usage_secret_in_task: { fault: 'usage', when: 'The value of a secret is written in the task itself.' },
  usage_selectors: { fault: 'usage', when: 'The file of selectors is not usable.' },
  usage_server: { fault: 'usage', when: 'The address of the Waymark server is not an address.' },
  usage_short_secret: { fault: 'usage', when: 'The value of a secret is too short to be redacted safely.' },
  usage_suite_too_large: {
    fault: 'usage',
    when: 'The files of a suite are too many or too large to travel to workers.',
  },
  usage_token_needed: {
    fault: 'usage',
    when: 'A server that listens beyond this machine was started without a token.',
  },
  usage_token_short: { fault: 'usage', when: 'The token of the server is too short.' },
  usage_unexpected_argument: { fault: 'usage', when: 'The command takes no such argument.' },
  usage_unfinished_run: { fault: 'usage', when: 'A run that has not ended was to be signed.' },
  usage_unknown_command: { fault: 'usage', when: 'There is no command of this name.' },
  usage_unknown_flag: { fault: 'usage', when: 'The command has no flag of this name.' },

  // Files that are given.
  bad_exemplars: { fault: 'usage', when: 'An `exemplars.json` is not understood.' },
  class_without_pictures: { fault: 'usage', when: 'A folder that is to become a screenshot class holds no pictures.' },
  fixture_failed: { fault: 'environment', when: 'The application that a suite brings (`fixture.ts`) did not start.' },
  fixture_server_port: { fault: 'environment', when: 'The server of the fixture pages cannot listen on its port.' },
  folder_unreadable: { fault: 'usage', when: 'A folder that was named cannot be read.' },
  picture_size: { fault: 'usage', when: 'A picture has no size that can be compared.' },
  picture_unreadable: { fault: 'usage', when: 'A picture cannot be decoded.' },
  page_not_loaded: { fault: 'environment', when: 'A page that was to be recorded could not be loaded.' },
  recording_invalid: { fault: 'usage', when: "A task's network recording is not understood." },
  recording_unreadable: { fault: 'usage', when: "A task's network recording cannot be read." },

  // The browser.
  held_at_start: {
    fault: 'environment',
    when: 'The contract held at the start in a browser that the harness does not reset (`attach: own`).',
  },
  browser_has_no_page: { fault: 'environment', when: 'A browser that was to be shared with a server has no page.' },
  browser_lost: { fault: 'environment', when: 'The browser ended or its connection was lost during an attempt.' },
  browser_not_executable: { fault: 'environment', when: 'The browser that was named cannot be executed.' },
  browser_not_found: { fault: 'environment', when: 'No Chromium was found, and none could be installed.' },
  browser_start_failed: { fault: 'environment', when: 'Chromium did not start.' },
  browser_unreachable: { fault: 'environment', when: 'No browser answers at the address that was given.' },
  cdp_aborted: { fault: 'environment', when: 'A request to the browser was cancelled by its caller.' },
  cdp_closed: { fault: 'environment', when: 'The connection to the browser is closed.' },
  cdp_refused: { fault: 'environment', when: 'The browser refused a request.' },
  cdp_session_gone: { fault: 'environment', when: 'The page that a request was for is gone.' },
  cdp_timeout: { fault: 'environment', when: 'The browser did not answer in time.' },
  env_error: { fault: 'environment', when: 'A browser slot could not be proved clean.' },
  pool_closed: { fault: 'internal', when: 'A browser slot was asked of a pool that is closed.' },
  slot_aborted: { fault: 'environment', when: 'Waiting for a browser slot was cancelled.' },
  state_folder_foreign: { fault: 'environment', when: 'The folder of the process registry belongs to another user.' },

  // waymark env and waymark bridge.
  env_busy: { fault: 'environment', when: 'All sessions of `waymark env` are in use, and none became free in time.' },
  env_session_failed: { fault: 'environment', when: 'A session of `waymark env` could not be begun.' },
  env_session_not_found: { fault: 'usage', status: 404, when: 'There is no session of this id, or no longer.' },
  usage_bridge: { fault: 'usage', when: '`waymark bridge` was not told the address and the token of an endpoint.' },

  // An attempt.
  action_unsupported: {
    fault: 'server',
    when: 'The tool server has no tool for an action of the transcript, or its schema refuses the call that the action becomes.',
  },
  adapter_error: { fault: 'agent', when: 'The agent threw an error, or sent what is no move.' },
  model_call_failed: {
    fault: 'agent',
    when: 'The model of the agent could not be asked: its provider refused, failed or was not reached, after all retries.',
  },
  attempt_ended: { fault: 'agent', when: 'The agent called a step after the attempt had ended.' },
  episode_timeout: { fault: 'agent', when: "The task's time was used up." },
  executor_limit: { fault: 'agent', when: 'The agent asked for more executors than an attempt may have.' },
  executor_unsupported: {
    fault: 'server',
    when: 'The tool server cannot give a second executor a connection of its own.',
  },
  page_crashed: { fault: 'environment', when: 'The page that was used crashed during an attempt.' },
  page_crashed_by_server: { fault: 'server', when: 'The tool server made the page that it drives crash.' },
  site_blocked: {
    fault: 'environment',
    when: 'The site of a task keeps programs out: instead of the start page it answered with a challenge or a refusal.',
  },
  start_page_failed: {
    fault: 'environment',
    when: 'The start page of a task could not be loaded: there is no such host, the connection was refused, it answered with an HTTP status of 500 or more, or it redirects without an end.',
  },
  start_page_not_shown: {
    fault: 'server',
    when: 'The tool server did not open the start page of the task in the browser that it was given.',
  },
  tool_server_lost: { fault: 'server', when: 'The MCP server under test ended or its connection was lost.' },
  tool_server_mismatch: {
    fault: 'server',
    when: 'The tools that the MCP server under test lists do not fit what is known of it.',
  },
  tool_server_not_found: { fault: 'server', when: 'The package of the MCP server under test is not installed.' },
  tool_server_start_failed: { fault: 'server', when: 'The MCP server under test did not start.' },
  tool_timeout: { fault: 'server', when: 'The MCP server under test did not answer a call in time.' },
  transcript_mismatch: { fault: 'agent', when: 'The page is not as the transcript expected.' },

  // Attempts and files of a run.
  artifact_exists: { fault: 'internal', when: 'A file of an attempt was to be written over.' },
  bad_artifact_key: { fault: 'usage', when: 'The name of a file of an attempt could lead out of its folder.' },
  attempt_not_ended: { fault: 'internal', when: 'An attempt without a `stop` was to be finished.' },
  export_not_sent: { fault: 'environment', when: 'A collector did not take the spans of a run.' },
  file_write_failed: { fault: 'environment', when: 'A file of a run cannot be written.' },
  ui_failed: { fault: 'environment', when: 'The server of `waymark run --ui` did not start.' },
  view_port: { fault: 'environment', when: '`waymark view` cannot listen on its port.' },
  grade_exists: {
    fault: 'internal',
    when: 'A grade was to be written where the attempt has one of the same grader and round.',
  },
  journal_closed: { fault: 'internal', when: 'An event was appended to a journal that is closed.' },
  journal_corrupt: { fault: 'environment', when: 'A journal is damaged.' },
  journal_ended: { fault: 'internal', when: 'An event was appended after `stop`.' },
  journal_event_invalid: { fault: 'internal', when: 'An event does not match its schema.' },
  journal_exists: { fault: 'internal', when: 'A journal was to be made where one exists.' },
  journal_too_new: { fault: 'environment', when: 'A newer version of Waymark wrote the journal.' },
  attempt_not_found: { fault: 'usage', when: 'The folder that was named holds no attempt.' },
  messages_unreadable: { fault: 'environment', when: 'A `messages.jsonl` is missing, or a line of it is damaged.' },
  journal_unreadable: { fault: 'environment', when: 'A journal cannot be read.' },
  run_package_bad: {
    fault: 'environment',
    when: 'What travelled to a worker with its run is damaged, or lacks a file that the tasks need.',
  },
  lease_lost: { fault: 'environment', when: 'Another worker has taken over the attempt.' },
  journal_write_failed: { fault: 'environment', when: 'A journal cannot be written: the disk is full, for example.' },
  store_no_files: { fault: 'internal', when: 'A browser task was to be run into a store that keeps no files.' },

  // The Waymark server: requests. The statuses are part of the interchange format.
  archive_invalid: { fault: 'usage', status: 422, when: 'An archive is damaged or is not of the expected format.' },
  archive_unsafe: { fault: 'usage', status: 422, when: 'Unpacking an archive could do harm.' },
  base_url_missing: { fault: 'usage', status: 422, when: 'A provider of kind openai-compatible has no base URL.' },
  cron_invalid: { fault: 'usage', status: 422, when: "A schedule's times are not understood." },
  dataset_changed: {
    fault: 'usage',
    status: 409,
    when: 'The dataset changed after the pack was made, and the version of the pack is not kept any more.',
  },
  dataset_in_use: { fault: 'usage', status: 409, when: 'A dataset that has runs or schedules was to be deleted.' },
  dataset_invalid: { fault: 'usage', status: 422, when: 'Lines of a dataset cannot be used.' },
  dataset_not_found: { fault: 'usage', status: 404, when: 'There is no dataset of this id.' },
  duplicate_items: { fault: 'usage', status: 422, when: 'A capture has more than one result for an item.' },
  empty_capture: { fault: 'usage', status: 422, when: 'A capture holds no results.' },
  host_refused: { fault: 'usage', status: 421, when: 'The Host header names another server.' },
  idempotency_key_reused: {
    fault: 'usage',
    status: 422,
    when: 'The idempotency key was used before, for another request.',
  },
  import_not_found: { fault: 'usage', status: 404, when: 'There is no import of this id.' },
  json_malformed: { fault: 'usage', status: 400, when: 'The body of a request is not JSON.' },
  json_too_deep: { fault: 'usage', status: 400, when: 'The JSON of a request is nested too deep.' },
  judge_model_missing: { fault: 'usage', status: 422, when: 'The judge has no model.' },
  judge_provider_invalid: {
    fault: 'usage',
    status: 422,
    when: "The judge's provider does not exist or cannot be called.",
  },
  judge_required: { fault: 'usage', status: 422, when: 'Items can be scored only by a judge, and none was chosen.' },
  key_host_refused: {
    fault: 'usage',
    status: 422,
    when: 'The key that a provider names belongs to another host than the provider’s.',
  },
  key_variable_refused: {
    fault: 'usage',
    status: 422,
    when: 'The environment variable that a provider names as its key may not be used as one.',
  },
  method_not_allowed: {
    fault: 'usage',
    status: 405,
    when: 'There is something at this path, but not for this method.',
  },
  not_found: { fault: 'usage', status: 404, when: 'The server has nothing at this path.' },
  origin_refused: { fault: 'usage', status: 403, when: 'Another site sent the request.' },
  pack_empty: { fault: 'usage', status: 422, when: 'No item of the scope can go into a pack.' },
  payload_too_large: { fault: 'usage', status: 413, when: 'The body of a request is too large.' },
  prompt_mismatch: { fault: 'usage', status: 422, when: "The capture's prompts are not those of the pack." },
  provider_in_use: { fault: 'usage', status: 409, when: 'A provider that is in use was to be deleted.' },
  provider_not_api: { fault: 'usage', status: 422, when: 'The provider is a captured chat page and cannot be called.' },
  provider_not_found: { fault: 'usage', status: 404, when: 'There is no provider of this id.' },
  request_invalid: { fault: 'usage', status: 400, when: 'The request does not match the schema of its route.' },
  run_completed: { fault: 'usage', status: 409, when: 'A run whose items were all answered was to be resumed.' },
  run_empty: { fault: 'usage', status: 422, when: 'No item of the scope can be asked.' },
  run_finished: { fault: 'usage', status: 409, when: 'A run that has ended was to be cancelled.' },
  run_not_finished: { fault: 'usage', status: 409, when: 'A run that has not ended was to be scored.' },
  attempt_stopped: { fault: 'usage', status: 409, when: 'The attempt was asked to stop.' },
  run_not_started: {
    fault: 'environment',
    when: 'The process of a run that the server was to start ended before the run had begun.',
  },
  run_not_started_here: {
    fault: 'usage',
    status: 409,
    when: 'A run that was started at a command line was to be resumed by the server.',
  },
  runs_not_allowed: { fault: 'usage', status: 403, when: 'The server was not told that it may start runs.' },
  too_many_runs: {
    fault: 'usage',
    status: 429,
    when: 'As many runs that the server started go on as it runs at once.',
  },
  run_not_in_folder: {
    fault: 'usage',
    status: 409,
    when: 'A run that workers execute was asked for what only a run in a folder of this machine can do.',
  },
  run_not_running: {
    fault: 'usage',
    status: 409,
    when: 'The run has ended, or its process is gone: it can’t be stopped.',
  },
  run_not_found: { fault: 'usage', status: 404, when: 'There is no run of this id.' },
  run_under_way: { fault: 'usage', status: 409, when: 'A run that is under way was to be resumed or deleted.' },
  runs_not_comparable: { fault: 'usage', status: 422, when: 'The runs have no dataset, or no case, in common.' },
  schedule_not_found: { fault: 'usage', status: 404, when: 'There is no schedule of this id.' },
  scope_unsupported: {
    fault: 'usage',
    status: 422,
    when: 'The scope names unknown items or sections, or too many items.',
  },
  grading_not_found: { fault: 'usage', status: 404, when: 'The run has no such grading, grade or file of a grade.' },
  grading_under_way: {
    fault: 'usage',
    status: 409,
    when: 'The run is being graded by further graders: it can’t be graded again or deleted meanwhile.',
  },
  grader_refused: {
    fault: 'usage',
    status: 422,
    when: 'A grader was asked for that a server does not run, or that has nothing to say of questions.',
  },
  scoring_under_way: {
    fault: 'usage',
    status: 409,
    when: 'The run is being scored: it can’t be scored again, resumed or deleted meanwhile.',
  },
  target_mismatch: { fault: 'usage', status: 422, when: 'The capture is of another page than the pack was made for.' },
  token_expired: { fault: 'usage', status: 410, when: "The pack's token has expired." },
  token_invalid: { fault: 'usage', status: 401, when: "The pack's token was not signed by this server." },
  token_malformed: { fault: 'usage', status: 400, when: "The pack's token is not a token." },
  token_missing: { fault: 'usage', status: 400, when: 'The capture has no token.' },
  token_required: { fault: 'usage', status: 401, when: 'The server asks for its token.' },
  too_many_streams: {
    fault: 'usage',
    status: 429,
    when: 'As many event streams are open as the server takes at once.',
  },
  too_many_uploads: {
    fault: 'usage',
    status: 429,
    when: 'The server is receiving as many bytes of uploads as it takes at once.',
  },
  unknown_items: {
    fault: 'usage',
    status: 422,
    when: 'The capture has results for items that the pack does not have.',
  },
  unsupported_media: { fault: 'usage', status: 415, when: 'The body of the request is of another type.' },
  url_invalid: { fault: 'usage', status: 422, when: 'An address is not an http or https address.' },
  url_refused: { fault: 'usage', status: 422, when: 'An address is one that the server must not call.' },
  url_unresolved: { fault: 'usage', status: 422, when: 'The host of an address cannot be found.' },

  // The Waymark server: its data and its surroundings.
  archive_version: { fault: 'usage', when: 'Another version of Waymark wrote the archive of `export-data`.' },
  artifact_key_invalid: { fault: 'usage', status: 400, when: 'The key of an artifact is not one.' },
  artifact_not_found: { fault: 'usage', status: 404, when: 'There is no artifact of this key.' },
  artifacts_bucket_missing: { fault: 'environment', when: 'The bucket for artifacts does not exist.' },
  artifacts_credentials_missing: { fault: 'environment', when: 'There are no credentials for the object store.' },
  artifacts_denied: { fault: 'environment', when: 'The object store refuses the credentials.' },
  artifacts_failed: { fault: 'environment', when: 'The object store answered with an error.' },
  artifacts_region: { fault: 'environment', when: 'The bucket is in another region.' },
  artifacts_unreachable: { fault: 'environment', when: 'The object store cannot be reached.' },
  data_folder_failed: { fault: 'environment', when: 'The data folder cannot be made or opened.' },
  data_lock_failed: { fault: 'environment', when: 'The lock of the data folder cannot be written.' },
  data_locked: { fault: 'environment', when: 'Another process has the data folder open.' },
  data_unreadable: { fault: 'environment', when: 'The database in the data folder cannot be read.' },
  database_newer: { fault: 'environment', when: 'A newer version of Waymark has changed the database.' },
  database_older: {
    fault: 'environment',
    when: 'An older version of Waymark made the database, and a worker does not change it.',
  },
  database_unreachable: { fault: 'environment', when: 'The database does not answer.' },
  disk_full: { fault: 'environment', when: 'The disk of the data has hardly any space left.' },
  listen_failed: { fault: 'environment', when: 'The server cannot listen at its address.' },
  port_in_use: { fault: 'environment', when: 'Another process listens on the port.' },
  run_id_invalid: { fault: 'usage', when: 'A run of the database has an id that is not a UUID.' },
  queue_unknown: { fault: 'internal', when: 'A job was sent to a queue that was not defined.' },
  run_item_unreadable: { fault: 'grader', when: 'A stored item of a run cannot be read for scoring.' },
  server_answer: {
    fault: 'environment',
    when: 'The address answers, but not as a Waymark server of this version does.',
  },
  server_unreachable: { fault: 'environment', when: 'No Waymark server answers at the address.' },
  signing_keys_busy: { fault: 'environment', when: 'Another process is changing the signing keys.' },
  signing_keys_unusable: { fault: 'environment', when: 'The file of signing keys cannot be read or written.' },
  stopping: { fault: 'environment', when: 'The server is stopping.' },
  store_not_empty: { fault: 'usage', when: 'Data was to be imported into a store that holds data.' },
  token_keys_invalid: { fault: 'environment', when: 'The keys that sign tokens are not usable.' },

  internal: { fault: 'internal', when: 'An unexpected error: a bug of Waymark.' },
} as const satisfies Record<string, CodeEntry>;

export type ErrorCode = keyof typeof CODES;

/** Codes that came from outside: from a server's answer, from a database. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(CODES, code);
}

const STATUS_OF_FAULT: Readonly<Record<Fault, number>> = {
  usage: 422,
  environment: 503,
  server: 502,
  agent: 500,
  grader: 500,
  internal: 500,
};

/** The HTTP status of a code: its own, or else that of its fault. */
export function statusOf(code: ErrorCode): number {
  const { status, fault }: CodeEntry = CODES[code];
  return status ?? STATUS_OF_FAULT[fault];
}
