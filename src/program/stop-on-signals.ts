type Say = (line: string) => void

/** Ctrl+C or a deploy: finish what is under way, then end. A second Ctrl+C ends at once. */
export function stopOnSignals(stopping: { begun: boolean }, say: Say, stop: () => Promise<void>) {
  const onSignal = async () => {
    if (stopping.begun) process.exit(1)
    stopping.begun = true
    say('Stopping.')
    await stop()
    process.exit(0)
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}
