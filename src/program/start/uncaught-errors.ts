/** The log of the server. */
type Log = {
  error(context: { err: unknown }, sentence: string): void
  fatal(context: { err: unknown }, sentence: string): void
}

/**
 * Handles errors that no other code handled (FLT-17, docs/decisions/0011-uncaught-errors.md). An unhandled rejection is logged,
 * and the process goes on: all state that matters is in PostgreSQL. After an uncaught exception the state in memory is
 * unknown: running requests are answered, then the process exits with 1, so that its supervisor starts a new one.
 */
export function handleUncaughtErrors(log: Log, stop: () => Promise<unknown>): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'Unhandled rejection of a promise.'))
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'Uncaught exception: the process stops.')
    process.on('uncaughtException', (err) => log.fatal({ err }, 'Another uncaught exception while stopping.'))
    void stop().finally(() => process.exit(1))
  })
}

/** Lines that nobody reads any more (a closed terminal, the end of a pipe) are no reason to end. */
export function goOnWithoutReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
