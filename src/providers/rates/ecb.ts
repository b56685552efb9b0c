import type { PublishedDay } from '../../core/outside/exchange-rates.ts'
import { isCurrency } from '../../core/values/currency.ts'
import { checkedDay, unreadable } from './unreadable.ts'

/**
 * Parses the reference rates of the European Central Bank, for one day or many: an envelope with a cube, which has a cube
 * per day, which has a cube per currency. Any other content (entities, comments, declarations, further elements) makes the
 * whole document invalid, and so does a truncated one.
 */
export function readEcbRates(text: string, { until }: { until: string }): PublishedDay[] {
  if (/[&]|<!/.test(text)) throw unreadable('they contain markup that is not expected')
  const cursor = { text, at: 0 }
  match(cursor, head) ?? fail(cursor)
  const days: PublishedDay[] = []
  for (let day = match(cursor, dayBegin); day; day = match(cursor, dayBegin)) {
    days.push({ date: checkedDay(day[2] ?? '', { until }), rates: readRates(cursor) })
  }
  match(cursor, tail) ?? fail(cursor)
  if (days.length === 0) throw unreadable('they contain no day')
  if (new Set(days.map(({ date }) => date)).size < days.length) throw unreadable('they contain a day twice')
  return days
}

type Cursor = { text: string; at: number }

const subject = '<gesmes:subject>[^<]{0,200}</gesmes:subject>\\s*'
const sender =
  '<gesmes:Sender>\\s*<gesmes:name>[^<]{0,200}</gesmes:name>\\s*(?:<gesmes:id>[^<]{0,200}</gesmes:id>\\s*)?</gesmes:Sender>\\s*'
const head = new RegExp(
  `\\uFEFF?(?:<\\?xml[^?<>]{0,200}\\?>)?\\s*<gesmes:Envelope(?:\\s[^<>]{0,400})?>\\s*${subject}${sender}<Cube>\\s*`,
  'y',
)
const dayBegin = /<Cube time=(['"])(\d{4}-\d{2}-\d{2})\1\s*>\s*/y
const rateLine = /<Cube currency=(['"])([A-Z]{3})\1 rate=(['"])(\d{1,12}(?:\.\d{1,12})?)\3\s*\/>\s*/y
const dayEnd = /<\/Cube>\s*/y
const tail = /<\/Cube>\s*<\/gesmes:Envelope>\s*$/y

function match(cursor: Cursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)
  if (found) cursor.at = expression.lastIndex
  return found
}

/** Former currencies, such as the kroon, occur in older days and are left out. */
function readRates(cursor: Cursor): Map<string, string> {
  const rates = new Map<string, string>()
  for (let line = match(cursor, rateLine); line; line = match(cursor, rateLine)) {
    const [, , currency = '', , rate = ''] = line
    if (rates.has(currency)) throw unreadable(`they contain ${currency} twice for one day`)
    if (!/[1-9]/.test(rate)) throw unreadable(`the rate of ${currency} is zero`)
    rates.set(currency, rate)
  }
  if (rates.size === 0 || rates.has('EUR')) fail(cursor)
  match(cursor, dayEnd) ?? fail(cursor)
  return new Map([...rates].filter(([currency]) => isCurrency(currency)))
}

const fail = ({ at }: Cursor): never => {
  throw unreadable(`character ${at + 1} does not match the expected format`)
}
