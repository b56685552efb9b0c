import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, withPort } from '../config/config.ts'
import { StartFailure } from '../db/start-failure.ts'

/** The settings with a port that can be listened on: the one that was asked for, or any for 0. */
export async function onFreePort(config: Config): Promise<Config> {
  const probe = createServer()
  await listening(config, () => once(probe.listen(config.port, config.host), 'listening'))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return withPort(config, port)
}

type Where = Pick<Config, 'host' | 'port'> & { setting?: 'PORT' | 'METRICS_PORT' }

/** Listens, or says in a sentence why it cannot. */
export async function listening(
  { host, port, setting = 'PORT' }: Where,
  listen: () => Promise<unknown>,
): Promise<void> {
  const command = setting === 'PORT' ? 'npm start' : 'npx kontor worker'
  try {
    await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      const other = port < 65535 ? port + 1 : 3000
      throw new StartFailure(
        `Port ${port} is taken by another program. Choose another one: ${setting}=${other} ${command}`,
      )
    }
    if (code === 'EACCES')
      throw new StartFailure(
        `Port ${port} may not be used by this user. Choose one above 1023: ${setting}=3000 ${command}`,
      )
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartFailure(`HOST ${host} is not an address of this machine.`)
    throw error
  }
}
