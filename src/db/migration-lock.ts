/**
 * An advisory lock. A migration holds it exclusively, a backup shares it. The job that removes deleted files from the
 * store takes it exclusively for a moment, so that no file named by a row in a running backup is removed.
 */
export const migrationLock = "hashtextextended('kontor migrations', 0)"
