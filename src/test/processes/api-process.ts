import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type newDatabase, testSecretsKey, urlOf } from '../database.ts'
import { newFolder } from '../temporary-folder.ts'
import { builtProduct } from './built-product.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The API as a separate process, as in production. */
export type ApiProcess = {
  url: string
  child: ChildProcess
  /** Its output so far. */
  output(): string
  /** Its exit code, once it has ended. */
  exited: Promise<number | null>
  kill(signal: NodeJS.Signals): Promise<number | null>
}

type Database = Awaited<ReturnType<typeof newDatabase>>

/** Starts `kontor api`, or another build or command of it, on a test database and waits until it is healthy. */
export async function startApi(
  database: Database,
  env: Record<string, string> = {},
  program?: string,
  command = 'api',
): Promise<ApiProcess> {
  const [listen, built] = [env.PORT ?? (await freePort()), program ?? (await builtProduct())]
  const child = spawn(process.execPath, [built, command], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      KONTOR_ENV_FILE: 'off',
      PORT: String(listen),
      ...(command === 'worker' && { METRICS_PORT: String(listen) }),
      DATABASE_URL: urlOf(database),
      KONTOR_DATA: newFolder('api'),
      KONTOR_DEMO: '0',
      KONTOR_SECRETS_KEY: testSecretsKey,
      ...env,
    },
  })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => output.push(String(chunk)))
  const url = `http://127.0.0.1:${listen}`
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const healthy = await Promise.race([untilHealthy(url), exited.then(() => false)])
  if (!healthy) throw new Error(`The API did not start:\n${output.join('')}`)
  return {
    url,
    child,
    exited,
    output: () => output.join(''),
    kill(signal) {
      child.kill(signal)
      return exited
    },
  }
}

async function untilHealthy(url: string) {
  const until = performance.now() + 120_000 // on a busy machine
  while (performance.now() < until) {
    const healthy = await fetch(`${url}/health`)
      .then(({ ok }) => ok)
      .catch(() => false)
    if (healthy) return true
    await sleep(25)
  }
  return false
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** A JSON request to a running process. */
export async function ask(
  url: string,
  { method = 'GET', body, headers = {} }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) {
  const answer = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return {
    status: answer.status,
    headers: answer.headers,
    body: (await answer.json()) as Record<string, never> & { id?: string },
  }
}
