import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'
import { findChromium, howToGetChromium } from '../../scripts/chromium.mjs'
import { type App, createApp } from '../program/app.ts'
import { builtWebApp } from './web-app.ts'
import { testConfig, theDatabase } from './world.ts'

/** A real browser and a server on the database of this test file. */

const executablePath = await findChromium().catch((error: Error) => void process.stderr.write(`${error.message}\n`))
export const hasBrowser = executablePath !== undefined
if (!hasBrowser) process.stderr.write(`No Chromium was found, so browser tests are skipped. ${howToGetChromium}\n`)

const flags = [
  '--no-sandbox', // for root, as in containers
  '--disable-gpu',
  '--font-render-hinting=none', // letters as the font has them, whatever the machine prefers
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

let browser: Browser
let app: App
let url: string

/** Starts one browser and one server for the test file. The server is `localhost`, because passkeys need a host name. */
export function withBrowser() {
  beforeAll(async () => {
    if (!executablePath) return
    url = `http://localhost:${await freePort()}`
    await startSite()
    browser = await chromium.launch({ ...launcher(executablePath), args: flags })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })
}

/** Through a shell script, which takes away what tests do not need; Windows has no such shell. */
function launcher(program: string) {
  if (process.platform === 'win32') return { executablePath: program }
  const executablePath = fileURLToPath(new URL('./runner/chromium.sh', import.meta.url))
  return { executablePath, env: { ...process.env, CHROMIUM_PROGRAM: program } as Record<string, string> }
}

export const theSite = () => ({ app, url })

/** The server comes back at the same address after `theSite().app.close()`. */
export async function startSite() {
  const { port } = new URL(url)
  app = await createApp(testConfig({ PORT: port }), theDatabase(), { web: await builtWebApp() })
  await app.server.listen({ port: Number(port), host: '127.0.0.1' })
}

/** A browser window, open until the end of the test. `trouble` lists the errors that it showed. */
export type Visitor = { page: Page; context: BrowserContext; trouble: string[] }

export async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ baseURL: url, locale: 'en-GB', ...options })
  if (getCurrentTest()) onTestFinished(() => context.close())
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`threw: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every answer of 400 and above; the test checks which of them are expected.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !refused) trouble.push(`complained: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'confirm') return dialog.accept()
    trouble.push(`said: ${dialog.message()}`)
    return dialog.dismiss()
  })
  page.on('request', (request) => {
    const to = new URL(request.url())
    if (to.protocol !== 'data:' && to.origin !== url) trouble.push(`asked elsewhere: ${to}`)
  })
  return { page, context, trouble }
}

/** The serious accessibility problems of a page, as far as a program can find them. */
export async function barriers(page: Page, rules: string[] = []): Promise<string[]> {
  // One frame, so no second page is needed; what passes is not described.
  const look = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules.length > 0 ? look.withRules(rules) : look).analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
