import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { type Config, withPort } from '../../config/config.ts'
import { StartFailure } from '../../db/start-failure.ts'

/** The settings with a free port: the configured one, or any if it is 0. */
export async function onFreePort(config: Config): Promise<Config> {
  const probe = createServer()
  await listening(config, () => once(probe.listen(config.port, config.host), 'listening'))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return withPort(config, port)
}

type ListenAddress = Pick<Config, 'host' | 'port'> & { setting?: 'PORT' | 'METRICS_PORT' }

/** Runs `listen`, and turns the usual errors into a sentence for the operator. */
export async function listening(
  { host, port, setting = 'PORT' }: ListenAddress,
  listen: () => Promise<unknown>,
): Promise<void> {
  const command = setting === 'PORT' ? 'npm start' : 'node scripts/kontor.mjs worker'
  try {
    await listen()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE') {
      const other = port < 65535 ? port + 1 : 3000
      throw new StartFailure(
        `Port ${port} is used by another program. Choose another one: ${setting}=${other} ${command}`,
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
