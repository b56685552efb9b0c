// Runs the embedded PostgreSQL on KONTOR_DATA until it is killed. Each line of the output is a JSON value.
import { startEmbedded } from '../../../db/embedded/embedded.ts'

const write = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`)

try {
  const { pid, config } = await startEmbedded({
    dataDir: process.env.KONTOR_DATA ?? '',
    say: (line) => write({ said: line }),
  })
  write({ pid, config })
  setInterval(() => {}, 1_000)
} catch (error) {
  write({ refused: error instanceof Error ? error.message : String(error) })
}
