import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { getCurrentTest } from 'vitest/suite'
import { findChromium, howToGetChromium } from '../../scripts/chromium.mjs'
import { type App, createApp } from '../program/app.ts'
import { builtWebApp } from './web-app.ts'
import { testConfig, theDatabase } from './world.ts'

/** A real browser and a server on the database of this test file. */

const executablePath = await findChromium()
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
  '--js-flags=--no-maglev,--no-opt', // a page does not live long enough for optimized code to pay
  '--process-per-site', // pages of a profile share what they have compiled
]

/** Started by the first test file of this process that needs it. It ends with the process, as its connection does. */
let browser: Promise<Browser> | undefined
let app: App
let url: string

/** Starts a server for the test file. It is `localhost`, because passkeys need a host name. */
export function withBrowser() {
  beforeAll(async () => {
    if (!executablePath) return
    url = await siteAddress()
    await startSite()
    await theBrowser(executablePath)
  }, 120_000)

  afterAll(async () => {
    for (const leave of [...open]) await leave()
    await app?.close()
  })
}

/** The address of the last test file, whose assets the browser has, unless another program has taken it. */
async function siteAddress() {
  const port = url ? Number(new URL(url).port) : 0
  return `http://localhost:${await freePort(port).catch(() => freePort(0))}`
}

/** The browser of this process. One that has crashed is replaced for the next test file. */
async function theBrowser(program: string): Promise<Browser> {
  if (!(await browser)?.isConnected()) browser = chromium.launch({ ...launcher(program), args: flags })
  return browser as Promise<Browser>
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

/** A browser window, open until `leave` or the end of the test. `trouble` lists the errors that it showed. */
export type Visitor = { page: Page; context: Profile; trouble: string[]; leave: () => Promise<void> }

/** Another test goes on with it, so it is left instead of closed, and only its pages get scripts of their own. */
export type Profile = Omit<BrowserContext, 'close' | 'addInitScript' | 'exposeFunction' | 'exposeBinding'>

/** How to leave what is open. */
const open = new Set<() => Promise<void>>()

export async function visitor(options: BrowserContextOptions = {}): Promise<Visitor> {
  const { viewport, colorScheme = 'light', reducedMotion = 'no-preference', ...others } = options
  const kept = await takeProfile({ baseURL: url, locale: 'en-GB', ...others })
  const { context } = kept
  let leaving: Promise<void> | undefined
  const leave = () => {
    open.delete(leave)
    leaving ??= keepProfile(kept)
    return leaving
  }
  open.add(leave)
  if (getCurrentTest()) onTestFinished(leave)
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  /** Pages of one profile may differ in these, so that visits in other looks share what the browser has loaded and compiled. */
  const look = async (each: Page) => {
    if (viewport) await each.setViewportSize(viewport)
    await each.emulateMedia({ colorScheme, reducedMotion })
  }
  await look(page)
  context.on('page', (each) => void look(each).catch(() => {})) // it may be closed at once
  const trouble: string[] = []
  page.on('pageerror', (error) => trouble.push(`threw: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every answer of 400 and above; the test checks which of them are expected.
    const refused = /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text())
    if (message.type() === 'error' && !refused) trouble.push(`complained: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    if (dialog.type() === 'confirm' || dialog.type() === 'beforeunload') return dialog.accept()
    trouble.push(`said: ${dialog.message()}`)
    return dialog.dismiss()
  })
  page.on('request', (request) => {
    const to = new URL(request.url())
    if (to.protocol !== 'data:' && to.origin !== url) trouble.push(`asked elsewhere: ${to}`)
  })
  return { page, context, trouble, leave }
}

/** A profile of the browser and the page in it that stays open, so that the scripts which others have loaded stay compiled. */
type Kept = { options: string; context: BrowserContext; anchor: Page }

/** Profiles that tests have left, the last one at the end. */
const kept: Kept[] = []
const mostKept = 4

/** A profile that was left, with the same options, or else a new one. */
async function takeProfile(given: BrowserContextOptions): Promise<Kept> {
  if (!browser) throw new Error('The test file has no browser: it calls withBrowser().')
  const [options, here] = [JSON.stringify(given), await browser]
  const at = kept.findLastIndex((each) => each.options === options && each.context.browser() === here)
  const [found] = at < 0 ? [] : kept.splice(at, 1)
  if (found) return found
  const context = await here.newContext(given)
  const anchor = await context.newPage()
  await anchor.goto(`${url}/health`)
  return { options, context, anchor }
}

/** Nothing of the visit is left but what the browser has loaded from the site. */
async function keepProfile(profile: Kept): Promise<void> {
  const { context, anchor } = profile
  try {
    for (const page of context.pages()) if (page !== anchor) await page.close()
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const event of ['request', 'page'] as const) context.removeAllListeners(event)
    await context.clearCookies()
    await anchor.evaluate('localStorage.clear()')
    kept.push(profile)
    if (kept.length > mostKept) await kept.shift()?.context.close()
  } catch {
    await context.close() // the browser or the page may have crashed
  }
}

function freePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
      .once('error', reject)
      .listen(wanted, '127.0.0.1', () => {
        const address = server.address()
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
      })
  })
}
