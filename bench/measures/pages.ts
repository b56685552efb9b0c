import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { findChromium, howToGetChromium } from '../../scripts/chromium.mjs'
import { median } from '../statistics.ts'
import type { Figure } from './automations.ts'

// The web app in a real browser, on an organization with ten thousand documents: how soon the dashboard is there on a slow
// phone, and how soon a key shows its effect.

export const pagesMeasure = 'pages'

type Pages = { url: string; organizationId: string; sessionSecret: string; repeats: number }

const settledMs = 2_000 // for what is larger and comes later
const slowDown = 4 // a phone beside this processor
const networks = [
  { name: 'fast 4G', latencyMs: 165, bitsPerSecond: 8_100_000, limitMs: 1_200 },
  { name: 'slow 4G', latencyMs: 562.5, bitsPerSecond: 1_440_000, limitMs: 2_500 },
]
const [keyLimitMs, rowsLimit, frameLimitMs, keys] = [50, 60, 17, 40]

/** The scripts run in the page. They are text, because the types of this folder are those of Node. */
const largestPaint = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({ type: 'largest-contentful-paint', buffered: true })
})`
/** From the key to the frame after the one that shows its effect, as long as the effect is part of the first. */
const watchKeys = `{
  window.painted = []
  addEventListener('keydown', ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => window.painted.push(performance.now() - timeStamp)
      channel.port2.postMessage(0)
    })
  }, { capture: true })
}`
const scrollFrames = `new Promise((resolve) => {
  const list = [...document.querySelectorAll('[aria-rowcount], [aria-rowcount] *')].find((each) => each.scrollHeight > each.clientHeight + 1000)
  const frames = []
  let last = performance.now()
  const step = (now) => {
    frames.push(now - last)
    last = now
    list.scrollTop += 120
    if (frames.length < 120) requestAnimationFrame(step)
    else resolve(frames.slice(1))
  }
  requestAnimationFrame(step)
})`

export async function benchPages({ url, organizationId, sessionSecret, repeats }: Pages): Promise<Figure[]> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error(`There is no Chromium. ${howToGetChromium}`)
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const open = async (work: (page: Page, context: BrowserContext) => Promise<void>) => {
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1360, height: 900 }, locale: 'en-GB' })
    await context.addCookies([{ name: 'sid', value: sessionSecret, url }])
    const page = await context.newPage()
    await work(page, context)
    await context.close()
  }
  try {
    return [...(await dashboards(open, organizationId, repeats)), ...(await lists(open, organizationId))]
  } finally {
    await browser.close()
  }
}
type Open = (work: (page: Page, context: BrowserContext) => Promise<void>) => Promise<void>

/** The first visit, with an empty cache. */
async function dashboards(open: Open, organizationId: string, repeats: number): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, latencyMs, bitsPerSecond, limitMs } of networks) {
    const times: number[] = []
    for (let n = 0; n <= repeats; n += 1)
      await open(async (page, context) => {
        const tools = await context.newCDPSession(page)
        await tools.send('Network.enable')
        await tools.send('Network.emulateNetworkConditions', {
          ...{ offline: false, latency: latencyMs },
          ...{ downloadThroughput: bitsPerSecond / 8, uploadThroughput: bitsPerSecond / 8 },
        })
        await tools.send('Emulation.setCPUThrottlingRate', { rate: slowDown })
        await page.goto(`/o/${organizationId}`)
        await page.getByRole('link', { name: /^Open/ }).waitFor() // the figures, by the app itself
        await page.waitForTimeout(settledMs)
        times.push(Number(await page.evaluate(largestPaint)))
      })
    figures.push(
      toFigure(
        `LCP, ${name}`,
        `ms to the largest paint of the dashboard, processor / ${slowDown}`,
        median(times.slice(1)),
        limitMs,
      ),
    )
  }
  return figures
}

async function lists(open: Open, organizationId: string): Promise<Figure[]> {
  const figures: Figure[] = []
  await open(async (page) => {
    await page.goto(`/o/${organizationId}/documents`)
    await page.locator('[role=row]').nth(10).waitFor()
    await page.evaluate(watchKeys)
    for (let n = 0; n < keys; n += 1) {
      await page.keyboard.press('j')
      await page.waitForTimeout(60)
    }
    figures.push(
      toFigure('key in 10,000 rows', 'ms from j to the paint, median', median(await painted(page)), keyLimitMs),
    )
    figures.push(toFigure('rows in the page', 'of 10,000', await page.locator('[role=row]').count(), rowsLimit))
    const frames = (await page.evaluate(scrollFrames)) as number[]
    figures.push(toFigure('frame while scrolling', 'ms, median', Math.floor(median(frames)), frameLimitMs))
  })
  await open(async (page) => {
    await page.goto(`/o/${organizationId}/documents/new`)
    const description = page.getByLabel('Description').first()
    await description.focus() // the list of customers is open over it
    await page.evaluate(watchKeys)
    for (const letter of 'Consulting on the books of last year') {
      await page.keyboard.press(letter === ' ' ? 'Space' : letter)
      await page.waitForTimeout(40)
    }
    figures.push(
      toFigure('key in the editor', 'ms from a letter to the paint, median', median(await painted(page)), keyLimitMs),
    )
  })
  return figures
}

async function painted(page: Page): Promise<number[]> {
  const times = (await page.evaluate('window.painted')) as number[]
  if (times.length < 30) throw new Error(`Only ${times.length} keys were painted.`)
  return times
}

const toFigure = (name: string, does: string, value: number, limit: number): Figure => ({
  name,
  does,
  value,
  bar: `<= ${limit}`,
  fits: value <= limit,
})
