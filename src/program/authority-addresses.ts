import type { Config } from '../config/config.ts'
import type { Environment } from '../core/outside/tax-authority.ts'
import { type AuthorityAddress, israelHosts } from '../providers/tax-authorities/israel.ts'
import { type Simulator, startTaxAuthoritySimulator } from '../simulators/tax-authority/simulator.ts'

/**
 * Where tax authorities are called: at their own addresses, or at those of the settings. In local mode the sandbox is a
 * simulator, which starts with the first call.
 */
export function authorityAddresses({ mode, israelTaxAuthority: given }: Pick<Config, 'mode' | 'israelTaxAuthority'>) {
  let simulator: Promise<Simulator> | undefined
  const isSimulated = (environment: Environment) =>
    mode === 'local' && environment === 'sandbox' && given.sandbox === undefined

  async function addressOf(environment: Environment): Promise<AuthorityAddress> {
    const url = given[environment]
    if (url !== undefined) return { tokens: url, service: url }
    if (!isSimulated(environment)) return israelHosts
    simulator ??= startTaxAuthoritySimulator()
    const started = await simulator
    return { tokens: started.url, service: started.url }
  }

  return {
    israel: { addressOf, isSimulated },
    async close() {
      await (await simulator)?.close()
    },
  }
}
