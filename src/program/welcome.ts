import type { Config } from '../config/config.ts'
import type { DemoAccess } from '../demo/demo.ts'

/** What the start prints when Kontor is ready. */
export function welcome(
  { url, dataDir, databaseUrl, mode, modeBecause, egressAllow, egressAllowHttp }: Config,
  demo: DemoAccess | undefined,
  tookMs: number,
) {
  const curl = demo && `curl -H "Authorization: Bearer ${demo.apiKey}" ${url}/api/customers`
  const rows = [
    ['Web', url],
    ['Reference', `${url}/docs`],
    ['MCP', `${url}/mcp, or kontor mcp for agents that speak over pipes`],
    ...(demo
      ? [
          ['Sign in', `${demo.email}  ${demo.password}`],
          ['API key', demo.apiKey],
        ]
      : []),
    ['Data', databaseUrl ? 'the database in DATABASE_URL' : dataDir],
    ['Mode', `${mode}, because ${modeBecause}`],
    ...(egressAllow.length > 0 ? [['Egress', `also open to ${egressAllow.join(', ')}`]] : []),
    ...(egressAllowHttp ? [['Egress', 'plain http is open']] : []),
    ...(curl ? [['Try', curl]] : []),
  ] as const
  const lines = rows.map(([title, text]) => `  ${title?.padEnd(11)}${text}`)
  const insecure =
    mode === 'strict' && url.startsWith('http:')
      ? '\n\n  Sessions travel over plain http: put https in front and set KONTOR_URL.'
      : ''
  return `\nKontor is ready (${(tookMs / 1000).toFixed(1)} s).\n\n${lines.join('\n')}${insecure}\n\nCtrl+C stops it.`
}
