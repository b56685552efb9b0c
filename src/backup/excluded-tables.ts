/**
 * Tables that are not in a backup, each with the reason. Every other table is, new ones included: a test compares this
 * list with the database. No table of a backup may refer to a table listed here.
 */
export const excludedTables: Record<string, string> = {
  migrations: 'listed in the manifest; a restore applies the same ones',
  function_files: 'which functions were applied; a restore applies those of its own version',
  rate_buckets: 'rate limits of the last minutes; they start anew after a restore, as after a crash',
  mail_counts: 'messages of the last day; they are counted anew after a restore',
  job_pressure: 'recounted by every worker every few seconds',
  ledger_kinds: 'declared by migrations; a restore applies the same ones',
  default_accounts: 'declared by migrations; a restore applies the same ones',
  official_document_types: 'declared by migrations; a restore applies the same ones',
  file_home: 'the storage prefix of new files: a restored copy uses its own',
  journal_sums: 'sums of the journal; reports compute them anew after a restore, as after a crash',
  journal_results: 'what documents booked; computed anew with the sums',
  journal_results_by_day: 'what documents booked to income and expenses by day; computed anew with the sums',
  journal_taxes_by_day: 'the tax of documents by day; computed anew with the sums',
  journal_sums_state: 'which sums are stored; none are after a restore',
  journal_marks: 'days whose sums changed; no sums are stored after a restore',
  mail_connects: 'sign-ins at mail providers that are under way; the sessions that they belong to end within minutes',
  backup_outcomes: 'how the last backups of this database ended; none was taken of the restored one yet',
  changes: 'what the product changed in the last two days; open apps read everything again after a restore',
  worker_heartbeats: 'the workers that run now; none of them runs on the restored database',
}

/** What else is not in a backup. The manifest and the closing message say so. */
export const excludedBesidesTables: Record<string, string> = {
  key: 'the key that decrypts the secrets (KONTOR_SECRETS_KEY or secrets.key): store it apart from the backup',
  s3: 'files in S3-compatible storage: back up the bucket itself; the rows of files have their keys, sizes and hashes',
}
