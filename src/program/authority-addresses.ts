import type { Config } from '../config/config.ts'
import type { Environment } from '../core/outside/tax-authority.ts'
import { type AuthorityAddress, israelHosts } from '../providers/tax-authorities/israel.ts'
import { startAccessPointSimulator } from '../simulators/access-point/simulator.ts'
import { startTaxAuthoritySimulator } from '../simulators/tax-authority/simulator.ts'

/**
 * Where tax authorities and access points are called: at their own addresses, or at those of the settings. In local mode the
 * sandbox of each is a simulator, which starts with the first call.
 */
export function authorityAddresses(config: Pick<Config, 'mode' | 'israelTaxAuthority' | 'accessPoint'>) {
  const { mode, israelTaxAuthority, accessPoint } = config
  const israel = simulated(mode, israelTaxAuthority, startTaxAuthoritySimulator)
  const singapore = simulated(mode, accessPoint, startAccessPointSimulator)

  async function israelAddress(environment: Environment): Promise<AuthorityAddress> {
    const url = await israel.urlOf(environment)
    return url === undefined ? israelHosts : { tokens: url, service: url }
  }

  return {
    israel: { addressOf: israelAddress, isSimulated: israel.isSimulated },
    accessPoint: { addressOf: singapore.urlOf, isSimulated: singapore.isSimulated },
    async close() {
      await Promise.all([israel.close(), singapore.close()])
    },
  }
}

type Started = { url: string; close(): Promise<void> }

/** The addresses of the settings, and the simulator in place of one that is not given. */
function simulated(mode: Config['mode'], given: Config['accessPoint'], start: () => Promise<Started>) {
  let simulator: Promise<Started> | undefined
  const isSimulated = (environment: Environment) =>
    mode === 'local' && environment === 'sandbox' && given.sandbox === undefined

  async function urlOf(environment: Environment): Promise<string | undefined> {
    if (!isSimulated(environment)) return given[environment]
    simulator ??= start()
    return (await simulator).url
  }

  return { isSimulated, urlOf, close: async () => (await simulator)?.close() }
}
