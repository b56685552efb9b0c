/** A page of metrics, read strictly by the text format (0.0.4). */
export type Metrics = {
  /** The value of one series, or undefined when the page does not have it: `value('x_total', { a: 'b' })`. */
  value(name: string, labels?: Record<string, string>): number | undefined
  /** All values that a label has, anywhere on the page. */
  labelValues(label: string): string[]
  names: string[]
}

type Series = { name: string; labels: Record<string, string>; value: number }

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const label = `[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"`
const number = '[+-]?Inf|NaN|[+-]?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?'
const sampleLine = new RegExp(`^(${name})(?:\\{(${label}(?:,${label})*)\\})? (${number})$`)
const helpLine = new RegExp(`^# HELP (${name}) \\S.*$`)
const typeLine = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram|summary)$`)

/** Throws for lines that Prometheus would refuse or misread. */
export function readMetrics(page: string): Metrics {
  if (!page.endsWith('\n')) throw new Error('The page does not end with a line break.')
  const families = new Map<string, string>()
  const seen = new Map<string, Series>()
  let family = ''
  for (const line of page.split('\n').filter(Boolean)) {
    const helped = helpLine.exec(line)?.[1]
    const [, typed, type = ''] = typeLine.exec(line) ?? []
    if (helped) {
      if (families.has(helped)) throw new Error(`${helped} has two HELP lines.`)
      families.set(helped, '')
      family = helped
    } else if (typed) {
      if (typed !== family || families.get(typed)) throw new Error(`The type of ${typed} is out of place.`)
      families.set(typed, type)
    } else add(line, { family, type: families.get(family) ?? '' }, seen)
  }
  const all = [...seen.values()]
  for (const [each, type] of families) if (type === 'histogram') checkHistogram(each, all)
  return {
    value: (name, labels = {}) => seen.get(keyOf({ name, labels }))?.value,
    labelValues: (label) => [...new Set(all.flatMap(({ labels }) => labels[label] ?? []))],
    names: [...families.keys()],
  }
}

function add(line: string, { family, type }: { family: string; type: string }, seen: Map<string, Series>) {
  const [, named = '', labelText = '', value = ''] = sampleLine.exec(line) ?? []
  if (!named) throw new Error(`This line does not fit the format: ${line}`)
  const suffix = named.startsWith(family) ? named.slice(family.length) : 'elsewhere'
  const allowed =
    type === 'histogram' ? ['_bucket', '_sum', '_count'] : type === 'summary' ? ['', '_sum', '_count'] : ['']
  if (!type || !allowed.includes(suffix))
    throw new Error(`${named} is listed under ${family}, which has ${type ? `the type ${type}` : 'no type'}.`)
  if (type === 'counter' && !named.endsWith('_total')) throw new Error(`The counter ${named} does not end in _total.`)
  const labels = Object.fromEntries(
    [...labelText.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, key = '', text = '']) => [key, text]),
  )
  const series = { name: named, labels, value: Number(value.replace('Inf', 'Infinity')) }
  if (seen.has(keyOf(series))) throw new Error(`The series occurs twice: ${line}`)
  seen.set(keyOf(series), series)
}

const keyOf = ({ name, labels }: Omit<Series, 'value'>) =>
  `${name}${JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))}`

/** Buckets never shrink, and the last one is the count. */
function checkHistogram(family: string, all: Series[]) {
  for (const { labels, value: count } of all.filter((series) => series.name === `${family}_count`)) {
    const own = (series: Series) => Object.entries(labels).every(([key, text]) => series.labels[key] === text)
    const buckets = all.filter((series) => series.name === `${family}_bucket` && own(series))
    const sizes = buckets.map(({ value }) => value)
    if (buckets.at(-1)?.labels.le !== '+Inf' || sizes.at(-1) !== count) throw new Error(`${family} does not add up.`)
    if (sizes.some((size, i) => size < (sizes[i - 1] ?? 0))) throw new Error(`The buckets of ${family} shrink.`)
  }
}
