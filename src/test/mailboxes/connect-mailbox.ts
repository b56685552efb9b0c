import { Browser } from '../oauth-client.ts'
import type { Someone } from '../world.ts'

type Provider = 'gmail' | 'outlook'

/** Begins to connect a mailbox at an API, as the page of a signed-in person does. */
export async function beginConnect(url: string, amy: Someone, provider: Provider = 'gmail', more: object = {}) {
  const body = JSON.stringify({ organizationId: amy.organizationId, ...more })
  const headers = { 'content-type': 'application/json', origin: url }
  const address = `${url}/api/expenses/email-connect/${provider}`
  const reply = await new Browser(amy).open(address, { method: 'POST', body, headers })
  return { status: reply.status, ...((await reply.json()) as { authorizeUrl: string; state: string }) }
}

/** Answers the page of the simulator. The address that it sends the browser back to. */
export async function answerProvider(
  amy: Someone,
  authorizeUrl: string,
  decision: 'allow' | 'deny' = 'allow',
): Promise<URL> {
  const browser = new Browser(amy)
  const shown = await (await browser.open(authorizeUrl)).text()
  const hidden = shown.matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)
  const fields = [...hidden].map(([, name = '', value = '']): [string, string] => [name, value])
  const account = /type="radio" name="account" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const form = new URLSearchParams([...fields, ['account', account], ['answer', decision]])
  const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(authorizeUrl).origin }
  const reply = await browser.open(authorizeUrl.split('?')[0] ?? '', { method: 'POST', body: form.toString(), headers })
  if (reply.status !== 303) throw new Error(`The simulator answered ${reply.status}: ${await reply.text()}`)
  return new URL(reply.headers.get('location') ?? '')
}

/** Connects the mailbox of the simulator's first account. */
export async function connectMailbox(url: string, amy: Someone, provider: Provider = 'gmail') {
  const { authorizeUrl } = await beginConnect(url, amy, provider)
  const reply = await new Browser(amy).open(await answerProvider(amy, authorizeUrl))
  if (reply.status !== 200) throw new Error(`The mailbox was not connected: ${await reply.text()}`)
}
