/** Where mishaps are told: the server's log. */
type Log = {
  error(what: { err: unknown }, sentence: string): void
  fatal(what: { err: unknown }, sentence: string): void
}

/**
 * What no code of ours took care of (FLT-17, docs/decisions/0011-uncaught-errors.md). A promise that failed unawaited is told and
 * survived: what matters is in PostgreSQL, and whoever awaited something else gets its own answer. After an error that
 * nobody caught it is not known what was left half done in memory: what is under way is answered, and the process ends
 * with 1, so that whoever supervises it starts another.
 */
export function handleUncaughtErrors(log: Log, stop: () => Promise<unknown>): void {
  process.on('unhandledRejection', (err) => log.error({ err }, 'A promise failed, and nobody was waiting for it.'))
  process.once('uncaughtException', (err) => {
    log.fatal({ err }, 'An error that nobody caught: the process stops.')
    process.on('uncaughtException', (err) => log.fatal({ err }, 'Another error that nobody caught, while stopping.'))
    void stop().finally(() => process.exit(1))
  })
}
