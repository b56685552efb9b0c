import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { newId } from '../../src/core/values/id.ts'
import { openReceiptReader } from '../../src/providers/reader/reader.ts'
import { judge } from '../../src/test/receipts/judge.ts'
import type { Child } from '../ipc.ts'
import type { Fire, Fired } from '../load.ts'
import type { Setting } from '../measure.ts'
import type { Figure } from '../measures/automations.ts'
import { median } from '../statistics.ts'
import { accuracyFigures, costFigures, mistakesOf, type Scanned } from './scan-figures.ts'
import { secondsUntilGone, watchReaders } from './scan-reader.ts'
import { generatedSamples, labelledSamples, type Sample } from './scan-samples.ts'

// How well and how fast receipts are read: the pictures of a folder with labels, or generated ones. And how much slower the API
// answers meanwhile.

export const scanMeasure = 'scan'

const generatedCount = 200

type Options = { folder: string | undefined; api: Api }

export async function benchScan({ folder, api }: Options): Promise<Figure[]> {
  const own = mkdtempSync(join(tmpdir(), 'kontor-bench-scan-'))
  try {
    if (!folder) console.log(`Generating ${generatedCount} receipts.`)
    const samples = folder ? labelledSamples(folder) : await generatedSamples(own, generatedCount)
    const { scanned, peakMegabytes, goneAfter } = await scanAll(samples)
    for (const line of mistakesOf(scanned)) console.log(`  ${line}`)
    return [
      ...accuracyFigures(scanned, folder !== undefined),
      ...costFigures(scanned, peakMegabytes, goneAfter),
      await besideScans(samples, api),
    ]
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

/** Reads one file after the other with the reader of the product. */
async function scanAll(samples: readonly Sample[]) {
  // A slow machine shows in the seconds, not as files that were not read.
  const reader = openReceiptReader({ fileMs: 180_000, answerMs: 200_000 })
  const watched = watchReaders()
  try {
    const scanned: Scanned[] = []
    for (const sample of samples) scanned.push(await scanOne(reader, sample))
    const peakMegabytes = watched.peakMegabytes()
    return { scanned, peakMegabytes, goneAfter: await secondsUntilGone(90) }
  } finally {
    await reader.close()
  }
}

async function scanOne(reader: ReturnType<typeof openReceiptReader>, sample: Sample): Promise<Scanned> {
  const { path, contentType, hints, known } = sample
  const began = performance.now()
  const outcome = await reader.read({ path, contentType, hints, organizationId: newId() })
  const seconds = (performance.now() - began) / 1000
  const fields = 'reading' in outcome ? outcome.reading.fields : {}
  const judgements = judge(sample, fields, known)
  return {
    sample,
    judgements,
    seconds,
    ...('unread' in outcome && { failure: `${outcome.unread}: ${outcome.message}` }),
  }
}

export type Api = {
  url: string
  load: Child
  setting: Setting
  get: Fire['requests']
  key: Record<string, string>
  organizationId: string
}

const [scansAtOnce, slowestP95] = [20, 3]

/** The 95th percentile of GET while 20 files that were uploaded at once are read, against idle. */
async function besideScans(samples: readonly Sample[], api: Api): Promise<Figure> {
  const { url, load, setting, get } = api
  const pictures = samples.filter(({ kind }) => kind === 'picture').slice(0, scansAtOnce)
  const attachments = await Promise.all(pictures.map((sample) => upload(sample, api)))
  const fire = () =>
    load.ask<Fired>('fire', { url, connections: 2, seconds: setting.seconds, requests: get } satisfies Partial<Fire>)
  await fire() // warms up
  const [ratios, read]: [number[], number[]] = [[], []]
  for (let n = 0; n < Math.min(3, setting.repeats); n++) {
    const idle = await fire()
    let running = attachments.length
    const scans = attachments.map((id) => scan(id, api).finally(() => running--))
    const beside = await fire()
    if (running === 0) throw new Error('The scans ended before the load did; use fewer --seconds.')
    const outcomes = await Promise.all(scans)
    for (const outcome of new Set(outcomes))
      console.log(`  ${outcomes.filter((each) => each === outcome).length} scans: ${outcome}`)
    read.push(outcomes.filter((outcome) => outcome === 'COMPLETED').length)
    ratios.push(beside.p95Ms / idle.p95Ms)
  }
  const value = Math.min(...read) > 0 ? median(ratios) : Number.POSITIVE_INFINITY // without scans it says nothing
  const does = `p95 of GET beside ${attachments.length} scans (${read.join(', ')} read), against idle`
  return {
    name: 'scan api p95',
    does,
    value,
    bar: `<= ${slowestP95}`,
    fits: value <= slowestP95,
  }
}

async function upload({ path, contentType }: Sample, { url, key, organizationId }: Api): Promise<string> {
  const form = new FormData()
  form.set('organizationId', organizationId)
  form.set('file', new Blob([readFileSync(path)], { type: contentType }), basename(path))
  const answer = await fetch(`${url}/api/expenses/upload`, { method: 'POST', headers: key, body: form })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`The upload was answered with ${answer.status}: ${text}`)
  return JSON.parse(text).id
}

/** The status of a scan, or why it failed. */
async function scan(attachmentId: string, { url, key }: Api): Promise<string> {
  const headers = { ...key, 'content-type': 'application/json' }
  const body = JSON.stringify({ attachmentId })
  const answer = await fetch(`${url}/api/expenses/scan`, { method: 'POST', headers, body })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`A scan was answered with ${answer.status}: ${text}`)
  const { scanStatus, scanError } = JSON.parse(text)
  return scanError ?? scanStatus
}
