import type { Config } from '../../config/config.ts'
import type { DemoAccess } from '../../demo/demo.ts'
import { kontorCommand, quoted } from '../data-folder/home.ts'

/** The demo of a start, the file with its exports, and the names of its companies that the worker is filling. */
export type Demo = { access: DemoAccess; envFile: string; beingFilled: readonly string[] }

/** What the start says when Kontor is ready: a page for a person at a terminal, in strict mode a sentence for the log. */
export function welcome(config: Config, demo: Demo | undefined, tookMs: number): string {
  const seconds = (tookMs / 1000).toFixed(1)
  const insecure =
    config.mode === 'strict' && config.url.startsWith('http:')
      ? 'Sessions travel over plain http: put https in front and set KONTOR_URL.'
      : ''
  if (config.mode === 'strict') {
    const { url, modeBecause } = config
    return `Kontor is ready (${seconds} s) at ${url}, in strict mode, because ${modeBecause}. Data: ${placeOf(config)}.${openings(config).map((opening) => ` Egress: ${opening}.`)} ${insecure}`.trim()
  }
  const lines = rowsOf(config, demo).map(([title, text]) => `  ${title.padEnd(11)}${text}`)
  return `\nKontor is ready (${seconds} s).\n\n${lines.join('\n')}\n\nCtrl+C stops it.`
}

function rowsOf(config: Config, demo: Demo | undefined): [title: string, text: string][] {
  const { url, mode, modeBecause } = config
  return [
    ['Web', url],
    ['Reference', `${url}/docs`],
    ['MCP', `${url}/mcp, or kontor mcp for agents that speak over pipes`],
    ...demoRows(demo),
    ['Data', placeOf(config)],
    ['Mode', `${mode}, because ${modeBecause}`],
    ...openings(config).map((opening): [string, string] => ['Egress', opening]),
    ['Commands', `${kontorCommand} --help`],
    ...tryRow(demo),
  ]
}

const demoRows = (demo: Demo | undefined): [string, string][] =>
  demo
    ? [
        ['Sign in', `${demo.access.email}  ${demo.access.password}`],
        ['API key', demo.access.apiKey],
        ...beingFilledRow(demo),
      ]
    : []

const beingFilledRow = ({ beingFilled }: Demo): [string, string][] =>
  beingFilled.length > 0
    ? [['Demo', `one company is complete; ${beingFilled.join(' and ')} will be within a minute or two`]]
    : []

const tryRow = (demo: Demo | undefined): [string, string][] =>
  demo ? [['Try', `. ${quoted(demo.envFile)}; curl -H "Authorization: Bearer $KEY" $URL/api/customers`]] : []

const placeOf = ({ databaseUrl, dataDir }: Config) => (databaseUrl ? 'the database in DATABASE_URL' : dataDir)

/** What webhooks and the like may reach beyond the rules. */
const openings = ({ egressAllow, egressAllowHttp }: Config): string[] => [
  ...(egressAllow.length > 0 ? [`also open to ${egressAllow.join(', ')}`] : []),
  ...(egressAllowHttp ? ['plain http is open'] : []),
]
