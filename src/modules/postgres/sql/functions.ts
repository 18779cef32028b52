/**
 * Functions that no statement may call: they read files, reach other servers, run SQL that is hidden in a text, end
 * other sessions, or set parameters. Some of them are marked as stable, so their volatility says nothing.
 */
const DENIED: readonly RegExp[] = [
  /^pg_read_/,
  /^pg_ls_/,
  /^pg_file_/,
  /^pg_stat_file$/,
  /^pg_logdir_ls$/,
  /^pg_current_logfile$/,
  /^pg_hba_file_rules$/,
  /^pg_ident_file_mappings$/,
  /^pg_show_all_file_settings$/,
  /^lo_/,
  /^lo(?:read|write|creat)$/,
  /^dblink/,
  /^postgres_fdw_/,
  /^(?:query|table|cursor|schema|database)_to_xml/,
  /^xpath_table$/,
  /^xslt_process$/,
  /^ts_stat$/,
  /^crosstab/,
  /^connectby$/,
  /^pg_(?:terminate|cancel)_backend$/,
  /^pg_(?:reload_conf|rotate_logfile|promote|switch_wal|create_restore_point|export_snapshot)/,
  /^pg_(?:wal|xlog)_(?:replay|apply)_/,
  /^pg_(?:backup_|start_backup|stop_backup)/,
  /^pg_(?:create|drop|copy|advance|sync)_.*replication/,
  /^pg_replication_(?:origin|slot)/,
  /^pg_logical_/,
  /^pg_execute_server_program$/,
  /^pg_log_/,
  /^binary_upgrade_/,
  /^set_config$/,
  /^http(?:_|$)/,
];

export const isDenied = (name: string): boolean => DENIED.some((pattern) => pattern.test(name));

/** Functions behind the views of statistics: they show what other sessions do, and tables of all schemas. */
export const isStatistic = (name: string): boolean => name.startsWith('pg_stat_');

/** Volatile functions of PostgreSQL and of its extensions that change nothing. */
const HARMLESS: ReadonlySet<string> = new Set([
  'random',
  'random_normal',
  'clock_timestamp',
  'timeofday',
  'gen_random_uuid',
  'gen_random_bytes',
  'gen_salt',
  'uuidv4',
  'uuidv7',
  'uuid_generate_v1',
  'uuid_generate_v1mc',
  'uuid_generate_v4',
  'pg_relation_size',
  'pg_table_size',
  'pg_indexes_size',
  'pg_total_relation_size',
  'pg_database_size',
  'pg_tablespace_size',
  'pg_tablespace_databases',
  'pg_partition_tree',
  'pg_partition_ancestors',
  'pg_sequence_last_value',
  'pg_blocking_pids',
  'pg_safe_snapshot_blocking_pids',
  'pg_lock_status',
  'pg_prepared_xact',
  'pg_is_in_recovery',
  'pg_is_wal_replay_paused',
  'pg_current_wal_lsn',
  'pg_current_wal_insert_lsn',
  'pg_current_wal_flush_lsn',
  'pg_last_wal_receive_lsn',
  'pg_last_wal_replay_lsn',
  'pg_last_xact_replay_timestamp',
  'pg_notification_queue_usage',
  'pg_stat_get_xact_numscans',
  'pg_stat_get_snapshot_timestamp',
  'pg_stat_statements',
  'pg_stat_statements_info',
  'pg_available_extensions',
  'pg_available_extension_versions',
  'pg_xact_commit_timestamp',
]);

export const isHarmless = (name: string): boolean => HARMLESS.has(name);

/** Relations of PostgreSQL that hold passwords, files or large objects. */
export const SECRET_RELATIONS: ReadonlySet<string> = new Set([
  'pg_authid',
  'pg_shadow',
  'pg_user_mapping',
  'pg_user_mappings',
  '_pg_user_mappings',
  'user_mapping_options',
  'pg_foreign_server',
  '_pg_foreign_servers',
  'foreign_server_options',
  'pg_subscription',
  'pg_largeobject',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_file_settings',
  'pg_backend_memory_contexts',
]);
