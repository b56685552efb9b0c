// npm run rates: before a release, adds the days since the last one to src/features/books/exchange-rates/bundled-rates.ts,
// one day per week, and every available day of the last thirty.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

const name = '@fawazahmed0/currency-api'
const file = new URL('../src/features/books/exchange-rates/bundled-rates.ts', import.meta.url)

const text = readFileSync(file, 'utf8')
const lines = /`\n([^`]*)\n`/.exec(text)?.[1]?.split('\n') ?? []
const [currencies = '', ...known] = lines
const versions = JSON.parse(npm('view', name, 'versions', '--json'))
const days = versions.map((version) => ({ version, day: dayOf(version) })).sort((a, b) => (a.day < b.day ? -1 : 1))
const newest = days.at(-1).day

let last = known.at(-1)?.slice(0, 10) ?? '2000-01-01'
for (const { version, day } of days) {
  if (day <= last || (daysBetween(day, newest) >= 30 && daysBetween(last, day) < 7)) continue
  known.push(lineOf(version, day))
  last = day
}
writeFileSync(file, text.replace(lines.join('\n'), [currencies, ...known].join('\n')))
console.log(`${known.length} days, the last one ${last}`)

/** Seven digits exceed the precision of the source. A dash marks a currency without a rate on that day. */
function lineOf(version, day) {
  const { date, eur } = ratesOf(version)
  if (date !== day) throw new Error(`${version} has the rates of ${date}`)
  const rates = currencies
    .split(' ')
    .slice(1)
    .map((currency) => eur[currency.toLowerCase()])
  return [day, ...rates.map((rate) => (rate > 0 ? String(Number(rate.toPrecision(7))) : '-'))].join(' ')
}

/** Reads one file of the package from its tar archive: a name, an octal size, then the bytes. */
function ratesOf(version) {
  const folder = mkdtempSync(join(tmpdir(), 'rates-'))
  try {
    const archive = npm('pack', '--silent', '--pack-destination', folder, `${name}@${version}`)
      .trim()
      .split('\n')
      .at(-1)
    const bytes = gunzipSync(readFileSync(join(folder, archive)))
    for (let at = 0; at < bytes.length; ) {
      const path = bytes.toString('latin1', at, at + 100).replace(/\0.*$/s, '')
      const size = Number.parseInt(bytes.toString('latin1', at + 124, at + 136), 8) || 0
      if (path === 'package/v1/currencies/eur.json')
        return JSON.parse(bytes.toString('utf8', at + 512, at + 512 + size))
      at += 512 + Math.ceil(size / 512) * 512
    }
    throw new Error(`${version} has no rates`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function npm(...args) {
  return execFileSync('npm', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1e8 })
}
function dayOf(version) {
  const [year, month, day] = version.split('.')
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
function daysBetween(from, to) {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
