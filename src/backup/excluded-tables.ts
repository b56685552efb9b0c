/**
 * Tables that no backup holds, and why. Every other table is in it, new ones too: a test compares this list with the
 * database. Nothing that is kept may refer to a table that stands here.
 */
export const excludedTables: Record<string, string> = {
  migrations: 'told in the manifest; a restore applies the same ones',
  rate_buckets: 'tokens of the last minutes; a restore forgives everybody, as a crash does',
  job_pressure: 'counted anew by every worker, every few seconds',
  file_home: 'where files that are brought from now on are kept: a restored copy takes a place of its own',
  worker_heartbeats: 'which workers live now; none of them lives on the restored database',
}

/** What else is not there, said in the manifest and to whoever takes a backup. */
export const rebuiltTables: Record<string, string> = {
  key: 'the key that opens the secrets (KONTOR_SECRETS_KEY or secrets.key): keep it apart from the backup',
  s3: 'files in S3-compatible storage: back the bucket up with its own means',
}
