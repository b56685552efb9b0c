import { resolve } from 'node:path'
import { WrongSetting } from '../../config/config.ts'
import { parseUrl } from '../../core/values/url.ts'
import { bridge } from '../../mcp/stdio.ts'
import { sayAside } from '../say.ts'
import { notedAddress } from '../start/running.ts'

/** `kontor mcp`. The standard output carries the protocol only; messages go to the standard error. */
export async function connectAgent(tools: string | undefined, env: NodeJS.ProcessEnv): Promise<void> {
  if (tools !== undefined && tools !== 'compact' && tools !== 'full')
    throw new WrongSetting('kontor mcp takes --tools compact, --tools full or nothing.')
  const key = env.KONTOR_API_KEY
  if (!key) throw new WrongSetting('Set KONTOR_API_KEY to an API key: npm start prints one for the demo companies.')
  await bridge({
    url: addressOf(env),
    key,
    tools,
    input: process.stdin,
    output: process.stdout,
    report: sayAside,
  })
}

/** KONTOR_URL, else the server that runs on the data folder, else the port in PORT. */
function addressOf({ KONTOR_URL, KONTOR_DATA, PORT }: NodeJS.ProcessEnv): string {
  if (KONTOR_URL) {
    if (parseUrl(KONTOR_URL)) return KONTOR_URL
    throw new WrongSetting(`KONTOR_URL must be the address of a running Kontor; it is "${KONTOR_URL}".`)
  }
  const dataDir = resolve(KONTOR_DATA || './data')
  const noted = notedAddress(dataDir)
  if (noted) return noted
  if (Number(PORT) > 0) return `http://127.0.0.1:${Number(PORT)}`
  throw new WrongSetting(
    `No Kontor is running on ${dataDir}. Start it with npm start, or set KONTOR_URL to another one.`,
  )
}
